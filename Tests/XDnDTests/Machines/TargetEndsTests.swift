import FuzzRuns
import Testing

@testable import XDnD

/// Moves, time limits, and windows that take no more drops.
@Suite struct TargetEndsTests {
  @Test func `a move asks for deletion before it is finished, as ICCCM has it`() {
    var run = TargetRun.make(.performing)
    #expect(run.finish(.move) == [.requestDeletion(run.session)])
    #expect(run(.deletionAnswered(run.session)) == [run.finished(.move)] + run.ends(.finished(.move)))
    #expect(run(.deletionAnswered(run.session)) == [])
  }

  @Test func `a move is finished though the source does not answer the request to delete`() {
    var run = TargetRun.make(.deleting)
    #expect(run.machine.nextDeadline == run.now + .seconds(2))
    #expect(run.reachDeadline() == [run.finished(.move)] + run.ends(.finished(.move)))
  }

  @Test func `an application that has said it is done cannot change its mind`() {
    var run = TargetRun.make(.deleting)
    #expect(run.finish(nil) == [])
    #expect(run.finish(.copy) == [])
    #expect(run(.progressed(run.session)) == [])
  }

  @Test func `an answer to a request to delete that was never made is nothing`() {
    var run = TargetRun.make(.performing)
    #expect(run(.deletionAnswered(run.session)) == [])
    #expect(run.finish(.copy).finishedCount(to: run.source) == 1)
  }

  @Test func `an application that forgets a drop is spoken for`() {
    var run = TargetRun.make(.performing)
    #expect(run.machine.nextDeadline == run.now + .seconds(30))
    #expect(run.reachDeadline() == [run.failed()] + run.ends(.timedOut))
    #expect(run.finish(.copy) == [])
  }

  @Test func `data that arrives renews the time limit`() {
    var run = TargetRun.make(.performing)
    for _ in 0..<10 {
      run.wait(.seconds(29))
      #expect(run(.progressed(run.session)) == [])
      #expect(run(.deadlineReached) == [])
    }
    run.wait(.seconds(30))
    #expect(run(.deadlineReached).last == .ended(run.session, .timedOut))
  }

  @Test func `progress of a drop that is over is nothing`() {
    var run = TargetRun.make(.outside)
    #expect(run(.progressed(SessionID(rawValue: 1))) == [])
    #expect(run.finish(.copy) == [])
  }

  @Test func `a deadline that is not due does nothing in any state`() {
    for stage in TargetRun.Stage.allCases {
      var run = TargetRun.make(stage)
      let before = run.machine
      #expect(run(.deadlineReached) == [], "\(stage)")
      #expect(run.machine == before, "\(stage)")
    }
  }

  @Test func `a machine at rest has no deadline`() {
    #expect(TargetRun().machine.nextDeadline == nil)
  }

  // MARK: Unregistering

  @Test func `a window that takes no more drops answers everybody who waits`() {
    for stage in TargetRun.Stage.allCases {
      var run = TargetRun.make(stage)
      let effects = run(.unregister)
      let waitsForStatus: Set<TargetRun.Stage> = [.readingWithPosition, .proposing]
      #expect(effects.last == .unregistered, "\(stage)")
      #expect(effects.statusCount(to: run.source) == (waitsForStatus.contains(stage) ? 1 : 0), "\(stage)")
      #expect(effects.finishedCount(to: run.source) == (stage.owesFinished ? 1 : 0), "\(stage)")
      #expect(effects.watchBalance == (stage == .outside ? 0 : -1), "\(stage)")
      #expect(run.machine.nextDeadline == nil, "\(stage)")
    }
  }

  @Test func `content that was moved already is finished as moved when the window takes no more drops`() {
    var run = TargetRun.make(.deleting)
    #expect(run(.unregister) == [run.finished(.move)] + run.ends(.finished(.move)) + [.unregistered])
  }

  @Test func `several windows of one program share no session`() {
    var machine = TargetMachine(
      window: TargetRun.window, offer: DropOffer([.png]), firstSession: SessionID(rawValue: 7 << 32))
    _ = machine.receive(.message(SourcePeer(1).enter()), at: .zero)
    #expect(machine.state.lastSession == SessionID(rawValue: 7 << 32 + 1))
  }
}
