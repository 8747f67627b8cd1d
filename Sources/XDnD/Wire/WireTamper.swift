/// A hook that alters the traffic with peers, to simulate a peer that misbehaves.
///
/// Called synchronously from inside the driver. It may block, which simulates a slow peer.
package protocol WireTamper: AnyObject {
  /// Returns the actions to perform instead of `action`: the same one, others, or none.
  ///
  /// Called for messages, conversions and their answers, changes of selection owners, and written or deleted
  /// properties.
  func instead(of action: WireEvent.Action) -> [WireEvent.Action]

  /// Reports that an action was performed and has reached the server. Also reports properties that were read.
  func done(_ action: WireEvent.Action)

  /// Returns the received action to process; `nil` to ignore it.
  ///
  /// Only the words of a message may be altered. Any other action is returned unchanged or ignored.
  func heard(_ action: WireEvent.Action) -> WireEvent.Action?
}
