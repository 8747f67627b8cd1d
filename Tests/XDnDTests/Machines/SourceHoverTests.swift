import FuzzRuns
import Testing

@testable import XDnD

/// What happens while the button is down.
@Suite struct SourceHoverTests {
  @Test func `one Position is outstanding at most, and the newest wins`() {
    var run = SourceRun.makeAwaitingStatus()
    for x in 11...50 {
      #expect(run.move(x, time: UInt32(1000 + x)) == [.locateTarget(at: Point(x: x, y: 0))])
      #expect(run.locate(run.peer) == [])
    }
    #expect(
      run(run.peer.accept(.copy)) == [
        .showCursor(for: .copy), .proposed(.copy), run.sends(run.position(50, time: 1050)),
      ])
    #expect(run(run.peer.accept(.copy)) == [])
  }

  @Test func `a pointer that has not moved is not reported again`() {
    var run = SourceRun.makeHovering()
    _ = run.move(10, time: 1150)
    #expect(run.locate(run.peer) == [])
  }

  @Test func `modifiers change the request without motion`() {
    var run = SourceRun.makeHovering()
    #expect(
      run(.modifiersChanged(run.sample(10, time: 1150, keys: [.shift]))) == [.locateTarget(at: Point(x: 10, y: 0))])
    #expect(run.locate(run.peer) == [run.sends(run.position(10, time: 1150, asking: .move))])
  }

  @Test func `a silence rectangle is honoured, up to its edge`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run(run.peer.accept(.copy, quietIn: Rect(x: 0, y: 0, width: 100, height: 10)))
    _ = run.move(99)
    #expect(run.locate(run.peer) == [])
    _ = run.move(100)
    #expect(run.locate(run.peer) == [run.sends(run.position(100))])
  }

  @Test func `a silence rectangle is no silence for another operation`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run(run.peer.accept(.copy, quietIn: Rect(x: 0, y: 0, width: 100, height: 10)))
    _ = run(.modifiersChanged(run.sample(10, keys: [.shift])))
    #expect(run.locate(run.peer) == [run.sends(run.position(10, asking: .move))])
  }

  @Test func `an empty rectangle is no silence`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run(run.peer.accept(.copy, quietIn: Rect(x: 0, y: 0, width: 0, height: 0)))
    _ = run.move(11)
    #expect(run.locate(run.peer) == [run.sends(run.position(11))])
  }

  @Test func `a target that changes its mind by itself is believed`() {
    var run = SourceRun.makeHovering()
    #expect(run(run.peer.refuse()) == [.showCursor(for: nil), .proposed(nil)])
    #expect(run(run.peer.accept(.move)) == [.showCursor(for: .move), .proposed(.move)])
  }

  @Test func `another target means Leave, then Enter, and a fresh start`() {
    var run = SourceRun.makeHovering()
    _ = run.move(500)
    #expect(
      run.locate(run.other) == [
        run.sends(run.leave), .unwatch(run.peer.window), .watch(run.other.window),
        run.sends(SourcePeer(0x200).enter(), to: run.other), .targetChanged(run.other.window), .showPlainCursor,
        .proposed(nil), run.sends(run.position(500), to: run.other),
      ])
  }

  @Test func `no target means Leave`() {
    var run = SourceRun.makeHovering()
    _ = run.move(500)
    #expect(
      run.locate(nil) == [
        run.sends(run.leave), .unwatch(run.peer.window), .targetChanged(nil), .showCursor(for: nil), .proposed(nil),
      ])
  }

  @Test func `a late Status of a target that was left changes nothing, and a second one is not due`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run.move(500)
    _ = run.locate(run.other)
    #expect(run(run.peer.accept(.move)) == [])
    let before = run.machine
    #expect(run(run.peer.accept(.move)) == [.ignored(.foreignTarget(.status, target: run.peer.window))])
    #expect(run.machine == before)
  }

  // MARK: Answers to earlier visits

  /// Over the target for the second time; the Statuses to both visits are due.
  private func makeReturning() -> SourceRun {
    var run = SourceRun.makeAwaitingStatus()
    _ = run.move(500)
    _ = run.locate(nil)
    _ = run.move(11)
    #expect(run.locate(run.peer).messages.map(\.kind) == [.enter, .position])
    return run
  }

  @Test func `a Status to an earlier visit does not accept the drop of the present one`() {
    var run = makeReturning()
    #expect(run(run.peer.accept(.copy)) == [])
    _ = run.release(11)
    #expect(run.locate(run.peer) == [])
    #expect(run(run.peer.refuse()).outcomes == [.refused])
  }

  @Test func `a Status to an earlier visit does not refuse the drop of the present one`() {
    var run = makeReturning()
    #expect(run(run.peer.refuse()) == [])
    #expect(run(run.peer.accept(.copy)) == [.showCursor(for: .copy), .proposed(.copy)])
    #expect(run.machine.nextDeadline == nil)
  }

  @Test func `a target that never answers the earlier visit is asked again`() {
    var run = makeReturning()
    #expect(run(run.peer.accept(.copy)) == [])
    _ = run.move(12, time: 1120)
    _ = run.locate(run.peer)
    #expect(run.machine.nextDeadline == run.now + .milliseconds(200))
    #expect(run.reachDeadline() == [run.sends(run.position(12, time: 1120))])
    #expect(run(run.peer.accept(.copy)) == [.showCursor(for: .copy), .proposed(.copy)])
  }

  @Test func `an answer of which nothing came for five seconds is not waited for`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run.move(500)
    _ = run.locate(nil)
    run.wait(.seconds(5))
    _ = run.move(11)
    _ = run.locate(run.peer)
    #expect(run(run.peer.accept(.copy)) == [.showCursor(for: .copy), .proposed(.copy)])
  }

  @Test func `a Status over no target is ignored`() {
    var run = SourceRun.makeDragging()
    #expect(run(run.peer.accept(.move)) == [.ignored(.foreignTarget(.status, target: run.peer.window))])
  }

  @Test func `windows that change under a resting pointer are looked at`() {
    var run = SourceRun.makeHovering()
    #expect(run(.stackingChanged) == [.locateTarget(at: Point(x: 10, y: 0))])
    #expect(run.locate(run.other).messages.first == run.leave)
  }

  @Test func `a proxy may answer with its own id or with that of the window it stands for`() {
    for answering in [TargetPeer(0x100), TargetPeer(0x900)] {
      var run = SourceRun.makeDragging()
      let target = DropTarget(
        window: WindowID(rawValue: 0x100), destination: WindowID(rawValue: 0x900), version: .v5)
      _ = run.move(10)
      #expect(run(.located(target)).contains(.send(run.position(10), to: target)))
      #expect(run(answering.accept(.copy)) == [.showCursor(for: .copy), .proposed(.copy)])
      _ = run.release(10)
      #expect(run(.located(target)).contains(.dropSent(.copy)))
      #expect(run.machine.awaitsFinished(from: answering.window))
      #expect(run(answering.finished(.copy)).outcomes == [.dropped(.copy)])
    }
  }

  // MARK: What the target accepts

  @Test func `an operation that was not offered never becomes Move, it is read as Copy`() {
    var run = SourceRun.makeAwaitingStatus(operations: [.copy])
    #expect(
      run(run.peer.accept(.move)) == [
        .ignored(.operationNotOffered(.move, target: run.peer.window)), .showCursor(for: .copy), .proposed(.copy),
      ])
  }

  @Test func `an operation that was not offered is a refusal when Copy was not offered either`() {
    var run = SourceRun.makeAwaitingStatus(operations: [.link])
    #expect(
      run(run.peer.accept(.move)) == [
        .ignored(.operationNotOffered(.move, target: run.peer.window)), .proposed(nil), .showCursor(for: nil),
      ])
    #expect(run(run.peer.accept(nil)) == [])
  }

  @Test(arguments: [DragOperation.move, .link])
  func `Copy is taken where only something else was offered: FLTK and SDL 2 know no other word`(
    _ offered: DragOperation
  ) {
    var run = SourceRun.makeAwaitingStatus(operations: [offered])
    #expect(
      run(run.peer.accept(.copy)) == [
        .ignored(.operationNotOffered(.copy, target: run.peer.window)), .showCursor(for: .copy), .proposed(.copy),
      ])
    _ = run.release(10)
    #expect(run.locate(run.peer).contains(.dropSent(.copy)))
  }

  @Test func `an acceptance that names nothing is read as Copy`() {
    var run = SourceRun.makeAwaitingStatus()
    #expect(run(run.peer.accept(nil)) == [.showCursor(for: .copy), .proposed(.copy)])
  }

  @Test func `Private is taken though it was not offered, as Emacs needs it`() {
    var run = SourceRun.makeAwaitingStatus()
    #expect(run(run.peer.accept(.private)) == [.showCursor(for: .private), .proposed(.private)])
  }

  // MARK: Out of turn

  @Test func `Finished before Drop is ignored, as often as pcmanfm sends it`() {
    var run = SourceRun.makeHovering()
    let before = run.machine
    for _ in 0..<5 {
      #expect(run(run.peer.finished(.copy)) == [.ignored(.finishedBeforeDrop(target: run.peer.window))])
    }
    #expect(run.machine == before)
  }

  @Test func `messages that only targets receive are ignored`() {
    for run in [SourceRun.makeHovering(), .makeDropped()] {
      var run = run
      let before = run.machine
      let stranger = SourcePeer(0x700)
      #expect(run(stranger.enter()) == [.ignored(.misdirected(.enter))])
      #expect(run(stranger.position()) == [.ignored(.misdirected(.position))])
      #expect(run(stranger.leave()) == [.ignored(.misdirected(.leave))])
      #expect(run(stranger.drop()) == [.ignored(.misdirected(.drop))])
      #expect(run.machine == before)
    }
  }

  @Test func `a target that dies is forgotten, and what lies below it is looked for`() {
    var run = SourceRun.makeHovering()
    #expect(
      run(.windowVanished(run.peer.window)) == [
        .unwatch(run.peer.window), .targetChanged(nil), .showCursor(for: nil), .proposed(nil),
        .locateTarget(at: Point(x: 10, y: 0)),
      ])
    #expect(run(.windowVanished(run.peer.window)) == [])
  }

  @Test func `another window's death is nothing in any state`() {
    for (name, run) in SourceRun.makeAll() {
      var run = run
      let before = run.machine
      #expect(run(.windowVanished(WindowID(rawValue: 0x999))) == [], "\(name)")
      #expect(run.machine == before, "\(name)")
    }
  }

  @Test func `a first refusal is told, though the cursor says so already, and a second one is not`() {
    var run = SourceRun.makeAwaitingStatus()
    #expect(run(run.peer.refuse()).contains(.proposed(nil)))
    #expect(!run(run.peer.refuse()).contains(.proposed(nil)))
  }
}
