import ToolSupport
import XDnD

extension DragOutcome {
  /// Returns the message for the user.
  ///
  /// - Parameter status: The observed result; see ``DragLog``.
  func sentence(as status: ExitStatus) -> String {
    switch status {
    case .nothingRequested: "Finished, but the target has not asked for the content."
    case .transferFailed: "The data could not be delivered."
    default: sentence
    }
  }

  /// Returns the operation that was performed; `nil` if the drop failed.
  func performed(as status: ExitStatus) -> DragOperation? { status == .dropped ? operation : nil }

  private var sentence: String {
    switch self {
    case .dropped(let operation): "Done: the target has taken it (\(operation))."
    case .unconfirmed(let operation): "Dropped (\(operation)); the target is too old to say what came of it."
    case .refused: "Refused: the target did not want it."
    case .noTarget: "Nothing there takes drops."
    case .cancelled(let cancellation): "Cancelled: \(cancellation.words)."
    case .timedOut: "The target did not answer in time."
    case .targetVanished: "The target died."
    case .transferFailed: "The data could not be delivered."
    case .serverLost: "The connection to the X server is lost."
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
    case .application: "the program ended it"
    case .grabLost: "the pointer or the keyboard could not be had"
    case .selectionLost: "another program has begun a drag"
    case .buttonReleased: "the button was released too early"
    }
  }
}
