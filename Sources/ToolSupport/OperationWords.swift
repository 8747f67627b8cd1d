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
    // Both keys are held.
    if present == .link { return [] }
    return keys.filter { $0.0 != present && operations.contains($0.0) }.map { "\($0.1) \(presentTense($0.0))" }
  }

  /// Returns the hints on keys, the most important first: a narrow window omits the last ones.
  ///
  /// - Parameter modifiers: See ``modifierHints(besides:among:)``.
  package static func hints(_ modifiers: [String]) -> [String] {
    modifiers.prefix(1) + [cancelHint] + modifiers.dropFirst()
  }

  package static let cancelHint = "Escape cancels"
}
