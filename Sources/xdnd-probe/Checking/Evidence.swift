import DragRecording
import RawPeer
import XDnD

/// What a raw peer says and hears, with times.
final class Evidence {
  private(set) var recording: Recording
  private let start = ContinuousClock.now
  private let isAskingForAll: Bool
  private var grab = GrabHistory()

  /// - Parameter isAskingForAll: Whether requests are made so that the recording has them, and for nothing else.
  init(_ role: Recording.Role, of peer: RawPeer, isAskingForAll: Bool = false) {
    self.isAskingForAll = isAskingForAll
    recording = Recording(role: role)
    peer.onWireEvent = { [unowned self] in add($0) }
    peer.onPointerGrab = { [unowned self] isGrabbed in note(isGrabbed: isGrabbed) }
  }

  /// Who is judged, and what the target covers.
  func identify(_ other: Recording.Peer) { recording.peer = other }

  func place(_ target: Recording.Target) { recording.target = target }

  private func add(_ event: WireEvent) {
    let time = Int((ContinuousClock.now - start) / .microseconds(1))
    let isOwn = isAskingForAll && event.direction == .sent && event.isConversion
    recording.entries.append(Recording.Entry(time: time, event, isRecordersOwn: isOwn))
    guard case .message(let message) = event.action, event.direction == .received else { return }
    let place = recording.entries.count - 1
    switch message.type.rawValue {
    case "XdndEnter": grab = GrabHistory()
    case "XdndDrop" where grab.hasEnded: recording.entries[place].isPointerGrabbed = false
    case "XdndDrop": grab.openDrop = place
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

  /// What the server has said of grabs of the pointer in a visit. It says when one ends over our window, and events come in
  /// the order in which things happened: so it shows on which side of the drop that was.
  private struct GrabHistory {
    var hasEnded = false
    /// The entry of a drop before which no grab has ended: it was sent with the pointer grabbed if one ends now.
    var openDrop: Int?
  }
}

extension RawPeer {
  /// Who is behind a window.
  func identity(of window: WindowID) -> Recording.Peer {
    let program = program(of: window)
    return Recording.Peer(window: window, program: program.name, processID: program.process)
  }
}
