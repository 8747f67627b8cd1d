/// The windows of the host whose XDND messages are the driver's.
final class MessageRecipients {
  /// A host may handle the drags of some of its windows itself.
  var contains: (WindowID) -> Bool = { _ in true }
}
