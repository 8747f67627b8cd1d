import CX11

@testable import XDnD

/// What the window manager says which window is active.
final class ActiveWindow {
  private let connection: XlibConnection
  private let peer: XlibPeer

  init(_ server: XvfbServer) throws {
    connection = try XlibConnection(server)
    peer = try XlibPeer(server)
  }

  var current: Int? {
    connection.bytes("_NET_ACTIVE_WINDOW", of: WindowID(peer.root))?.bytes.withUnsafeBytes {
      $0.count == 4 ? Int($0.loadUnaligned(as: UInt32.self)) : nil
    }
  }

  /// Waits until a window is the active one.
  func wait(for window: Int, timeout: Duration = .seconds(20)) async throws {
    XSelectInput(peer.display, peer.root, PropertyChangeMask)
    let deadline = ContinuousClock.now + timeout
    while current != window {
      guard .now < deadline else { throw HarnessError("window \(window) is not active after \(timeout)") }
      _ = peer.event(PropertyNotify)
    }
  }
}
