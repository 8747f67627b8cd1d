import XDnDX11

/// Hears whether the pointer moves, wherever it is: it is over the root window here.
package struct PointerWatch {
  private let peer: XlibPeer

  package init(_ server: XServer) throws {
    peer = try XlibPeer(server)
    XSelectInput(peer.display, peer.root, PointerMotionMask)
    peer.sync()
  }

  package var hasMoved: Bool {
    peer.sync()
    var event = XEvent()
    return XCheckTypedEvent(peer.display, MotionNotify, &event) != 0
  }
}
