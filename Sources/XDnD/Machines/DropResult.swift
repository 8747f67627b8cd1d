/// Why a drag has left a window without a drop.
public enum DropExit: String, Hashable, Sendable {
  /// The pointer has left the window, or the user has cancelled. The protocol does not distinguish the two.
  case left
  /// The source's window was destroyed, its connection closed, or it gave up `XdndSelection`.
  case sourceVanished = "source-vanished"
  /// Another drag has entered the window before this one left.
  case replaced
  /// The source has dropped although the target had refused, or had not answered in time.
  case refused
  /// The window was unregistered.
  case unregistered
}

/// How a drop ended, as the target sees it.
public enum DropResult: Hashable, Sendable {
  /// The application has called ``DropSession/finish(_:)``. The value is the operation that was reported to the source.
  case finished(DragOperation)
  /// The application has called ``DropSession/reject()``, or the window was unregistered.
  case rejected
  /// The source vanished before the drop was finished.
  case sourceVanished
  /// The application did not answer, and no data arrived, within ``Configuration/finishTimeout``; or, if it has called
  /// ``DropSession/waitForUser()``, it did not answer within ``Configuration/choiceTimeout`` after the drop.
  case timedOut
}
