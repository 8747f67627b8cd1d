/// Something that a peer did wrong and that we live with.
///
/// It is logged, counted and shown by the tools; it never changes what happens to the user's content.
enum Violation: Equatable, Sendable {
  // As a target, of a source.
  /// `XdndEnter` states a version below 3, which cannot be mixed with ours.
  case unsupportedVersion(UInt32, source: WindowID)
  /// `XdndPosition` or `XdndLeave` from a window that has not entered.
  case notEntered(XdndMessageKind, source: WindowID)
  /// A message of another source while one is over the window.
  case foreignSource(XdndMessageKind, source: WindowID)
  /// `XdndEnter` while a source, perhaps the same, is already over the window: the last one never left.
  case enteredTwice(source: WindowID)
  /// Bit 0 of `XdndEnter` promises a type list that is not there.
  case missingTypeList(source: WindowID)
  /// `XdndDrop` without an `XdndStatus` that accepts; FLTK does it.
  case dropWithoutAcceptance(source: WindowID)
  /// `XdndActionList` holds no action of the protocol; tkdnd writes the atoms `copy` and `move`.
  case meaninglessActionList(source: WindowID)

  // As a source, of a target.
  /// `XdndStatus` or `XdndFinished` from a window that is not the one being dragged over or dropped on.
  case foreignTarget(XdndMessageKind, target: WindowID)
  /// `XdndFinished` before `XdndDrop`; pcmanfm and Mutter do it.
  case finishedBeforeDrop(target: WindowID)
  /// `XdndStatus` after the drop.
  case statusAfterDrop(target: WindowID)
  /// `DELETE` of a client that was not dropped on, before the drop, or without a Finished that says *move*.
  case unexpectedDeletion(requestor: WindowID)
  /// The target accepts with an operation that was not offered.
  case operationNotOffered(DragOperation, target: WindowID)

  // Of either.
  /// A message that only the other role receives.
  case misdirected(XdndMessageKind)
}
