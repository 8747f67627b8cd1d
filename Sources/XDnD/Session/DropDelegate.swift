/// A window, or what is behind it, that takes drops.
///
/// All methods are called from ``DragAndDrop/process()`` and its relatives, when nothing is half done: they may call
/// back into the library. Only ``performDrop(_:)`` must be written.
public protocol DropDelegate: AnyObject {
  /// A drag has come over the window. What it offers is known; its data is not, and is not asked for before the drop.
  func dropEntered(_ drop: DropSession)

  /// The pointer has moved, or the user asks for something else. Answer at once: the source waits.
  ///
  /// The default is ``DropSession/suggestedProposal``.
  func dropUpdated(_ drop: DropSession) -> DropProposal

  /// The user turns the wheel during the drag. Only some sources tell: this library's, JX and Emacs.
  ///
  /// The position that comes with it is asked about afterwards.
  func dropScrolled(_ drop: DropSession, _ scroll: WheelScroll)

  /// The drag has gone without a drop.
  func dropExited(_ drop: DropSession, _ reason: DropExit)

  /// The content was dropped. Start loading what is needed, and call ``DropSession/finish(_:)`` or
  /// ``DropSession/reject()`` once it is there.
  ///
  /// A session that nobody keeps and that loads nothing is rejected.
  func performDrop(_ drop: DropSession)

  /// The drop is over: finished, rejected, timed out, or the source is gone.
  func dropEnded(_ drop: DropSession, _ result: DropResult)
}

extension DropDelegate {
  /// Does nothing.
  public func dropEntered(_ drop: DropSession) {}
  /// Answers with what the ``DropOffer`` says.
  public func dropUpdated(_ drop: DropSession) -> DropProposal { drop.suggestedProposal }
  /// Does nothing.
  public func dropScrolled(_ drop: DropSession, _ scroll: WheelScroll) {}
  /// Does nothing.
  public func dropExited(_ drop: DropSession, _ reason: DropExit) {}
  /// Does nothing.
  public func dropEnded(_ drop: DropSession, _ result: DropResult) {}
}

/// Why a drag has gone from a window without a drop.
public enum DropExit: String, Hashable, Sendable {
  /// The pointer has left, or the user has cancelled: the source does not say which.
  case left
  /// The source is gone without a word.
  case sourceVanished = "source-vanished"
  /// Another drag came in without this one having left.
  case replaced
  /// The source dropped although the answer was no.
  case refused
  /// The window takes no more drops.
  case unregistered
}

/// How a drop ended, for the side that took it.
public enum DropResult: Hashable, Sendable {
  /// As the application said with ``DropSession/finish(_:)``.
  case finished(DragOperation)
  /// The application did not want it after all.
  case rejected
  /// The source died before the end.
  case sourceVanished
  /// Neither did the application finish it nor did data arrive within ``Configuration/finishTimeout``.
  case timedOut
}
