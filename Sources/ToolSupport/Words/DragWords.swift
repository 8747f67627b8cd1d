package import XDnD

/// Operations and the keys that choose them, in words for the user.
package enum OperationWords {
  /// Returns the verb of an operation: `copy`, `ask what to do`.
  package static func verb(_ operation: DragOperation) -> String {
    operation == .ask ? "ask what to do" : Formatting.visible(operation.description)
  }

  /// Returns the verb in the present tense: `copies`, `asks what to do`.
  package static func presentTense(_ operation: DragOperation) -> String {
    switch operation {
    case .copy: "copies"
    case .move: "moves"
    case .link: "links"
    case .ask: "asks what to do"
    default: Formatting.visible(operation.description)
    }
  }

  /// Returns the verb in the past tense: `copied`.
  package static func pastTense(_ operation: DragOperation) -> String {
    switch operation {
    case .copy: "copied"
    case .move: "moved"
    case .link: "linked"
    default: Formatting.visible(operation.description)
    }
  }

  /// Returns which modifier keys choose another operation: `Shift moves`.
  package static func modifierHints(besides present: DragOperation, among operations: [DragOperation]) -> [String] {
    let keys: [(DragOperation, String)] = [
      (.move, "Shift"), (.copy, "Ctrl"), (.link, "Ctrl+Shift"), (.ask, "Alt"),
    ]
    // For a link, Ctrl and Shift are both held.
    if present == .link { return [] }
    return keys.filter { $0.0 != present && operations.contains($0.0) }.map { "\($0.1) \(presentTense($0.0))" }
  }

  /// Returns the hints about keys, the most important first: a narrow window omits the last ones.
  ///
  /// - Parameter modifiers: See ``modifierHints(besides:among:)``.
  package static func hints(_ modifiers: [String]) -> [String] {
    modifiers.prefix(1) + [cancelHint] + modifiers.dropFirst()
  }

  package static let cancelHint = "Escape cancels"
}

extension DragOutcome {
  /// Returns the message for the user.
  ///
  /// - Parameters:
  ///   - status: The observed result; see ``DragLog``.
  ///   - drag: The drag that has ended.
  ///   - reason: Why a promised file could not be written; `nil` if that is unknown.
  ///   - tool: The name of the program that began the drag.
  package func sentence(
    as status: ExitStatus, of drag: DragSession, reason: String? = nil, by tool: String
  ) -> String {
    switch status {
    // XdndFinished does not say why the target did not use the content that it has read.
    case .refused where drag.progress.receivedByteCount > 0: "Not taken: the other program refused it or failed."
    case .nothingRequested: "Not taken: the other program did not ask for the content."
    case .transferFailed: "Not sent: \(reason ?? "the content could not be delivered")."
    default: sentence(by: tool)
    }
  }

  /// Returns why an item was not taken, for its row; `nil` if it was taken, or if the user knows why.
  package func failure(as status: ExitStatus) -> String? {
    switch status {
    case .dropped: self == .delivered ? ExitStatus.refused.words : nil
    case .refused, .nothingRequested: ExitStatus.refused.words
    case .transferFailed: "not sent"
    case .timedOut, .peerDied: status.words
    case .cancelled, .noTarget, .usage, .noDisplay, .serverLost: nil
    }
  }

  /// Returns the operation that was performed; `nil` if the drop failed.
  package func performed(as status: ExitStatus) -> DragOperation? { status == .dropped ? operation : nil }

  private func sentence(by tool: String) -> String {
    self == .cancelled(.application) ? "Stopped: \(tool) was closed." : Formatting.visible(description)
  }

  /// The operation that the target reported, or that was requested if the target cannot report one; `nil` if the drop
  /// did not succeed.
  package var operation: DragOperation? {
    switch self {
    case .dropped(let operation), .unconfirmed(let operation): operation
    default: nil
    }
  }

  /// The reason for a cancellation, as a machine-readable word.
  package var reason: String? {
    if case .cancelled(let cancellation) = self { cancellation.rawValue } else { nil }
  }
}
