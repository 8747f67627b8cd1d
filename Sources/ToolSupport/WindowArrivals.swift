internal import CX11
import XDnD

/// Watches for new windows, and for changes of properties such as titles and `XdndAware`.
///
/// It uses a connection of its own: a client has one event mask on the root window, and the driver's belongs to the
/// library.
public final class WindowArrivals {
  private let display: OpaquePointer
  private let windows: ClientWindows

  /// Starts to watch; `nil` if a second connection cannot be opened.
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

  /// Readable when something may have changed; then call ``drain()``. The object owns the descriptor.
  public var descriptor: CInt { XConnectionNumber(display) }

  /// Processes and discards the pending events.
  public func drain() {
    var event = XEvent()
    while XPending(display) > 0 {
      XNextEvent(display, &event)
      // A new window's title and XdndAware may be set later.
      if event.type == CreateNotify { select(event.xcreatewindow.window) }
    }
  }

  /// Also selects events of child windows: a window manager puts client windows into frames.
  private func select(_ window: CX11.Window) {
    windows.ignoringErrors { _ = XSelectInput(display, window, SubstructureNotifyMask | PropertyChangeMask) }
  }
}
