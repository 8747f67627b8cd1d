/// One choice for the user after ``DragOperation/ask``.
public struct DropChoice: Hashable, Sendable {
  /// The operation to pass to ``DropSession/finish(_:)``.
  public let operation: DragOperation
  /// The text for the menu: the source's description, or else a standard one in English.
  public let description: String

  /// The choices in the source's order; never empty.
  ///
  /// - Parameters:
  ///   - operations: The source's operations.
  ///   - descriptions: The source's descriptions, in the order of `operations`. A standard text replaces a missing or
  ///     empty one.
  ///   - permitted: The target's operations.
  static func all(
    among operations: [DragOperation], describedBy descriptions: [String], permitting permitted: [DragOperation]
  ) -> [DropChoice] {
    let listed = zip(operations.indices, operations).filter { $0.1 != .ask }.map { index, operation in
      let words = descriptions.indices.contains(index) ? descriptions[index] : ""
      return DropChoice(operation: operation, description: words.isEmpty ? operation.standardWords : words)
    }
    let possible = listed.filter { permitted.contains($0.operation) }
    // A target whose offer lists only Ask leaves the choice among all operations to the user.
    let choices = possible.isEmpty ? listed : possible
    return choices.isEmpty
      ? [DropChoice(operation: .copy, description: DragOperation.copy.standardWords)] : choices
  }
}

extension DragOperation {
  /// The wording of file managers' menus.
  fileprivate var standardWords: String {
    switch self {
    case .copy: "Copy Here"
    case .move: "Move Here"
    case .link: "Link Here"
    case .private: "Open Here"
    default: description
    }
  }
}
