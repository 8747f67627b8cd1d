import XDnD

/// The requests that a client has made, for a test to read.
struct ClientRecord {
  var roundTrips = 0
  var messagesSent: [XdndMessage] = []
  var cursors: [CursorShape] = []
  /// The devices that grabs were requested for.
  var grabbedDevices: [InputDevice] = []
  /// The place of the drag image at each search for a target; `nil` if there was no image.
  var looks: [Point?] = []
  /// The windows that were brought forward, and when.
  var activations: [(window: WindowID, time: Timestamp)] = []
  /// The names whose atoms were requested.
  var learned: Set<AtomName> = []
  /// The names whose atoms had been requested when a drag last claimed the selection.
  var learnedBeforeClaim: Set<AtomName> = []
}
