/// Somebody who changes what goes over the wire, to be a peer that misbehaves on purpose.
///
/// What it is asked comes in the middle of everything, and may take as long as it likes: that is what a slow peer is.
package protocol WireTamper: AnyObject {
  /// What to do instead of what is about to be done: the same, something else, several things, or nothing.
  ///
  /// Messages, conversions and their answers, owners of selections, and what is written to properties and deleted.
  func instead(of action: WireEvent.Action) -> [WireEvent.Action]

  /// It has been done, and the server has it; also what was read, which nobody can change.
  func done(_ action: WireEvent.Action)

  /// What of that which has come in is heard; `nil` for nothing.
  ///
  /// Only the words of a message can be others; all else is heard or not.
  func heard(_ action: WireEvent.Action) -> WireEvent.Action?
}
