import XDnDX11

/// What the window manager says which window is active.
package final class ActiveWindow {
  private let peer: XlibPeer

  package init(_ server: XvfbServer) throws {
    peer = try XlibPeer(server)
  }

  package var current: Int? {
    var (type, format, count, left) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      peer.display, peer.root, peer.atom("_NET_ACTIVE_WINDOW"), 0, 1, False, 0, &type, &format, &count, &left,
      &data)
    guard let data else { return nil }
    defer { XFree(data) }
    // Xlib gives what has 32 bits on the wire as longs.
    return format == 32 && count == 1 ? data.withMemoryRebound(to: UInt.self, capacity: 1) { Int($0.pointee) } : nil
  }

  /// Waits until a window is the active one.
  package func wait(for window: Int, timeout: Duration = .seconds(20)) async throws {
    XSelectInput(peer.display, peer.root, PropertyChangeMask)
    let deadline = ContinuousClock.now + timeout
    while current != window {
      guard .now < deadline else { throw HarnessError("window \(window) is not active after \(timeout)") }
      _ = peer.event(PropertyNotify)
    }
  }
}
