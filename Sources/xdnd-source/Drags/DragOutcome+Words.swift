import XDnDToolSupport
import XDnD

extension DragOutcome {
  /// Returns the message for the user.
  ///
  /// - Parameters:
  ///   - status: The observed result; see ``DragLog``.
  ///   - drag: The drag that has ended.
  func sentence(as status: ExitStatus, of drag: DragSession) -> String {
    switch status {
    // XdndFinished does not tell why nothing was done with what the target has read.
    case .refused where drag.progress.receivedByteCount > 0: "Refused by the target, or failed there."
    case .nothingRequested: "The target finished without requesting the content."
    case .transferFailed: "Could not deliver the content to the target."
    default: sentence
    }
  }

  /// Returns the operation that was performed; `nil` if the drop failed.
  func performed(as status: ExitStatus) -> DragOperation? { status == .dropped ? operation : nil }

  private var sentence: String {
    switch self {
    case .dropped(let operation): "Accepted by the target (\(operation))."
    case .unconfirmed(let operation): "Dropped (\(operation)); the target's XDND version cannot report the result."
    case .delivered: "Delivered; the target reports failure."
    case .refused: "Refused by the target."
    case .noTarget: "No drop target at the pointer."
    case .cancelled(let cancellation): "Cancelled: \(cancellation.words)."
    case .timedOut: "Timed out waiting for the target."
    case .targetVanished: "The target exited during the drag."
    case .transferFailed: "Could not deliver the content to the target."
    case .serverLost: "Lost the connection to the X server."
    }
  }

  /// The operation that the target reported, or that it was asked for if it cannot report one; `nil` if it accepted
  /// nothing.
  var operation: DragOperation? {
    switch self {
    case .dropped(let operation), .unconfirmed(let operation): operation
    default: nil
    }
  }

  /// The reason of a cancellation, as a machine-readable word.
  var reason: String? {
    if case .cancelled(let cancellation) = self { cancellation.rawValue } else { nil }
  }
}

extension DragOutcome.Cancellation {
  fileprivate var words: String {
    switch self {
    case .escape: "Escape was pressed"
    case .application: "the program ended the drag"
    case .delivery: "the transfer was stopped"
    case .grabLost: "could not grab the pointer or the keyboard"
    case .selectionLost: "another program began a drag"
    case .buttonReleased: "the button was released too early"
    }
  }
}
