import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The drag over the window.
struct LiveDrag {
  let program: PeerProgram?
  /// Whether the drag started in this window.
  let isOwn: Bool
  private let types: [ContentType]
  private let best: ContentType?
  private let operations: [DragOperation]
  private let settings: ProbeSettings
  private var answer: (requested: DragOperation?, proposed: DragOperation?)?

  init(_ drop: DropSession, program: PeerProgram?, settings: ProbeSettings) {
    self.program = program
    self.settings = settings
    types = drop.types
    best = drop.bestType
    operations = drop.operations
    isOwn = drop.localDrag != nil
  }

  mutating func answer(_ drop: DropSession, _ proposal: DropProposal) {
    answer = (drop.requestedOperation, proposal.operation)
  }

  var isAnswered: Bool { answer != nil }

  /// Whether a drop would be taken now.
  var isAccepted: Bool { answer?.proposed != nil }

  /// Where the drag comes from, what a drop would do now, and what is offered, the best match first.
  var facts: [Scene.Pane.Fact] {
    let name = program?.description ?? ""
    let listed = operations.map { Formatting.visible($0.description) }.joined(separator: ", ")
    let best =
      best.map { [Scene.Pane.Fact("Offers", Formatting.visible($0.name) + " – best match", isMarked: true)] } ?? []
    let others = types.filter { $0 != self.best }.enumerated().map { index, type in
      Scene.Pane.Fact(
        index == 0 && best.isEmpty ? "Offers" : "",
        Formatting.visible(type.name) + (type == .directSave ? " – as a file" : ""))
    }
    return [
      Scene.Pane.Fact("From", isOwn ? "this window" : name.isEmpty ? "an unknown program" : name),
      Scene.Pane.Fact("A drop", outcome), Scene.Pane.Fact("Allows", listed.isEmpty ? "not listed" : listed),
    ] + best + others
  }

  /// What a drop would do now: `copies`, or `copies, although move is requested`.
  private var outcome: String {
    guard let answer else { return "" }
    let requested = answer.requested.map { Formatting.visible($0.description) } ?? "nothing"
    guard let proposed = answer.proposed else {
      return best == nil ? "is refused: no accepted type" : "is refused: \(requested) is requested"
    }
    let verb = OperationWords.presentTense(proposed)
    return proposed == answer.requested ? verb : "\(verb), although \(requested) is requested"
  }

  /// What to do with the drag now.
  var hints: [String] {
    guard let proposed = answer?.proposed else { return ["Not taken here", OperationWords.cancelHint] }
    let choices = operations.filter { settings.offer.operations.contains($0) }
    return ["Drop to \(settings.words(for: proposed))"]
      + OperationWords.hints(OperationWords.modifierHints(besides: proposed, among: choices))
  }
}
