import FuzzRuns
import Testing

@testable import XDnD

/// From Drop to the end.
@Suite struct SourceDroppedTests {
  func ends(_ outcome: DragOutcome, _ run: SourceRun) -> [SourceMachine.Effect] {
    [.unwatch(run.peer.window), .ended(outcome)]
  }

  @Test func `Finished says what was done`() {
    for operation in [DragOperation.copy, .move] {
      var run = SourceRun.makeDropped(operation)
      #expect(run(run.peer.finished(operation)) == ends(.dropped(operation), run))
      #expect(run(run.peer.finished(operation)) == [])
    }
  }

  @Test func `Finished may say another operation that was offered, for example after asking`() {
    var run = SourceRun.makeDropped(.ask, operations: [.ask, .copy, .move])
    #expect(run(run.peer.finished(.move)) == ends(.dropped(.move), run))
  }

  @Test func `Finished with an operation that was not offered never becomes Move`() {
    var copy = SourceRun.makeDropped(operations: [.copy])
    let violation = SourceMachine.Effect.ignored(.operationNotOffered(.move, target: copy.peer.window))
    #expect(copy(copy.peer.finished(.move)) == [violation] + ends(.dropped(.copy), copy))
    var move = SourceRun.makeDropped(.move)
    #expect(move(move.peer.finished(.link)).outcomes == [.dropped(.copy)])
  }

  @Test func `a copy in place of a move that was offered alone is reported as one, and nothing is deleted`() {
    for (version, outcome) in [(ProtocolVersion.v5, DragOutcome.dropped(.copy)), (.v4, .unconfirmed(.copy))] {
      var run = SourceRun.makeDropped(.copy, operations: [.move], version: version)
      #expect(run(run.peer.finished(.copy)) == ends(outcome, run))
    }
  }

  @Test func `a target that has agreed to copy has not moved, though Finished says so`() {
    var run = SourceRun.makeDropped(.copy, operations: [.move])
    #expect(run(run.peer.finished(.move)) == ends(.dropped(.copy), run))
  }

  @Test func `a move that Finished does not name has not happened: nothing is deleted`() {
    var run = SourceRun.makeDropped(.move)
    #expect(run(run.peer.finished(nil)) == ends(.dropped(.copy), run))
  }

  @Test func `Finished that names nothing confirms anything but a move`() {
    for operation in [DragOperation.copy, .ask, .private] {
      var run = SourceRun.makeDropped(operation, operations: [.copy, .ask])
      #expect(run(run.peer.finished(nil)).outcomes == [.dropped(operation)])
    }
  }

  @Test func `a move whose data could not be delivered has not happened, whatever Finished says`() {
    var run = SourceRun.makeDropped(.move)
    _ = run(.transferFailed)
    #expect(run(run.peer.finished(.move)) == ends(.dropped(.copy), run))
  }

  @Test func `Private is no mistake`() {
    var run = SourceRun.makeDropped(.private)
    #expect(run(run.peer.finished(.private)) == ends(.dropped(.private), run))
  }

  @Test func `a refusal after the drop is a refusal`() {
    var run = SourceRun.makeDropped()
    #expect(run(run.peer.failed()) == ends(.refused, run))
  }

  @Test func `a refusal after data that could not be delivered is our own failure`() {
    var run = SourceRun.makeDropped()
    #expect(run(.transferFailed) == [])
    #expect(run(run.peer.failed()) == ends(.transferFailed, run))
  }

  @Test func `a refusal after the target has asked the user is a refusal, whatever it has received`() {
    var run = SourceRun.makeDropped(.ask, operations: [.ask, .copy])
    _ = run(.contentDelivered)
    #expect(run(run.peer.failed()) == ends(.refused, run))
  }

  @Test(arguments: [DragOperation.copy, .move])
  func `a refusal by a target that has received content is a delivery, and no move`(operation: DragOperation) {
    var run = SourceRun.makeDropped(operation, operations: [.copy, .move, .ask])
    #expect(run(.contentDelivered) == [])
    #expect(run(run.peer.failed()) == ends(.delivered, run))
  }

  @Test func `of several types that a target has requested, the last one counts`() {
    var served = SourceRun.makeDropped()
    _ = served(.transferFailed)
    _ = served(.contentDelivered)
    #expect(served(served.peer.failed()) == ends(.delivered, served))
    var unserved = SourceRun.makeDropped()
    _ = unserved(.contentDelivered)
    _ = unserved(.transferFailed)
    #expect(unserved(unserved.peer.failed()) == ends(.transferFailed, unserved))
  }

  @Test func `content that was delivered while hovering is none of the drop`() {
    var run = SourceRun.makeHovering()
    #expect(run(.contentDelivered) == [])
    _ = run.release(10)
    _ = run.locate(run.peer)
    #expect(run(run.peer.failed()) == ends(.refused, run))
  }

  @Test func `a refusal of a file that was saved, or that could not be saved, is neither`() {
    var saved = SourceRun.makeDropped()
    _ = saved(.savedDirectly)
    _ = saved(.contentDelivered)
    #expect(saved(saved.peer.failed()) == ends(.dropped(.copy), saved))
    var fetched = SourceRun.makeDropped()
    _ = fetched(.directSaveFailed)
    _ = fetched(.contentDelivered)
    #expect(fetched(fetched.peer.failed()) == ends(.delivered, fetched))
  }

  @Test(arguments: [ProtocolVersion.v3, .v4])
  func `below version 5 nothing is confirmed, whatever the words say`(version: ProtocolVersion) {
    for answer in [TargetPeer(0x100).finished(.move), TargetPeer(0x100).failed()] {
      var run = SourceRun.makeDropped(.move, version: version)
      #expect(run(answer) == ends(.unconfirmed(.move), run))
    }
  }

  @Test func `Finished of a foreign window is ignored`() {
    var run = SourceRun.makeDropped()
    #expect(run(run.other.finished(.copy)) == [.ignored(.foreignTarget(.finished, target: run.other.window))])
    #expect(!run.machine.awaitsFinished(from: run.other.window))
    #expect(run.machine.awaitsFinished(from: run.peer.window))
  }

  @Test func `a Status after the Drop changes nothing`() {
    var run = SourceRun.makeDropped()
    #expect(run(run.peer.refuse()) == [.ignored(.statusAfterDrop(target: run.peer.window))])
    #expect(run(run.peer.finished(.copy)).outcomes == [.dropped(.copy)])
  }

  @Test func `a target that dies before it has finished took nothing that we know of`() {
    var run = SourceRun.makeDropped()
    #expect(run(.windowVanished(run.peer.window)) == ends(.targetVanished, run))
  }

  // MARK: The lease

  @Test func `a target that says nothing times out`() {
    var run = SourceRun.makeDropped()
    #expect(run.machine.nextDeadline == run.now + .seconds(30))
    #expect(run.reachDeadline() == ends(.timedOut, run))
  }

  @Test func `a target that fetches data renews its lease`() {
    var run = SourceRun.makeDropped()
    for _ in 0..<10 {
      run.wait(.seconds(29))
      #expect(run(.transferProgressed) == [])
      #expect(run(.deadlineReached) == [])
    }
    #expect(run.reachDeadline() == ends(.timedOut, run))
  }

  @Test func `silence after data that could not be delivered is our own failure`() {
    var run = SourceRun.makeDropped()
    _ = run(.transferFailed)
    #expect(run.reachDeadline() == ends(.transferFailed, run))
  }

  @Test func `data that could not be delivered while hovering says nothing of the drop`() {
    var run = SourceRun.makeHovering()
    #expect(run(.transferFailed) == [])
    #expect(run(.transferProgressed) == [])
    _ = run.release(10)
    _ = run.locate(run.peer)
    #expect(run(run.peer.failed()) == ends(.refused, run))
  }

  @Test func `the user cannot take a drop back, the application can stop waiting`() {
    for reason in [DragOutcome.Cancellation.escape, .grabLost, .selectionLost] {
      var run = SourceRun.makeDropped()
      #expect(run(.cancel(reason)) == [])
    }
    for reason in [DragOutcome.Cancellation.application, .delivery] {
      var run = SourceRun.makeDropped()
      #expect(run(.cancel(reason)) == ends(.cancelled(reason), run))
    }
  }

  @Test func `a message after the end changes nothing`() {
    var run = SourceRun.makeDropped()
    _ = run(run.peer.finished(.copy))
    let before = run.machine
    #expect(run(run.peer.accept(.copy)) == [.ignored(.foreignTarget(.status, target: run.peer.window))])
    #expect(run(run.peer.failed()) == [])
    #expect(run(.windowVanished(run.peer.window)) == [])
    #expect(run.machine == before)
  }
}
