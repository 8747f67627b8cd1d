import XDnDToolSupport
import XDnD

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

  /// Returns the hint that Ark expects the target to request the extraction by D-Bus; `nil` for other drags.
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
