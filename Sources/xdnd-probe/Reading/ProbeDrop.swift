import XDnDToolSupport
import XDnD

/// A drop on the window, or content pasted into it, which is handled as a drop.
protocol ProbeDrop: AnyObject {
  /// The session of a drop; `nil` for a paste.
  var session: DropSession? { get }
  /// Where the content is loaded from.
  var provider: ContentProvider { get }
  var negotiation: Negotiation { get }
  /// The operations that the source offers; empty if it lists none.
  var operations: [DragOperation] { get }
  /// The operation that was agreed on at the drop.
  var droppedOperation: DragOperation? { get }
  /// The operations to let the user choose from, if the operation is ``DragOperation/ask``.
  var choices: [DropChoice] { get }

  /// Ends the drop with the operation that was performed. Does nothing after the end.
  func finish(_ operation: DragOperation)

  /// Ends the drop without an operation. Does nothing after the end.
  func reject()

  /// Keeps the source waiting for the user's answer.
  func waitForUser()

  /// Keeps the source waiting for work on the content.
  func waitForWork()

  /// Activates the window with the time of the drop.
  func activateWindow()
}

extension ProbeDrop {
  /// The name that the source of a drop has promised for its content; `nil` if it has promised none.
  var promisedName: String? { session.flatMap { $0.offersDirectSave ? $0.promisedFileName() : nil } }
}

extension DropSession: ProbeDrop {
  var session: DropSession? { self }
  var provider: ContentProvider { self }
}

/// Content of a clipboard that the user has pasted into the window.
///
/// A paste is a copy: the content stays on the clipboard, and its owner receives only requests for the content.
final class PastedContent: ProbeDrop {
  let provider: ContentProvider
  let negotiation: Negotiation
  private let onEnd: (PastedContent, DropResult) -> Void
  private var hasEnded = false

  /// - Parameters:
  ///   - types: The types that the clipboard's owner offers, best first.
  ///   - onEnd: Called once, as ``DropDelegate/dropEnded(_:_:)`` is for a drop.
  init(
    of clipboard: Clipboard, offering types: [ContentType], to offer: DropOffer,
    onEnd: @escaping (PastedContent, DropResult) -> Void
  ) {
    provider = clipboard
    // Direct save (XDS) is an exchange with the source of a drag.
    negotiation = Negotiation(
      wanted: offer.types, offered: types.filter { $0 != .directSave }, database: .system)
    self.onEnd = onEnd
  }

  var session: DropSession? { nil }
  var operations: [DragOperation] { [.copy] }
  var droppedOperation: DragOperation? { .copy }
  var choices: [DropChoice] { [] }

  func finish(_ operation: DragOperation) { end(.finished(operation)) }

  func reject() { end(.rejected) }

  private func end(_ result: DropResult) {
    guard !hasEnded else { return }
    hasEnded = true
    onEnd(self, result)
  }

  // No source waits, and the window has the keyboard: a key was pressed in it.
  func waitForUser() {}
  func waitForWork() {}
  func activateWindow() {}
}

extension RowWork {
  /// Shows the progress of a paste's load. The loads of a drop are shown together, by a `DropPlaceholder`.
  func received(_ done: Int, of whole: Int?, from drop: any ProbeDrop) {
    if drop.session == nil { advance(to: done, of: whole) }
  }
}

extension Report {
  /// - Parameters:
  ///   - work: The work on the content: `saving in Downloads`.
  ///   - type: The type that is fetched first.
  static func dropped(_ drop: any ProbeDrop, _ work: String, _ type: ContentType?) -> Report {
    let type = type.map { Value.string($0.name) }
    guard drop.session != nil else { return Report("pasted", "Pasted; \(work).", ["type": type]) }
    let operation = drop.droppedOperation ?? .copy
    return Report(
      "dropped", "Dropped to \(OperationWords.verb(operation)); \(work).",
      ["operation": .string(operation.description), "type": type])
  }

  static func offered(_ types: [ContentType], on choice: ClipboardChoice, by owner: WindowID) -> Report {
    let names = types.map(\.name)
    return Report(
      "offered",
      "On \(choice.name), from window \(owner):\n  types: \(names.map(Formatting.visible).joined(separator: ", "))",
      ["selection": .string(choice.rawValue), "source": .integer(Int(owner.rawValue)), "types": .strings(names)])
  }
}
