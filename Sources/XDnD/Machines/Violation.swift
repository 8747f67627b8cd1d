/// A peer's breach of the protocol that this library tolerates.
///
/// Violations are logged at `debug`, and exceeded limits at `notice`. They never affect the user's content.
enum Violation: Equatable, Sendable {
  // Committed by a source.
  /// `XdndEnter` states a version below 3, which is incompatible with versions 3 to 5.
  case unsupportedVersion(UInt32, source: WindowID)
  /// `XdndPosition`, `XdndLeave` or `XdndDrop` from a source that has not sent `XdndEnter`.
  case notEntered(XdndMessageKind, source: WindowID)
  /// A message from another source while one is over the window.
  case foreignSource(XdndMessageKind, source: WindowID)
  /// `XdndEnter` while a source, possibly the same one, is over the window and has not sent `XdndLeave`.
  case enteredTwice(source: WindowID)
  /// Bit 0 of `XdndEnter` announces a type list, but `XdndTypeList` is missing, unreadable or empty.
  case missingTypeList(source: WindowID)
  /// `XdndDrop` without an accepting `XdndStatus` before it; FLTK sends such drops.
  case dropWithoutAcceptance(source: WindowID)
  /// `XdndActionList` holds no standard action; tkdnd writes atoms named `copy` and `move`.
  case meaninglessActionList(source: WindowID)

  // Committed by a target.
  /// `XdndStatus` or `XdndFinished` from a window other than the current target.
  case foreignTarget(XdndMessageKind, target: WindowID)
  /// `XdndFinished` before `XdndDrop`; sent by pcmanfm and Mutter.
  case finishedBeforeDrop(target: WindowID)
  /// `XdndStatus` after the drop.
  case statusAfterDrop(target: WindowID)
  /// `DELETE` from a client that was not dropped on, before the drop, or without an `XdndFinished` that reports *move*.
  case unexpectedDeletion(requestor: WindowID)
  /// The target accepts with an operation that was not offered.
  case operationNotOffered(DragOperation, target: WindowID)

  // Committed by either role.
  /// A message that only the other role may receive.
  case misdirected(XdndMessageKind)
  /// The peer has exceeded a limit: its surplus types or requests are ignored or refused.
  case beyondLimit(Limit, peer: WindowID)

  /// The limits that a peer can exceed: properties of ``PeerLimits``, and constants.
  enum Limit: String, Hashable, Sendable {
    case maximumTypeCount, maximumWaitingRequests
    /// The constant ``SelectionServer/Limits/pairs``.
    case maximumPairCount
    /// The unanswered `MULTIPLE` requests, in all and of one client.
    case maximumListCount
    /// The unfinished drops on one window.
    case maximumDropCount
  }
}
