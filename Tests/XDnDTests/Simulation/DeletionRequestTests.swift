import Testing

@testable import XDnD
@testable import XDnDTesting

/// Who may have the source delete what was dropped.
@Suite struct DeletionRequestTests {
  private let pair = DragPair()
  private let target: RawTarget

  init() {
    target = RawTarget(pair)
    target.perform(.move)
  }

  private func drag() -> DragOutcome? {
    let outcome = pair.drag(operations: [.copy, .move], to: RawTarget.inside)
    pair.expectClean()
    return outcome
  }

  private var deletions: Int { pair.source.deletions.values.reduce(0, +) }

  private var violations: [String] { pair.source.violations }

  private func unexpectedDeletion(_ requestor: WindowID) -> String {
    "\(Violation.unexpectedDeletion(requestor: requestor))"
  }

  @Test func `a move whose target asks after the drop is deleted`() {
    target.onDrop = { [target] in target.convert(.delete, at: $0.time) }
    #expect(drag() == .dropped(.move))
    #expect(deletions == 1)
  }

  @Test func `a target that asks while the drag hovers is refused`() {
    let answer = target.status
    target.onPosition = { [target] position in
      target.client.convert(
        .xdndSelection, to: .delete, property: AtomName("GONE"), requestor: target.window, time: position.time)
      if let words = answer(position) { target.say(.status, words, to: position.source) }
    }
    #expect(drag() == .dropped(.move))
    #expect(deletions == 0)
    #expect(violations.contains(unexpectedDeletion(target.window)))
  }

  @Test func `a target that has asked and then says copy deletes nothing`() {
    target.onDrop = { [target] in target.convert(.delete, at: $0.time) }
    target.finished = { [target] in target.performed(.copy) }
    #expect(drag() == .dropped(.copy))
    #expect(deletions == 0)
    #expect(violations == [unexpectedDeletion(target.window)])
  }

  @Test func `a target that has asked and then refuses deletes nothing`() {
    target.onDrop = { [target] in target.convert(.delete, at: $0.time) }
    target.finished = { [target] in target.refusal }
    #expect(drag() == .refused)
    #expect(deletions == 0)
  }

  @Test func `a stranger that asks in the middle of a move deletes nothing`() {
    let stranger = SimulatedPeer(pair.simulation, frame: Rect(x: 700, y: 700, width: 10, height: 10))
    target.onDrop = { [target] drop in
      stranger.client.convert(
        .xdndSelection, to: .delete, property: AtomName("GONE"), requestor: stranger.window, time: drop.time)
      target.convert(.utf8String, at: drop.time)
    }
    #expect(drag() == .dropped(.move))
    #expect(deletions == 0)
    #expect(violations == [unexpectedDeletion(stranger.window)])
  }

  @Test func `a target that asks after Finished is heard, after the end of the drag`() throws {
    #expect(drag() == .dropped(.move))
    #expect(deletions == 0)
    target.convert(.delete, at: pair.server.time)
    pair.drive()
    #expect(deletions == 1)
  }
}
