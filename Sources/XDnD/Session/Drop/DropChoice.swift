/// One choice for the user after ``DragOperation/ask``.
public struct DropChoice: Hashable, Sendable {
  /// The operation to pass to ``DropSession/finish(_:)``.
  public let operation: DragOperation
  /// The text for the menu: the source's description, or else a standard one in English.
  public let description: String
}

extension DropSession {
  /// The operations to let the user choose from when ``droppedOperation`` is ``DragOperation/ask``: those that both
  /// sides support, in the source's order. Add a way to cancel that calls ``reject()``.
  ///
  /// Never empty: a source without a list permits at least a copy.
  public var choices: [DropChoice] {
    let listed = zip(operations.indices, operations).filter { $0.1 != .ask }.map { index, operation in
      // If the source has as many descriptions as operations, each belongs to one. An empty one counts as missing.
      let words = operationDescriptions.indices.contains(index) ? operationDescriptions[index] : ""
      return DropChoice(operation: operation, description: words.isEmpty ? operation.standardWords : words)
    }
    let possible = listed.filter { offer.operations.contains($0.operation) }
    // A target whose offer lists only Ask leaves the choice among all operations to the user.
    let choices = possible.isEmpty ? listed : possible
    return choices.isEmpty
      ? [DropChoice(operation: .copy, description: DragOperation.copy.standardWords)] : choices
  }

  /// Extends the time limit of the drop to ten minutes, in place of ``Configuration/finishTimeout``, so that the user
  /// can choose.
  ///
  /// The source's pointer and windows are free since the drop. Load the content first: if the source exits meanwhile,
  /// its content is lost.
  public func waitForUser() { owner?.reactor.enqueue(.target(window, .askingUser(id))) }

  /// Raises the window of the drop and gives it the keyboard focus, with the timestamp of the drop.
  ///
  /// The window manager decides whether to follow. If it does not support `_NET_ACTIVE_WINDOW` (EWMH), the library
  /// raises and focuses the window itself. Before the drop this does nothing. See
  /// ``Configuration/activatesWindowOnDrop``.
  public func activateWindow() {
    guard let dropTime, let owner else { return }
    let system = owner.reactor.system
    // Chromium sends timestamp 0 with its drops; a window manager would take that for an outdated request.
    system.activate(window, at: dropTime == .currentTime ? system.serverTime() : dropTime)
    system.flush()
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
