/// The result of a drag: the operation, or why there was none.
///
/// The counterpart of the operation in UIKit's `dragInteraction(_:session:didEndWith:)` and AppKit's
/// `draggingSession(_:endedAt:operation:)`.
public enum DragOutcome: Hashable, Sendable {
  /// The drop succeeded with this operation.
  ///
  /// Delete content only after ``DragOperation/move``, and only content that the source owns: a target that moves files
  /// from a URI list moves the files themselves.
  case dropped(DragOperation)
  /// The content was dropped on a target below XDND version 5, whose `XdndFinished` reports no result.
  case unconfirmed(DragOperation)
  /// The target received complete content after the drop, and then reported failure.
  ///
  /// Many programs report failure although they have used the content: Kate, Krita, GNOME Text Editor, AbiWord. Others
  /// could do nothing with it. Delete nothing: the target has not confirmed a move.
  case delivered
  /// The target refused the drag, or refused the drop without having received content. After ``DragOperation/ask``, and
  /// from a window of this program, a refusal is final even if content was received.
  case refused
  /// The button was released where no window accepts drops.
  case noTarget
  /// The drag ended without a drop, or the host gave up the drop.
  case cancelled(Cancellation)
  /// The target did not answer in time.
  case timedOut
  /// The target's window was destroyed before it confirmed the drop.
  case targetVanished
  /// The target accepted the drop, but the content could not be prepared or delivered.
  case transferFailed
  /// The connection to the X server was lost.
  case serverLost

  /// Whether this outcome shortens the time limits of unfinished transfers, and cancels file promises. `false` for
  /// ``delivered``: the target has complete content.
  var isFailureAfterDrop: Bool {
    switch self {
    case .refused, .timedOut, .targetVanished, .transferFailed: true
    case .dropped, .unconfirmed, .delivered, .noTarget, .cancelled, .serverLost: false
    }
  }

  /// Why a drag was cancelled.
  public enum Cancellation: String, Hashable, Sendable {
    /// The user pressed Escape, or clicked button 3 in a drag without a held button.
    case escape = "escape"
    /// The host called ``DragSession/cancel()``, began another drag, or released its ``DragAndDrop``.
    case application = "application"
    /// The host called ``DragSession/cancelDelivery()``.
    case delivery = "delivery"
    /// The pointer or the keyboard could not be grabbed, or the grab was broken.
    case grabLost = "grab-lost"
    /// Another client took `XdndSelection`, or this program could not become its owner.
    case selectionLost = "selection-lost"
    /// The button was already up when the drag began: the press was a click.
    case buttonReleased = "button-released"
  }
}

extension DragOutcome: CustomStringConvertible {
  /// A sentence for the user: `Copied.`
  public var description: String {
    switch self {
    case .dropped(.copy): "Copied."
    case .dropped(.move): "Moved."
    case .dropped(.link): "Linked."
    case .dropped(let operation): "Dropped: \(operation)."
    case .unconfirmed(let operation): "Dropped to \(operation); the other program cannot confirm it."
    case .delivered: "The other program read it, but did not take it."
    case .refused: "Not taken: the other program refused it."
    case .noTarget: "Nothing here takes drops."
    case .cancelled(let cancellation): cancellation.description
    case .timedOut: "Not taken: the other program did not answer in time."
    case .targetVanished: "The other program closed before it finished."
    case .transferFailed: "Not sent: the content could not be delivered."
    case .serverLost: "Lost the connection to the X server."
    }
  }
}

extension DragOutcome.Cancellation: CustomStringConvertible {
  /// A sentence for the user: `Cancelled.`
  public var description: String {
    switch self {
    case .escape: "Cancelled."
    case .application: "Stopped: this program cancelled the drag."
    case .delivery: "Stopped: the transfer was cancelled."
    case .grabLost: "Not begun: another program holds the pointer or the keyboard."
    case .selectionLost: "Stopped: another program began a drag."
    case .buttonReleased: "Not begun: the button was released too early."
    }
  }
}
