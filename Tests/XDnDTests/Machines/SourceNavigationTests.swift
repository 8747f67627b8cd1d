import FuzzRuns
import Testing

@testable import XDnD

/// Keys that move the pointer, drop and cancel.
@Suite struct SourceNavigationTests {
  static let arrows: [(DragKey, Int, Int)] = [
    (.arrow(dx: -1, dy: 0, isLarge: false), -10, 0), (.arrow(dx: 1, dy: 0, isLarge: true), 100, 0),
    (.arrow(dx: 0, dy: -1, isLarge: true), 0, -100), (.arrow(dx: 0, dy: 1, isLarge: false), 0, 10),
  ]

  @Test(arguments: arrows)
  func `an arrow moves the pointer, and nothing else happens before it has moved`(key: DragKey, dx: Int, dy: Int) {
    var run = SourceRun.makeHovering()
    let before = run.machine.state
    #expect(run.press(key) == [.movePointer(.by(dx: dx, dy: dy), at: Timestamp(rawValue: 1150))])
    #expect(run.machine.state == before)
    #expect(run.move(10 + dx, dy) == [.locateTarget(at: Point(x: 10 + dx, y: dy))])
  }

  @Test func `an arrow goes as far as the screen's scale says`() {
    var run = SourceRun.makeDragging(scale: 1.5)
    #expect(
      run.press(.arrow(dx: 1, dy: 0, isLarge: false)) == [
        .movePointer(.by(dx: 15, dy: 0), at: Timestamp(rawValue: 1150))
      ])
  }

  @Test func `the drop key lets go like a button, also while one is held, and the keys held with it decide`() {
    for button in [PointerButton.primary, nil] {
      var run = SourceRun.makeHovering(button: button)
      #expect(
        run.press(.drop, keys: .shift) == [
          .ungrab(at: Timestamp(rawValue: 1150)), .locateTarget(at: Point(x: 10, y: 0)),
        ])
      #expect(run.locate(run.peer) == [run.sends(run.position(10, time: 1150, asking: .move))])
      #expect(run(run.peer.accept(.move)).last == .dropSent(.move))
    }
  }

  @Test func `Escape cancels, after the release too as long as nothing was dropped`() {
    var run = SourceRun.makeHovering()
    #expect(run.press(.cancel).outcomes == [.cancelled(.escape)])
    var releasing = SourceRun.makeReleasing()
    #expect(releasing.press(.cancel).outcomes == [.cancelled(.escape)])
    var dropped = SourceRun.makeDropped()
    #expect(dropped.press(.cancel) == [])
  }

  @Test(
    arguments: [
      .drop, .nextTarget, .previousTarget, .arrow(dx: 1, dy: 0, isLarge: false),
    ] as [DragKey])
  func `a key from before the drag, or after its release, does nothing`(key: DragKey) {
    var run = SourceRun.makeHovering()
    let before = run.machine
    #expect(run(.keyPressed(key, run.sample(10, time: 999))) == [])
    #expect(run.machine == before)
    var releasing = SourceRun.makeReleasing()
    #expect(releasing.press(key) == [])
  }

  // MARK: Clicks

  @Test func `without a held button a whole click drops, wherever its two halves are`() {
    var run = SourceRun.makeHovering(button: nil)
    #expect(run(.buttonPressed(.primary, run.sample(12, time: 1110))) == [])
    #expect(
      run.release(10, keys: .shift) == [
        .ungrab(at: Timestamp(rawValue: 1200)), .locateTarget(at: Point(x: 10, y: 0)),
      ])
    #expect(run.locate(run.peer) == [run.sends(run.position(10, time: 1200, asking: .move))])
  }

  @Test func `without a held button the release of a press from before drops nothing`() {
    var run = SourceRun.makeHovering(button: nil)
    #expect(run.release(10) == [])
    #expect(run(.buttonPressed(.primary, run.sample(10, time: 990))) == [])
    #expect(run.release(10) == [])
    #expect(run.machine.isHeld)
  }

  @Test func `without a held button a click of button 3 cancels, and other buttons do nothing`() {
    var run = SourceRun.makeHovering(button: nil)
    let middle = PointerButton(rawValue: 2)
    #expect(run(.buttonPressed(middle, run.sample(10))) + run(.buttonReleased(middle, run.sample(10))) == [])
    #expect(run(.buttonPressed(.secondary, run.sample(10))) == [])
    #expect(run(.buttonReleased(.secondary, run.sample(10))).outcomes == [.cancelled(.escape)])
  }

  @Test func `a held button makes clicks of other ones mean nothing`() {
    var run = SourceRun.makeHovering()
    #expect(run(.buttonPressed(.secondary, run.sample(10))) + run(.buttonReleased(.secondary, run.sample(10))) == [])
    #expect(run.release(10).first == .ungrab(at: Timestamp(rawValue: 1200)))
  }

  // MARK: The wheel

  @Test func `a notch of the wheel is told at once, also where the target wants to hear nothing`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run(run.peer.accept(.copy, quietIn: Rect(x: 0, y: 0, width: 100, height: 10)))
    _ = run.move(20)
    #expect(run.locate(run.peer) == [])
    #expect(run.turnWheel(.down, keys: .shift) == [run.sends(run.scroll(20, .down, keys: .shift, asking: .move))])
    _ = run(run.peer.accept(.move, quietIn: Rect(x: 0, y: 0, width: 100, height: 10)))
    _ = run.move(21, keys: .shift)
    #expect(run.locate(run.peer) == [], "Only a notch is worth a word in there.")
  }

  @Test func `notches wait for the Status that is due, one each, in order`() {
    var run = SourceRun.makeAwaitingStatus()
    for direction in [WheelScroll.Direction.up, .left, .right] { #expect(run.turnWheel(direction) == []) }
    #expect(run(run.peer.accept(.copy)).messages == [run.scroll(10, .up)])
    #expect(run(run.peer.refuse()).messages == [run.scroll(10, .left)])
    #expect(run(run.peer.accept(.copy)).messages == [run.scroll(10, .right)])
    #expect(run(run.peer.accept(.copy)).messages == [])
  }

  @Test func `a target that does not answer is kept a bounded number of notches`() {
    var run = SourceRun.makeAwaitingStatus()
    for _ in 0..<1000 { #expect(run.turnWheel(.down) == []) }
    var told = 0
    while !run(run.peer.accept(.copy)).messages.isEmpty { told += 1 }
    #expect(told == 16)
  }

  @Test func `notches that a drop or another target overtakes are not told`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run.turnWheel(.down)
    _ = run.move(400)
    #expect(run.locate(run.other).messages.map(\.kind) == [.leave, .enter, .position])
    #expect(run(run.other.accept(.copy)).messages == [])
    var releasing = SourceRun.makeAwaitingStatus()
    _ = releasing.turnWheel(.down)
    _ = releasing.release(10)
    _ = releasing.locate(releasing.peer)
    #expect(releasing(releasing.peer.accept(.copy)).last == .dropSent(.copy))
  }

  @Test func `the wheel over nothing, and its other half, say nothing`() {
    var run = SourceRun.makeDragging(button: nil)
    #expect(run.turnWheel(.up) == [])
    let wheel = PointerButton(rawValue: 4)
    #expect(run(.buttonReleased(wheel, run.sample(0))) == [])
    #expect(run(.buttonPressed(PointerButton(rawValue: 8), run.sample(0))) == [])
  }

  // MARK: A target that asks its user

  @Test func `a target that asks its user has ten minutes, and ten more with each transfer`() {
    var run = SourceRun.makeDropped(.ask, operations: [.ask, .copy])
    #expect(run.machine.nextDeadline == run.now + .seconds(600))
    run.wait(.seconds(599))
    #expect(run(.deadlineReached) == [])
    #expect(run(.transferProgressed) == [])
    #expect(run.machine.nextDeadline == run.now + .seconds(600))
    #expect(run.reachDeadline().outcomes == [.timedOut])
  }
}
