import XDnDX11
package import XDnD

/// Follows drag images on a display without a window manager, from their first frame to their last.
package final class DragImageWatch {
  private let peer: XlibPeer
  private var seen: [Rect] = []

  /// Watches the images that appear from now on.
  package init(_ server: XvfbServer) throws {
    peer = try XlibPeer(server)
    XSelectInput(peer.display, peer.root, SubstructureNotifyMask)
    peer.sync()
  }

  /// The frames that the images have had so far, in root coordinates, in order. Each change of place or size adds one.
  ///
  /// An image is the only window that is moved and that a window manager would not manage.
  package var frames: [Rect] {
    peer.sync()
    var event = XEvent()
    while XCheckTypedEvent(peer.display, ConfigureNotify, &event) != 0 {
      let change = event.xconfigure
      guard change.override_redirect != 0 else { continue }
      let frame = Rect(x: Int(change.x), y: Int(change.y), width: Int(change.width), height: Int(change.height))
      if frame != seen.last { seen.append(frame) }
    }
    return seen
  }
}
