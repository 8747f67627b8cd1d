import FuzzRuns
import Testing

@testable import XDnD

/// Exactly one Finished for each Drop, whatever happens.
@Suite struct TargetDropTests {
  @Test func `a drop that was agreed on is performed and finished`() {
    var run = TargetRun.make(.accepted)
    #expect(run(run.source.drop(time: 4711)) == [run.dropped(.move, time: 4711)])
    #expect(run.finish(.copy) == [run.finished(.copy)] + run.ends(.finished(.copy)))
    #expect(run.machine.nextDeadline == nil)
    #expect(run.finish(.copy) == [])
  }

  @Test func `an application that rejects the data says so to the source`() {
    var run = TargetRun.make(.performing)
    #expect(run.finish(nil) == [run.failed()] + run.ends(.rejected))
  }

  @Test func `Finished goes out in the version of the session, and below 5 it is all zeros`() {
    var run = TargetRun()
    _ = run(run.source.enter(version: 4))
    _ = run.offered()
    _ = run(run.source.position())
    #expect(run.propose(.copy) == [run.status(.copy, version: .v4)])
    _ = run(run.source.drop())
    let effects = run.finish(.copy)
    #expect(effects.first == run.finished(.copy, version: .v4))
    guard case .send(let message, _, let version) = effects.first else { return }
    #expect(message.words(version: version, atom: AtomTable.common.atom).array == [0x100, 0, 0, 0, 0])
  }

  @Test func `a window has only so many unfinished drops, and takes another when one has ended`() {
    var run = TargetRun()
    func drop() -> [TargetRun.Effect] {
      _ = run(run.source.enter())
      _ = run.offered()
      _ = run(run.source.position())
      _ = run.propose(.copy)
      return run(run.source.drop())
    }
    for _ in 0..<TargetMachine.dropLimit { #expect(drop() == [run.dropped(.copy)]) }
    let last = run.session
    #expect(
      drop() == [
        .ignored(.beyondLimit(.maximumDropCount, peer: run.source.window)), run.failed(), .unwatch(run.source.window),
        .exited(run.session, .refused),
      ])
    _ = run(.finish(last, nil))
    #expect(drop().first != run.dropped(.copy))
    _ = run(.windowVanished(run.source.window))
    #expect(drop() == [run.dropped(.copy)])
  }

  @Test func `a Drop while the lists are read waits for them and for the answer`() {
    var run = TargetRun.make(.readingWithPosition)
    #expect(run(run.source.drop()) == [])
    #expect(run.offered().finishedCount(to: run.source) == 0)
    let effects = run.propose(.copy)
    #expect(effects.first == run.status(.copy))
    #expect(effects.last == run.dropped(.copy))
  }

  @Test func `a Drop while an answer is being found waits for it`() {
    var run = TargetRun.make(.proposing)
    #expect(run(run.source.drop()) == [])
    #expect(
      run.propose(nil) == [
        run.status(nil), .ignored(.dropWithoutAcceptance(source: run.source.window)), run.failed(),
        .unwatch(run.source.window), .exited(run.session, .refused),
      ])
  }

  @Test func `what a source says of its position after it has dropped changes nothing`() {
    for stage in [TargetRun.Stage.readingWithDrop, .proposingWithDrop] {
      var run = TargetRun.make(stage)
      #expect(run(run.source.position(500, 500)) == [], "\(stage)")
      if stage == .readingWithDrop { _ = run.offered() }
      #expect(run.propose(.copy).last == run.dropped(.copy), "\(stage)")
    }
  }

  @Test func `a Drop without an accepting Status is refused, as FLTK needs it`() {
    for stage in [TargetRun.Stage.hovering, .refused] {
      var run = TargetRun.make(stage)
      if stage == .hovering {
        _ = run(run.source.leave())
        _ = run(run.source.enter())
        _ = run.offered()
      }
      #expect(
        run(run.source.drop()) == [
          .ignored(.dropWithoutAcceptance(source: run.source.window)), run.failed(), .unwatch(run.source.window),
          .exited(run.session, .refused),
        ], "\(stage)")
    }
  }

  @Test func `a Drop without Enter is refused`() {
    var run = TargetRun()
    #expect(run(run.source.drop()) == [.ignored(.notEntered(.drop, source: run.source.window)), run.failed()])
  }

  @Test func `a Drop of a foreign source is refused and disturbs nobody`() {
    for stage in TargetRun.Stage.allCases where stage.hasVisit {
      var run = TargetRun.make(stage)
      let before = run.machine
      #expect(
        run(run.rival.drop()) == [
          .ignored(.foreignSource(.drop, source: run.rival.window)), run.failed(to: run.rival),
        ], "\(stage)")
      #expect(run.machine == before, "\(stage)")
    }
  }

  @Test func `each of two Drops in one visit gets its own Finished`() {
    for stage in TargetRun.Stage.allCases where stage != .outside {
      var run = TargetRun.make(stage)
      var effects = run(run.source.drop())
      effects += run(run.source.drop())
      effects += run.offered()
      effects += run.propose(.copy)
      effects += run.finish(.copy)
      effects += run(.deletionAnswered(run.session))
      #expect(effects.finishedCount(to: run.source) == (stage.owesFinished ? 3 : 2), "\(stage)")
      #expect(run.machine.nextDeadline == nil, "\(stage)")
    }
  }

  // MARK: A drop that takes long

  @Test func `a source that is kept waiting is asked for something every ten seconds, until the drop is finished`() {
    var run = TargetRun.make(.performing)
    let start = run.now
    #expect(run(.working(run.session)) == [])
    for seconds in [10, 20] {
      #expect(run.reachDeadline() == [.renewLease(run.session)])
      #expect(run.now == start + .seconds(seconds))
    }
    #expect(run.finish(.copy) == [run.finished(.copy)] + run.ends(.finished(.copy)))
    #expect(run.machine.nextDeadline == nil)
  }

  @Test func `a source that serves data need not be asked`() {
    var run = TargetRun.make(.performing)
    _ = run(.working(run.session))
    run.wait(.seconds(9))
    #expect(run(.progressed(run.session)) == [])
    #expect(run.machine.nextDeadline == run.now + .seconds(10))
    #expect(run.reachDeadline() == [.renewLease(run.session)])
  }

  @Test func `a source that has heard nothing for long is asked as soon as the user is`() {
    var run = TargetRun.make(.performing)
    run.wait(.seconds(25))
    #expect(run(.askingUser(run.session)) == [])
    #expect(run(.deadlineReached) == [.renewLease(run.session)])
    #expect(run(.deadlineReached) == [])
  }

  @Test func `work that takes too long is rejected as ever`() {
    var run = TargetRun.make(.performing)
    let start = run.now
    _ = run(.working(run.session))
    #expect(run.reachDeadline() + run.reachDeadline() == [.renewLease(run.session), .renewLease(run.session)])
    #expect(run.reachDeadline() == [run.failed()] + run.ends(.timedOut))
    #expect(run.now == start + .seconds(30))
  }

  @Test func `a source is asked only while it is kept waiting, not while it deletes, and not after the end`() {
    var run = TargetRun.make(.performing)
    #expect(run.machine.nextDeadline == run.now + .seconds(30))
    _ = run(.working(run.session))
    #expect(run.finish(.move) == [.requestDeletion(run.session)])
    run.wait(.seconds(1))
    let before = run.machine
    #expect(run(.working(run.session)) + run(.progressed(run.session)) == [])
    #expect(run.machine == before)
    #expect(run.reachDeadline() == [run.finished(.move)] + run.ends(.finished(.move)))
    #expect(run(.working(run.session)) == [])
    #expect(run.machine.nextDeadline == nil)
  }

  // MARK: A Drop that is still waiting when something else happens

  enum Interruption: CaseIterable {
    case leave, enterAgain, rivalEnters, unregister, time
  }

  @Test(arguments: Interruption.allCases)
  func `a Drop is answered exactly once though the visit is cut short`(interruption: Interruption) {
    for stage in TargetRun.Stage.allCases where stage.owesFinished {
      var run = TargetRun.make(stage)
      let session = run.session
      var effects: [TargetMachine.Effect] = []
      switch interruption {
      case .leave: effects += run(run.source.leave())
      case .enterAgain: effects += run(run.source.enter())
      case .rivalEnters: effects += run(run.rival.enter())
      case .unregister: effects += run(.unregister)
      case .time: effects += run.reachDeadline()
      }
      effects += run(.finish(session, .copy))
      effects += run(.deletionAnswered(session))
      effects += run(.windowVanished(run.source.window))
      #expect(effects.finishedCount(to: run.source) == 1, "\(stage)")
    }
  }

  @Test func `a Drop that waits for its answer survives the loss of the selection`() {
    var run = TargetRun.make(.proposingWithDrop)
    #expect(run(.selectionReleased) == [])
    #expect(run.propose(.copy).count == 2)
    #expect(run.finish(.copy).finishedCount(to: run.source) == 1)
  }

  @Test func `two drops are performed at once while a third drag hovers`() {
    var run = TargetRun.make(.performing)
    let first = run.session
    let others = [SourcePeer(0x300), SourcePeer(0x400)]
    for peer in others {
      _ = run(peer.enter())
      _ = run.offered()
      _ = run(peer.position())
      #expect(run.propose(.copy) == [run.status(.copy, to: peer)])
      if peer.window == others[0].window { _ = run(peer.drop()) }
    }
    let second = SessionID(rawValue: first.rawValue + 1)
    #expect(run(.finish(first, .copy)).first == run.finished(.copy))
    #expect(run(.finish(second, nil)).first == run.failed(to: others[0]))
    #expect(run(others[1].position()).count == 1)
  }

  @Test func `a source's drops are answered in order, because a Finished does not say which one it is about`() {
    var run = TargetRun.make(.performing)
    let first = run.session
    let second = SessionID(rawValue: first.rawValue + 1)
    _ = run(run.source.enter())
    _ = run.offered()
    _ = run(run.source.position())
    _ = run.propose(.copy)
    _ = run(run.source.drop())
    #expect(run(.finish(second, .copy)) == [.ended(second, .finished(.copy))])
    #expect(run(.finish(second, nil)) == [])
    let rest = run(.finish(first, nil))
    #expect(rest.first == run.failed(to: run.source))
    #expect(rest.suffix(3) == [run.finished(.copy), .unwatch(run.source.window), .answered(second)])
    #expect(rest.watchBalance == -2)
    #expect(run.machine.nextDeadline == nil)
  }

  @Test(arguments: [true, false])
  func `drops that wait for an earlier one of their source end with it once, if the source or the window goes`(
    isSource: Bool
  ) {
    var run = TargetRun.make(.performing)
    let first = run.session
    for number in 1...3 {
      _ = run(run.source.enter())
      _ = run.offered()
      _ = run(run.source.position())
      _ = run.propose(.copy)
      _ = run(run.source.drop())
      let session = SessionID(rawValue: first.rawValue + number)
      #expect(run(.finish(session, .copy)) == [.ended(session, .finished(.copy))])
    }
    let effects = run(isSource ? .windowVanished(run.source.window) : .unregister)
    #expect(effects.watchBalance == -4)
    #expect(effects.finishedCount(to: run.source) == (isSource ? 0 : 4))
    #expect(run.machine.nextDeadline == nil)
  }

  @Test func `one source's death ends its drop and its next visit, and no other's`() {
    var run = TargetRun.make(.performing)
    _ = run(run.source.enter())
    _ = run.offered()
    let effects = run(.windowVanished(run.source.window))
    #expect(effects.watchBalance == -2)
    #expect(run.machine.nextDeadline == nil)
  }
}
