/// How a drag ended.
public enum DragOutcome: Hashable, Sendable {
  /// The target has taken the content and said that it did this with it.
  ///
  /// Only with ``DragOperation/move`` may the source delete what it offered, and only if it is the source's to delete:
  /// whoever takes a file from a URI list moves the file itself.
  case dropped(DragOperation)
  /// The content was dropped, and the target speaks a version of the protocol that cannot say what came of it.
  case unconfirmed(DragOperation)
  /// There is a target, and it did not want the content: before the drop, or when it had seen the data.
  case refused
  /// The button went up where nothing takes drops.
  case noTarget
  /// The drag ended without a drop.
  case cancelled(Cancellation)
  /// The target did not answer in time.
  case timedOut
  /// The target's window was destroyed before it had confirmed the drop.
  case targetVanished
  /// The target took the drop, but the data could not be delivered.
  case transferFailed
  /// The connection to the server is lost.
  case serverLost

  /// Why a drag ended without a drop.
  public enum Cancellation: String, Hashable, Sendable {
    /// The user pressed Escape, or button 3 in a drag without a held button.
    case escape = "escape"
    /// The application called ``DragSession/cancel()``.
    case application = "application"
    /// Pointer or keyboard could not be grabbed, or the grab was taken away.
    case grabLost = "grab-lost"
    /// Another client has taken `XdndSelection`, or it could not be had.
    case selectionLost = "selection-lost"
    /// The button was no longer down when the drag began: it was a click.
    case buttonReleased = "button-released"
  }
}
