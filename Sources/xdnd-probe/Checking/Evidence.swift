import DragRecording
import RawPeer
import XDnD

/// What a raw peer says and hears, with times.
final class Evidence {
  private(set) var recording: Recording
  private let start = ContinuousClock.now

  init(_ role: Recording.Role, of peer: RawPeer) {
    recording = Recording(role: role)
    peer.onWireEvent = { [unowned self] in add($0) }
  }

  /// Who is judged, and what the target covers.
  func identify(_ other: Recording.Peer) { recording.peer = other }

  func place(_ target: Recording.Target) { recording.target = target }

  private func add(_ event: WireEvent) {
    recording.entries.append(Recording.Entry(time: Int((ContinuousClock.now - start) / .microseconds(1)), event))
  }
}

extension RawPeer {
  /// Who is behind a window.
  func identity(of window: WindowID) -> Recording.Peer {
    let program = program(of: window)
    return Recording.Peer(window: window, program: program.name, processID: program.process)
  }
}
