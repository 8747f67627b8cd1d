internal import CX11
import XDnD

/// Tells when there may be another window, or when one may have got another name or begun to take drops.
///
/// It has a connection of its own: a client has one event mask on the root window, and that of the driver's connection is
/// the driver's.
public final class WindowArrivals {
  private let display: OpaquePointer
  private let windows: ClientWindows

  /// Listens from now on; `nil` if the server cannot be reached a second time.
  ///
  /// - Parameter other: A `Display *` of the same server.
  public init?(of other: OpaquePointer) {
    guard let display = XOpenDisplay(XDisplayString(other)) else { return nil }
    self.display = display
    windows = ClientWindows(display)
    select(XDefaultRootWindow(display))
    for client in windows.all() { select(CX11.Window(client.window.rawValue)) }
  }

  deinit { XCloseDisplay(display) }

  /// Readable when there is news; then call ``drain()``.
  public var descriptor: CInt { XConnectionNumber(display) }

  /// Takes the news in.
  public func drain() {
    var event = XEvent()
    while XPending(display) > 0 {
      XNextEvent(display, &event)
      // Its title and what it takes may come later than the window itself.
      if event.type == CreateNotify { select(event.xcreatewindow.window) }
    }
  }

  /// Windows in a window tell of themselves, too: a window manager puts a frame around what programs make.
  private func select(_ window: CX11.Window) {
    windows.ignoringErrors { _ = XSelectInput(display, window, SubstructureNotifyMask | PropertyChangeMask) }
  }
}
