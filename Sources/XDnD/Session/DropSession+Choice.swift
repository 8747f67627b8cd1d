/// One of the things that the user may choose after ``DragOperation/ask``.
public struct DropChoice: Hashable, Sendable {
  /// What it is, for ``DropSession/finish(_:)``.
  public let operation: DragOperation
  /// What to call it: the source's words, or else standard ones in English.
  public let description: String
}

extension DropSession {
  /// What the user may choose from when ``droppedOperation`` is ``DragOperation/ask``, in the order of the source: what
  /// both sides can do. Add a way to cancel, which is ``reject()``.
  ///
  /// Never empty: a source without a list can at least be copied from.
  public var choices: [DropChoice] {
    let listed = zip(operations.indices, operations).filter { $0.1 != .ask }.map { index, operation in
      // A source with as many words as operations has one for each; an empty one is none.
      let words = operationDescriptions.indices.contains(index) ? operationDescriptions[index] : ""
      return DropChoice(operation: operation, description: words.isEmpty ? operation.standardWords : words)
    }
    let possible = listed.filter { offer.operations.contains($0.operation) }
    // Who takes nothing but Ask leaves the rest to the user.
    let choices = possible.isEmpty ? listed : possible
    return choices.isEmpty
      ? [DropChoice(operation: .copy, description: DragOperation.copy.standardWords)] : choices
  }

  /// Gives the user time to choose: up to ten minutes after the drop, instead of ``Configuration/finishTimeout``.
  ///
  /// The source is not held up: its pointer and its windows are free since the drop. Load what is needed before, for a
  /// source that ends meanwhile takes its content along.
  public func waitForUser() { owner?.reactor.enqueue(.target(window, .askingUser(id))) }

  /// Brings the window that was dropped on to the user, with the time of the drop: on top, and with the keyboard.
  ///
  /// The window manager decides. Without one that knows `_NET_ACTIVE_WINDOW` the window is raised and given the
  /// keyboard. Nothing happens before a drop: a drag that only passes by is no reason to come forward.
  public func activateWindow() {
    guard let dropTime, let owner else { return }
    let system = owner.reactor.system
    // Chromium's drops say 0, and the window manager takes such a request for one from long ago.
    system.activate(window, at: dropTime == .currentTime ? system.serverTime() : dropTime)
    system.flush()
  }
}

extension DragOperation {
  /// As file managers have it in their menus.
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
