import XDnDX11
package import XDnD

/// Follows drag images on a display without a window manager, from their first frame to their last.
package final class DragImageWatch {
  private let peer: XlibPeer
  private var seen: [Rect] = []
  /// The windows that a window manager would not manage and that have more than one pixel. A window of one pixel is the one
  /// that represents the library in drags.
  private var windows: [Window: (frame: Rect, isMapped: Bool)] = [:]

  /// Watches the images that appear from now on.
  package init(_ server: XServer) throws {
    peer = try XlibPeer(server)
    XSelectInput(peer.display, peer.root, SubstructureNotifyMask)
    peer.sync()
  }

  /// The frames that the images have had so far, in root coordinates, in order. Each change of place or size adds one.
  package var frames: [Rect] {
    peer.sync()
    while XPending(peer.display) > 0 {
      var event = XEvent()
      XNextEvent(peer.display, &event)
      receive(event)
    }
    return seen
  }

  /// Returns when the frame that an image had last is as expected.
  package func wait(timeout: Duration = .seconds(20), until isExpected: (Rect) -> Bool) async throws {
    let deadline = ContinuousClock.now + timeout
    let descriptor = XConnectionNumber(peer.display)
    // The frames leave no event in Xlib's queue, so the next one makes the descriptor readable.
    while !(frames.last.map(isExpected) ?? false) {
      let left = deadline - .now
      guard left > .zero, try await onOwnThread({ Pipe.isReadable(descriptor, within: left) }) else {
        throw HarnessError("the drag image stays at \(seen.suffix(3))")
      }
    }
  }

  private func receive(_ event: XEvent) {
    switch event.type {
    case CreateNotify:
      let new = event.xcreatewindow
      guard new.override_redirect != 0, new.width > 1 else { break }
      let frame = Rect(x: Int(new.x), y: Int(new.y), width: Int(new.width), height: Int(new.height))
      windows[new.window] = (frame, false)
    case MapNotify: show(event.xmap.window) { $0.isMapped = true }
    case ConfigureNotify:
      let change = event.xconfigure
      show(change.window) {
        $0.frame = Rect(x: Int(change.x), y: Int(change.y), width: Int(change.width), height: Int(change.height))
      }
    default: break
    }
  }

  private func show(_ window: Window, _ change: (inout (frame: Rect, isMapped: Bool)) -> Void) {
    guard var known = windows[window] else { return }
    change(&known)
    windows[window] = known
    if known.isMapped, known.frame != seen.last { seen.append(known.frame) }
  }
}
