import XDnDX11
import XDnD

/// What the window manager says which window is active.
package final class ActiveWindow {
  private let peer: XlibPeer

  package init(_ server: XServer) throws {
    peer = try XlibPeer(server)
  }

  package var current: Int? { peer.number("_NET_ACTIVE_WINDOW", of: WindowID(peer.root)) }

  /// Waits until a window is the active one and has the keyboard focus. A window manager may name a window before it takes
  /// the focus that it is offered (`WM_TAKE_FOCUS`).
  package func wait(for window: Int, timeout: Duration = .seconds(20)) async throws {
    XSelectInput(peer.display, peer.root, PropertyChangeMask)
    XSelectInput(peer.display, Window(window), FocusChangeMask)
    let deadline = ContinuousClock.now + timeout
    while current != window {
      guard .now < deadline else { throw HarnessError("window \(window) is not active after \(timeout)") }
      _ = peer.event(PropertyNotify)
    }
    while focus != window {
      guard .now < deadline else { throw HarnessError("window \(window) has no focus after \(timeout)") }
      _ = peer.event(FocusIn)
    }
  }

  private var focus: Int {
    var (window, revertTo) = (Window(), CInt())
    XGetInputFocus(peer.display, &window, &revertTo)
    return Int(window)
  }
}
