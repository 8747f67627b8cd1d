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
    let client = ClientProperties(self, window)
    return Recording.Peer(window: window, program: client.program, processID: client.processID)
  }
}

/// What a window, or one that it is in, says of its program.
struct ClientProperties {
  var program: String?
  var processID: Int?
  var title: String?

  init(_ peer: RawPeer, _ window: WindowID) {
    let told = peer.onWireEvent
    // Looking who somebody is belongs to no drag.
    peer.onWireEvent = { _ in }
    defer { peer.onWireEvent = told }
    let ancestors = [window] + peer.ancestors(of: window)
    for place in ancestors + (Self.hasClass(ancestors, peer) ? [] : Self.windows(ofClientOf: window, peer)) {
      if program == nil, let parts = peer.readProperty("WM_CLASS", of: place)?.bytes.split(separator: 0) {
        program = parts.first.map { String(decoding: $0, as: UTF8.self) }
      }
      if processID == nil { processID = peer.readProperty("_NET_WM_PID", of: place)?.words.first.map { Int($0) } }
      let name = peer.readProperty("_NET_WM_NAME", of: place) ?? peer.readProperty("WM_NAME", of: place)
      if title == nil { title = name.map { String(decoding: $0.bytes, as: UTF8.self) } }
    }
  }

  /// The windows that drags begin in are often nobody's: their program is known by its other windows.
  private static func windows(ofClientOf window: WindowID, _ peer: RawPeer) -> [WindowID] {
    let top = peer.children(of: peer.root)
    // The upper bits of a number are its client's; a window manager puts a frame of its own around what it manages.
    return (top + top.flatMap { peer.children(of: $0) }).filter { ($0.rawValue ^ window.rawValue) & ~0x1F_FFFF == 0 }
  }

  private static func hasClass(_ ancestors: [WindowID], _ peer: RawPeer) -> Bool {
    ancestors.contains { peer.readProperty("WM_CLASS", of: $0) != nil }
  }
}
