import FuzzRuns
import Testing

@testable import XDnD

/// The Tab key: from window to window, to one that accepts.
@Suite struct SourceSearchTests {
  let peers = [TargetPeer(0x101), TargetPeer(0x102), TargetPeer(0x103)]

  /// The window number `index` from the top lies around 100, 200, 300.
  func place(_ index: Int) -> DropPlace {
    let window = peers[index].window
    return DropPlace(
      target: DropTarget(window: window, destination: window, version: .v5), point: Point(x: 100 * (index + 1), y: 0))
  }

  var places: [DropPlace] { peers.indices.map(place) }

  func go(_ index: Int) -> SourceMachine.Effect { .movePointer(.to(place(index).point), at: time) }

  let time = Timestamp(rawValue: 1150)

  /// A drag whose user has pressed Tab: the pointer is on its way to the first window.
  func makeSearching() -> SourceRun {
    var run = SourceRun.makeDragging()
    _ = run.press(.nextTarget)
    _ = run(.dropPlaces(places))
    return run
  }

  /// Has the pointer come to a window, and this one asked.
  func arrive(_ run: inout SourceRun, at index: Int) {
    #expect(run.move(place(index).point.x, time: time.rawValue) == [.locateTarget(at: place(index).point)])
    #expect(run.locate(peers[index]).messages.suffix(2).map(\.kind) == [.enter, .position])
  }

  @Test func `the first window is the top-most one, or the lowest for Shift and Tab`() {
    var run = SourceRun.makeDragging()
    #expect(run.press(.nextTarget) == [.listDropPlaces])
    #expect(run(.dropPlaces(places)) == [go(0)])
    var back = SourceRun.makeDragging()
    #expect(back.press(.previousTarget) == [.listDropPlaces])
    #expect(back(.dropPlaces(places)) == [go(2)])
  }

  @Test func `a window that accepts is the end of the way, and the next Tab goes on from there`() {
    var run = makeSearching()
    arrive(&run, at: 0)
    #expect(run(peers[0].accept(.copy)) == [.showCursor(for: .copy), .proposed(.copy)])
    _ = run.press(.nextTarget)
    #expect(run(.dropPlaces(places)) == [go(1)])
    arrive(&run, at: 1)
    _ = run(peers[1].accept(.copy))
    _ = run.press(.previousTarget)
    #expect(run(.dropPlaces(places)) == [go(0)])
  }

  @Test func `a window that says no is passed over, and the way goes round`() {
    var run = SourceRun.makeDragging()
    _ = run.press(.previousTarget)
    #expect(run(.dropPlaces(places)) == [go(2)])
    arrive(&run, at: 2)
    _ = run(peers[2].accept(.copy))
    _ = run.press(.nextTarget)
    #expect(run(.dropPlaces(places)) == [go(0)])
    arrive(&run, at: 0)
    #expect(run(peers[0].refuse()).last == go(1))
    arrive(&run, at: 1)
    #expect(run(peers[1].accept(.copy)).last == .proposed(.copy))
    #expect(run(peers[1].refuse()).last == .proposed(nil), "What it says later is for the user to see.")
  }

  @Test func `the pointer goes back to where it began if nobody accepts`() {
    var run = SourceRun.makeDragging()
    _ = run.move(7, 8)
    _ = run.locate(nil)
    _ = run.press(.nextTarget)
    _ = run(.dropPlaces(places))
    for index in 0..<2 {
      arrive(&run, at: index)
      #expect(run(peers[index].refuse()).last == go(index + 1))
    }
    arrive(&run, at: 2)
    #expect(run(peers[2].refuse()).last == .movePointer(.to(Point(x: 7, y: 8)), at: time))
    _ = run.move(7, 8)
    #expect(run.locate(nil).messages.map(\.kind) == [.leave])
  }

  @Test func `no windows, or only the one under the pointer, move nothing`() {
    var run = SourceRun.makeDragging()
    _ = run.press(.nextTarget)
    #expect(run(.dropPlaces([])) == [])
    _ = run.move(100)
    _ = run.locate(peers[0])
    _ = run(peers[0].accept(.copy))
    _ = run.press(.nextTarget)
    #expect(run(.dropPlaces([place(0)])) == [])
  }

  @Test func `a window that does not answer is left with another Tab, and the way back is the same`() {
    var run = makeSearching()
    arrive(&run, at: 0)
    #expect(run.press(.nextTarget) == [.listDropPlaces])
    #expect(run(.dropPlaces([place(0), place(1)])) == [go(1)])
    arrive(&run, at: 1)
    #expect(run(peers[1].refuse()).last == .movePointer(.to(Point(x: 0, y: 0)), at: time))
  }

  @Test func `a window that is silent is passed over, and its late answer changes nothing`() {
    var run = makeSearching()
    arrive(&run, at: 0)
    #expect(run.machine.nextDeadline == run.now + .milliseconds(300))
    run.wait(.milliseconds(299))
    #expect(run(.deadlineReached) == [])
    #expect(run.reachDeadline() == [go(1)])
    arrive(&run, at: 1)
    #expect(run(peers[0].accept(.copy)) == [])
    #expect(run(peers[1].accept(.copy)).last == .proposed(.copy))
    #expect(run.machine.nextDeadline == nil)
  }

  @Test func `if all windows are silent, the pointer goes back to where it began`() {
    var run = makeSearching()
    for index in peers.indices {
      arrive(&run, at: index)
      let next = index + 1 < peers.count ? go(index + 1) : .movePointer(.to(Point(x: 0, y: 0)), at: time)
      #expect(run.reachDeadline() == [next])
    }
  }

  @Test func `two Tabs in a row are two windows, though the pointer has not moved yet`() {
    var run = SourceRun.makeDragging()
    _ = run.press(.nextTarget)
    #expect(run(.dropPlaces(places)) == [go(0)])
    _ = run.press(.nextTarget)
    #expect(run(.dropPlaces(places)) == [go(1)])
  }

  @Test func `what a window says before the pointer has been located there decides nothing`() {
    var run = SourceRun.makeDragging()
    _ = run.move(110)
    _ = run.locate(peers[0])
    _ = run(peers[0].accept(.copy))
    for key in [DragKey.nextTarget, .previousTarget] {
      _ = run.press(key)
      _ = run(.dropPlaces([place(0), place(1)]))
    }
    _ = run.move(100, time: time.rawValue)
    #expect(run(peers[0].refuse()).compactMap(\.move) == [])
    #expect(run.locate(peers[0]) == [])
    #expect(run(peers[0].refuse()).last == .movePointer(.to(Point(x: 110, y: 0)), at: time))
  }

  @Test func `a window that is covered, or dies on the way, is passed over`() {
    var run = makeSearching()
    _ = run.move(100)
    #expect(run.locate(nil) == [.movePointer(.to(place(1).point), at: Timestamp(rawValue: 1100))])
    arrive(&run, at: 1)
    #expect(run(.windowVanished(peers[1].window)).last == .locateTarget(at: place(1).point))
    #expect(run.locate(nil) == [go(2)])
  }

  @Test func `a hand or an arrow ends the way`() {
    for isHand in [true, false] {
      var run = makeSearching()
      arrive(&run, at: 0)
      if !isHand { _ = run.press(.arrow(dx: 1, dy: 0, isLarge: false)) }
      _ = run.move(110)
      _ = run.locate(peers[0])
      #expect(run(peers[0].refuse()).compactMap(\.move) == [])
    }
  }

  @Test func `a drop on the way goes to the window that the way has come to, if that one accepts`() {
    for isWelcome in [true, false] {
      var run = makeSearching()
      arrive(&run, at: 0)
      _ = run(.keyPressed(.drop, run.sample(100, time: 1160)))
      #expect(run.locate(peers[0]) == [])
      let effects = run(isWelcome ? peers[0].accept(.copy) : peers[0].refuse())
      #expect(effects.compactMap(\.move) == [])
      #expect(effects.last == (isWelcome ? .dropSent(.copy) : .ended(.refused)))
    }
  }

  @Test func `a list that nobody has asked for, or that comes after the release, moves nothing`() {
    var run = SourceRun.makeDragging()
    #expect(run(.dropPlaces(places)) == [])
    _ = run.press(.nextTarget)
    _ = run.release(0)
    #expect(run(.dropPlaces(places)) == [])
  }
}

extension SourceMachine.Effect {
  fileprivate var move: PointerMove? { if case .movePointer(let move, _) = self { move } else { nil } }
}
