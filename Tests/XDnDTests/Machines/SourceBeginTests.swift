import FuzzRuns
import Testing

@testable import XDnD

/// How a drag begins, or does not.
@Suite struct SourceBeginTests {
  @Test func `the selection is claimed, then the offer published, then the pointer grabbed, then a target entered`() {
    var run = SourceRun()
    #expect(run(.begin) == [.claimSelection(at: SourceRun.pressed)])
    #expect(run(.claimed(true)) == [.publishOffer, .grab(at: SourceRun.pressed)])
    #expect(run(.grabbed(run.sample(3, 4), buttonIsDown: true)) == [.began, .locateTarget(at: Point(x: 3, y: 4))])
    #expect(
      run.locate(run.peer) == [
        .watch(run.peer.window), run.sends(SourcePeer(0x200).enter()), .targetChanged(run.peer.window),
        run.sends(run.position(3, 4)),
      ])
  }

  @Test func `a selection that cannot be had ends the drag before anything is grabbed`() {
    var run = SourceRun()
    _ = run(.begin)
    #expect(run(.claimed(false)) == [.ended(.cancelled(.selectionLost))])
  }

  @Test func `a grab that fails ends the drag, and nothing is let go that was not held`() {
    var run = SourceRun()
    run.begin()
    #expect(run(.grabFailed) == [.ended(.cancelled(.grabLost))])
  }

  @Test func `a grab that another client holds is requested again, and the host is told once`() {
    var run = SourceRun()
    run.begin()
    #expect(run(.grabRefused) == [.grabNeeded])
    #expect(run(.deadlineReached) == [])
    run.wait(.milliseconds(20))
    #expect(run(.deadlineReached) == [.grab(at: SourceRun.pressed)])
    #expect(run(.grabRefused) == [])
    run.wait(.milliseconds(20))
    #expect(run(.deadlineReached) == [.grab(at: SourceRun.pressed)])
    #expect(run(.grabbed(run.sample(0), buttonIsDown: true)).first == .began)
  }

  @Test func `a grab that another client keeps ends the drag after a second`() {
    var run = SourceRun()
    run.begin()
    var effects = run(.grabRefused)
    for _ in 0..<49 {
      run.wait(.milliseconds(20))
      effects += run(.deadlineReached)
      effects += run(.grabRefused)
    }
    #expect(effects.outcomes.isEmpty)
    run.wait(.milliseconds(20))
    #expect(run(.deadlineReached) == [.grab(at: SourceRun.pressed)])
    #expect(run(.grabRefused) == [.ended(.cancelled(.grabLost))])
  }

  @Test func `a drag that is cancelled between two requests lets nothing go`() {
    var run = SourceRun()
    run.begin()
    _ = run(.grabRefused)
    #expect(run(.cancel(.application)) == [.ended(.cancelled(.application))])
  }

  @Test func `a button that is up already makes it a click`() {
    var run = SourceRun()
    run.begin()
    #expect(
      run(.grabbed(run.sample(0, time: 1050), buttonIsDown: false)) == [
        .ungrab(at: Timestamp(rawValue: 1050)), .ended(.cancelled(.buttonReleased)),
      ])
  }

  @Test func `a drag that holds no button does not end because none is down`() {
    var run = SourceRun(button: nil)
    run.begin()
    #expect(run(.grabbed(run.sample(0), buttonIsDown: false)).first == .began)
  }

  @Test func `a drag that is cancelled before the grab is answered lets the grab go`() {
    var run = SourceRun()
    run.begin()
    #expect(run(.cancel(.application)) == [.ungrab(at: SourceRun.pressed), .ended(.cancelled(.application))])
    #expect(run(.grabbed(run.sample(0), buttonIsDown: true)) == [])
  }

  @Test func `a drag that is cancelled before the selection is answered grabs nothing`() {
    var run = SourceRun()
    _ = run(.begin)
    #expect(run(.cancel(.application)) == [.ended(.cancelled(.application))])
    #expect(run(.claimed(true)) == [])
  }

  @Test func `what the user did before the grab is answered belongs to no drag`() {
    var run = SourceRun()
    run.begin()
    #expect(run.move(5) == [])
    #expect(run.release(5) == [])
    #expect(run(.keyPressed(.cancel, run.sample(5))) == [])
    #expect(run(.grabbed(run.sample(3), buttonIsDown: true)).first == .began)
  }

  @Test func `a server that is lost before it answers ends the drag`() {
    for isClaimed in [false, true] {
      var run = SourceRun()
      _ = run(.begin)
      if isClaimed { _ = run(.claimed(true)) }
      #expect(run(.serverLost) == [.ended(.serverLost)])
      #expect(run(.claimed(true)) == [])
      #expect(run(.grabbed(run.sample(0), buttonIsDown: true)) == [])
    }
  }

  @Test func `a release from before the grab ends nothing, also when time has wrapped`() {
    for (pressed, stale) in [(1000, 999), (1000, 0xFFFF_FF00), (5, 0xFFFF_FFFF)] as [(UInt32, UInt32)] {
      var run = SourceRun()
      run.machine = SourceMachine(
        offer: .init(
          source: SourceRun.window, types: [AtomName("text/plain")], operations: [.copy], button: .primary,
          time: Timestamp(rawValue: pressed)))
      run.begin()
      _ = run(.grabbed(run.sample(0, time: pressed), buttonIsDown: true))
      #expect(run.release(0, time: stale) == [])
      #expect(run.release(0, time: pressed).count == 2)
    }
  }

  @Test func `other buttons end nothing`() {
    var run = SourceRun.makeHovering()
    #expect(run(.buttonReleased(PointerButton(rawValue: 3), run.sample(10, time: 1200))) == [])
    #expect(run.machine.isHeld)
  }

  @Test func `Enter offers three types at most and promises the list for more`() {
    let types = ["a/1", "a/2", "a/3", "a/4"]
    for count in 1...4 {
      var run = SourceRun.makeDragging(types: Array(types.prefix(count)))
      let expected = SourcePeer(0x200).enter(types: Array(types.prefix(min(count, 3))), hasTypeList: count > 3)
      #expect(run.locate(run.peer).contains(run.sends(expected)))
    }
  }

  @Test func `Enter states the version that both speak`() {
    var run = SourceRun.makeDragging()
    let target = run.target(version: .v3)
    #expect(run.locate(run.peer, version: .v3).contains(.send(SourcePeer(0x200).enter(version: 3), to: target)))
  }

  @Test func `a deadline does nothing in any state before it is due`() {
    for (name, run) in SourceRun.makeAll() {
      var run = run
      let before = run.machine
      #expect(run(.deadlineReached) == [], "\(name)")
      #expect(run.machine == before, "\(name)")
    }
  }

  @Test func `a drag begins once`() {
    for (name, run) in SourceRun.makeAll() where name != "ready" {
      var run = run
      #expect(run(.begin) == [], "\(name)")
    }
  }
}
