import FuzzRuns
import Testing

@testable import XDnD

/// What a drop would do depends on where it goes, and on the keys first of all.
@Suite struct SourceRelationTests {
  private func asked(_ relation: DragRelation, keys: Modifiers = [], policy: OperationPolicy = .standard)
    -> [DragOperation?]
  {
    var run = SourceRun.makeDragging(operations: [.link, .copy, .move], policy: policy)
    _ = run.move(10, keys: keys)
    return run.locate(run.peer, relation: relation).compactMap {
      if case .send(.position(let position), _) = $0 { position.operation } else { nil }
    }
  }

  @Test func `things are moved within a container, and copied to everywhere else`() {
    #expect(asked(.sameContainer) == [.move])
    #expect(asked(.sameApplication) == [.copy])
    #expect(asked(.otherApplication) == [.copy])
  }

  @Test(arguments: DragRelation.allCases) func `the keys win wherever it goes`(_ relation: DragRelation) {
    #expect(asked(relation, keys: [.shift]) == [.move])
    #expect(asked(relation, keys: [.control]) == [.copy])
    #expect(asked(relation, keys: [.control, .shift]) == [.link])
    // What is not offered cannot be asked for.
    #expect(asked(relation, keys: [.alt]) == asked(relation))
  }

  @Test(arguments: DragRelation.allCases) func `a policy can be replaced`(_ relation: DragRelation) {
    #expect(asked(relation, policy: .firstOffered) == [.link])
    let policy = OperationPolicy(sameContainer: [.ask, .link], sameApplication: [.move], otherApplication: [.private])
    #expect(asked(relation, policy: policy) == [relation == .sameApplication ? .move : .link])
  }

  @Test func `over another part of the same window another operation is asked for`() {
    var run = SourceRun.makeDragging(operations: [.copy, .move], policy: .standard)
    _ = run.move(10)
    _ = run.locate(run.peer, relation: .sameContainer)
    _ = run(run.peer.accept(.move))
    _ = run.move(90)
    #expect(run.locate(run.peer, relation: .sameApplication) == [run.sends(run.position(90, asking: .copy))])
  }

  @Test func `the relation at the drop is told with it`() {
    var run = SourceRun.makeDragging(operations: [.copy, .move], policy: .standard)
    _ = run.move(10)
    _ = run.locate(run.peer, relation: .sameContainer)
    _ = run(run.peer.accept(.move))
    _ = run.release(10)
    let effects = run.locate(run.peer, relation: .sameContainer)
    // The release is at another time, not at another place.
    #expect(effects.contains(.dropSent(.move, .sameContainer)))
  }
}
