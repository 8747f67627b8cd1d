import XDnDConformance
import XDnD

/// Records all XDND and selection traffic of a scripted client, with times.
final class TrafficRecorder {
  private(set) var recording: Recording
  private unowned let client: ScriptedClient
  private let start = ContinuousClock.now
  private let isAskingForAll: Bool
  private var grab = GrabHistory()

  /// - Parameter isAskingForAll: Whether the client's conversion requests serve the recording only, and are marked as
  ///   such.
  init(_ role: Recording.Role, of client: ScriptedClient, isAskingForAll: Bool = false) {
    self.client = client
    self.isAskingForAll = isAskingForAll
    recording = Recording(role: role)
    client.onWireEvent = { [unowned self] in add($0) }
    client.onPointerGrab = { [unowned self] isGrabbed in note(isGrabbed: isGrabbed) }
  }

  func recordPeer(owning window: WindowID) { recording.peer = Recording.Peer(of: window, seenBy: client) }

  /// Records the place of the target. Returns its frame; `nil` if the window does not exist.
  @discardableResult
  func recordTarget(_ window: WindowID) -> Rect? {
    let frame = client.frame(of: window)
    if let frame { recording.target = Recording.Target(window: window, frame: frame) }
    return frame
  }

  private func add(_ event: WireEvent) {
    let time = Int((ContinuousClock.now - start) / .microseconds(1))
    let isOwn = isAskingForAll && event.direction == .sent && event.isConversion
    recording.entries.append(Recording.Entry(time: time, event, isRecordersOwn: isOwn))
    guard case .message(let message) = event.action, event.direction == .received else { return }
    let place = recording.entries.count - 1
    switch message.kind {
    case .enter: grab = GrabHistory()
    case .drop where grab.hasEnded: recording.entries[place].isPointerGrabbed = false
    case .drop: grab.openDrop = place
    default: break
    }
  }

  private func note(isGrabbed: Bool) {
    if !isGrabbed, let drop = grab.openDrop {
      recording.entries[drop].isPointerGrabbed = true
      grab.openDrop = nil
    }
    grab.hasEnded = !isGrabbed
  }

  /// The pointer grabs of the source during a visit. The server reports the end of a grab over our window
  /// (`LeaveNotify` or `EnterNotify` with mode `NotifyUngrab`) in order with other events, so its position tells
  /// whether it came before the drop.
  private struct GrabHistory {
    var hasEnded = false
    /// The index of a drop before which no grab has ended. If a grab ends after it, the drop was sent while the
    /// pointer was grabbed.
    var openDrop: Int?
  }
}

extension WireEvent {
  /// Whether the event requests content.
  var isConversion: Bool { if case .conversion = action { true } else { false } }
}
