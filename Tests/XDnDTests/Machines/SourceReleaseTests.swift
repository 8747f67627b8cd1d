import FuzzRuns
import Testing

@testable import XDnD

/// From the release of the button to the Drop.
@Suite struct SourceReleaseTests {
  @Test func `pointer and keyboard are let go before the Drop, which carries the time of the release`() {
    var run = SourceRun.makeHovering()
    #expect(
      run.release(10, time: 0x1234) == [
        .ungrab(at: Timestamp(rawValue: 0x1234)), .locateTarget(at: Point(x: 10, y: 0)),
      ])
    #expect(run.locate(run.peer) == [run.sends(SourcePeer(0x200).drop(time: 0x1234)), .dropSent(.copy)])
    #expect(!run.machine.isHeld)
  }

  @Test func `a release waits for the Status that is due`() {
    var run = SourceRun.makeReleasing()
    #expect(
      run(run.peer.accept(.copy)) == [
        .proposed(.copy), run.sends(SourcePeer(0x200).drop(time: 1200)), .dropSent(.copy),
      ])
  }

  @Test func `a release elsewhere or with other keys asks once more before the Drop`() {
    for (x, modifiers, operation) in [(11, [], .copy), (10, [.shift], .move)] as [(Int, Modifiers, DragOperation)] {
      var run = SourceRun.makeHovering()
      _ = run.release(x, keys: modifiers)
      #expect(run.locate(run.peer) == [run.sends(run.position(x, time: 1200, asking: operation))])
      #expect(run(run.peer.accept(operation)).last == .dropSent(operation))
    }
  }

  @Test func `a release within a silence rectangle needs no more asking`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run(run.peer.accept(.copy, quietIn: Rect(x: 0, y: 0, width: 100, height: 10)))
    _ = run.release(90)
    #expect(run.locate(run.peer).last == .dropSent(.copy))
  }

  @Test func `a release waits for a bounded time, then the target is left`() {
    var run = SourceRun.makeReleasing()
    #expect(run.machine.nextDeadline == run.now + .seconds(5))
    _ = run.move(400)
    #expect(run.reachDeadline() == [run.sends(run.leave), .unwatch(run.peer.window), .ended(.timedOut)])
    #expect(run.machine.nextDeadline == nil)
  }

  @Test func `asking once more after the release does not prolong the wait`() {
    var run = SourceRun.makeReleasing()
    let deadline = run.machine.nextDeadline
    run.wait(.seconds(4))
    var moved = SourceRun.makeAwaitingStatus()
    _ = moved.release(11)
    _ = moved.locate(moved.peer)
    moved.wait(.seconds(4))
    #expect(moved(moved.peer.accept(.copy)).messages.count == 1)
    #expect(moved.machine.nextDeadline == deadline)
  }

  @Test func `a release over a target that refuses is a Leave`() {
    var run = SourceRun.makeAwaitingStatus()
    _ = run(run.peer.refuse())
    _ = run.release(10)
    #expect(run.locate(run.peer) == [run.sends(run.leave), .unwatch(run.peer.window), .ended(.refused)])
  }

  @Test func `a release over nothing ends without a word to anybody`() {
    var run = SourceRun.makeDragging()
    _ = run.release(500)
    #expect(run.locate(nil) == [.ended(.noTarget)])
  }

  @Test func `a release over another target enters that one first`() {
    var run = SourceRun.makeHovering()
    _ = run.release(500)
    #expect(run.locate(run.other).messages.count == 3)
    #expect(run(run.peer.accept(.copy)) == [.ignored(.foreignTarget(.status, target: run.peer.window))])
    #expect(run(run.other.accept(.copy)).last == .dropSent(.copy))
  }

  @Test func `what the user does after the release is not about this drag`() {
    var run = SourceRun.makeReleasing()
    let before = run.machine
    #expect(run.move(600) == [])
    #expect(run(.modifiersChanged(run.sample(10, keys: [.shift]))) == [])
    #expect(run(.stackingChanged) == [])
    #expect(run.release(700) == [])
    #expect(run.machine == before)
  }

  @Test func `a target that dies while its Status is due ends the drag`() {
    var run = SourceRun.makeReleasing()
    let effects = run(.windowVanished(run.peer.window))
    #expect(effects.contains(.unwatch(run.peer.window)))
    #expect(effects.outcomes == [.targetVanished])
    #expect(effects.messages == [])
  }

  @Test func `the cursor is not ours any more after the release`() {
    var run = SourceRun.makeReleasing()
    let changesCursor = run(run.peer.accept(.copy)).contains {
      if case .showCursor = $0 { true } else { false }
    }
    #expect(!changesCursor)
  }

  // MARK: Cancelling

  @Test(arguments: [DragOutcome.Cancellation.escape, .grabLost, .selectionLost, .application, .delivery])
  func `a drag that is cancelled lets go, leaves, and ends`(reason: DragOutcome.Cancellation) {
    var run = SourceRun.makeHovering()
    #expect(
      run(.cancel(reason)) == [
        .ungrab(at: Timestamp(rawValue: 1100)), run.sends(run.leave), .unwatch(run.peer.window),
        .ended(.cancelled(reason)),
      ])
    #expect(run(.cancel(reason)) == [])
  }

  @Test func `a cancelled release lets nothing go twice`() {
    var run = SourceRun.makeReleasing()
    #expect(
      run(.cancel(.selectionLost)) == [
        run.sends(run.leave), .unwatch(run.peer.window), .ended(.cancelled(.selectionLost)),
      ])
  }

  @Test func `every state but the last can be cancelled, and ends once`() {
    for (name, run) in SourceRun.makeAll() {
      var run = run
      let first = run(.cancel(.application))
      let second = run(.cancel(.application)) + run(.serverLost)
      #expect(first.outcomes == (name == "ended" ? [] : [.cancelled(.application)]), "\(name)")
      #expect(second == [], "\(name)")
      #expect(run.machine.nextDeadline == nil, "\(name)")
    }
  }

  @Test func `the loss of the server ends every state once`() {
    for (name, run) in SourceRun.makeAll() {
      var run = run
      #expect(run(.serverLost).outcomes == (name == "ended" ? [] : [.serverLost]), "\(name)")
      #expect(run(.serverLost) == [], "\(name)")
    }
  }
}
