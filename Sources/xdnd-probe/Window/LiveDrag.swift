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

  /// The origin of the drag, the effect of a drop now, and the offered types, the best match first.
  var facts: [Scene.Pane.Fact] {
    let name = program?.description ?? ""
    let listed = operations.map { Formatting.visible($0.description) }.joined(separator: ", ")
    let best = best.map { type in
      let place = types.contains(type) ? "" : " in a file"
      return Scene.Pane.Fact("Offers", Formatting.visible(type.name) + place + " – best match", isMarked: true)
    }
    let others = types.filter { $0 != self.best }.enumerated().map { index, type in
      Scene.Pane.Fact(
        index == 0 && best == nil ? "Offers" : "",
        Formatting.visible(type.name) + (type == .directSave ? " – as a file" : ""))
    }
    return [
      Scene.Pane.Fact("From", isOwn ? "this window" : name.isEmpty ? "an unknown program" : name),
      Scene.Pane.Fact("A drop", outcome), Scene.Pane.Fact("Allows", listed.isEmpty ? "not listed" : listed),
    ] + [best].compactMap(\.self) + others
  }

  /// The effect of a drop at the pointer: `copies`, or `copies, although move is requested`.
  private var outcome: String {
    guard let answer else { return "" }
    let requested = answer.requested.map { Formatting.visible($0.description) } ?? "nothing"
    guard let proposed = answer.proposed else {
      return best == nil ? "is refused: no accepted type" : "is refused: \(requested) is requested"
    }
    let verb = OperationWords.presentTense(proposed)
    return proposed == answer.requested ? verb : "\(verb), although \(requested) is requested"
  }

  var hints: [String] {
    guard let proposed = answer?.proposed else { return ["Not taken here", OperationWords.cancelHint] }
    // The content of a file is only ever copied.
    let isInFile = best.map { !types.contains($0) } ?? false
    let choices = isInFile ? [] : operations.filter { settings.offer.operations.contains($0) }
    return ["Drop to \(settings.words(for: proposed))"]
      + OperationWords.hints(OperationWords.modifierHints(besides: proposed, among: choices))
  }
}

extension Report {
  static func entered(_ drop: DropSession, _ drag: LiveDrag) -> Report {
    let types = drop.types.map(\.name)
    let operations = drop.operations.map(\.description)
    let program = drag.program?.description ?? ""
    return Report(
      "entered",
      "Entered: \(program.isEmpty ? "" : program + ", ")window \(drop.sourceWindow), XDND \(drop.version)\n"
        + "  types: \(types.map(Formatting.visible).joined(separator: ", "))\n"
        + "  actions: \(operations.isEmpty ? "not listed" : operations.map(Formatting.visible).joined(separator: ", "))",
      [
        "source": .integer(Int(drop.sourceWindow.rawValue)), "program": drag.program?.name.map { .string($0) },
        "pid": drag.program?.process.map { .integer($0) }, "own": drag.isOwn ? true : nil,
        "version": .integer(Int(drop.version.number)), "types": .strings(types), "operations": .strings(operations),
        "descriptions": drop.operationDescriptions.isEmpty ? nil : .strings(drop.operationDescriptions),
      ])
  }

  /// Returns the hint that Ark expects the target to request the extraction by D-Bus; `nil` for other drags, and if
  /// a type is accepted.
  ///
  /// Dolphin and LXQt implement that service. Without the hint, a drag from Ark would appear to offer nothing.
  static func archive(_ drop: DropSession) -> Report? {
    guard drop.types.contains("application/x-kde-ark-dndextract-service"), drop.bestType == nil else { return nil }
    return Report(
      "archive",
      "Ark extracts dropped files only when asked over D-Bus, which xdnd-probe does not support. Extract the files in Ark, "
        + "or drop them on Dolphin.",
      ["program": "Ark", "reason": "Ark extracts dropped files only when asked over D-Bus"])
  }

  static func position(of drop: DropSession, _ proposal: DropProposal) -> Report {
    let requested = drop.requestedOperation.map { Formatting.visible($0.description) } ?? "no operation"
    return Report(
      "position",
      "At \(drop.rootLocation): requested \(requested), \(proposal.operation.map { "accepted as \($0)" } ?? "refused")",
      [
        "x": .integer(drop.rootLocation.x), "y": .integer(drop.rootLocation.y),
        "requested": drop.requestedOperation.map { .string($0.description) },
        "proposed": proposal.operation.map { .string($0.description) },
      ])
  }
}

extension DropExit {
  var sentence: String {
    switch self {
    case .left: "Left without a drop."
    case .sourceVanished: "The other program closed during the drag."
    case .replaced: "Replaced by another drag."
    case .refused: "The source dropped although the drop was refused."
    case .unregistered: "The window no longer accepts drops."
    }
  }
}
