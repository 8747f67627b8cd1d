/// What arrives at windows of the host and is the driver's. A host may handle the drags of other windows itself, with code
/// of its own or a second `DragAndDrop` on its display.
final class MessageRecipients {
  /// Whether the XDND messages to a window are the driver's.
  var contains: (WindowID) -> Bool = { _ in true }
  /// Whether an answer is to a conversion of the driver's.
  var expects: (SelectionNotify) -> Bool = { _ in true }
}
