import XDnDToolSupport
import XDnD

/// The reports of a drag, for people and for programs; `docs/json-lines.md` documents the events.
extension Report {
  static func began(_ drag: DragSession, _ titles: [String]) -> Report {
    let more = titles.count > 5 ? " and \(titles.count - 5) more" : ""
    return Report(
      "drag-began", "Dragging \(titles.prefix(5).joined(separator: ", "))\(more).",
      ["types": .strings(drag.types.map(\.name)), "operations": .strings(drag.operations.map(\.description))])
  }

  /// - Parameter name: The name of the window, if the report is for people.
  static func target(_ window: WindowID?, named name: String = "") -> Report {
    window.map {
      Report(
        "target", "Over \(name.isEmpty ? "a window without a name" : Formatting.quoted(name)).",
        ["window": .integer(Int($0.rawValue))])
    } ?? Report("target", "Nothing here takes drops.", ["window": nil])
  }

  static func proposal(_ operation: DragOperation?) -> Report {
    Report("proposal", "", ["operation": operation.map { .string($0.description) }])
  }

  static func answer(_ operation: DragOperation?, at point: Point) -> Report {
    Report(
      "answer", "At \(point.x),\(point.y): a drop would \(operation.map { OperationWords.verb($0) } ?? "be refused").",
      ["x": .integer(point.x), "y": .integer(point.y), "operation": operation.map { .string($0.description) }])
  }

  static func progress(_ bytes: Int, of type: ContentType, total: Int?) -> Report {
    Report(
      "progress", "\(Formatting.size(bytes)) of \(type) sent.",
      ["type": .string(type.name), "bytes": .integer(bytes), "expected": total.map { .integer($0) }])
  }

  static func saved(_ file: [UInt8], byteCount: Int) -> Report {
    // Some targets save under a name of their own first, and rename the file.
    let name = file.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? file
    return Report(
      "saved", "Saved \(Formatting.visible(RawArgument.string(name))): \(Formatting.bytes(byteCount)).",
      ["path": .path(file), "bytes": .integer(byteCount)])
  }

  static func notSaved(_ error: XDnDError) -> Report {
    Report(
      "not-saved", "Cannot save a promised file: \(Formatting.visible(error.message)).",
      ["reason": .string(error.message)])
  }

  static func finished(_ operation: DragOperation) -> Report {
    Report(
      "finished", "The other program finished without asking for the content; waiting for late requests.",
      ["operation": .string(operation.description)])
  }

  static func ended(_ drag: DragSession, _ outcome: DragOutcome, _ status: ExitStatus, _ sentence: String) -> Report {
    Report(
      "ended", sentence,
      [
        "outcome": .string(status == ExitStatus(outcome) ? outcome.word : status.word),
        "operation": outcome.performed(as: status).map { .string($0.description) },
        "reason": outcome.reason.map { .string($0) }, "delete": .boolean(drag.isDeletionRequested),
      ])
  }

  static let deletionRequested = Report("delete-requested", "The other program asked to delete the moved original.")
}
