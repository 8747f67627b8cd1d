internal import XDnDX11
import XDnD

/// Watches for new windows, and for changes of properties such as titles and `XdndAware`.
///
/// It uses a connection of its own: a client has one event mask on the root window, and the driver's belongs to the
/// library.
package final class WindowArrivals {
  private let display: DisplayHandle
  /// Readable when something may have changed; then call ``drain()``. The object owns the descriptor.
  package let descriptor: CInt

  /// - Parameter other: A `Display *` of the same server.
  /// - Returns: `nil` if a second connection cannot be opened.
  package init?(of other: OpaquePointer) {
    guard let display = DisplayOpening.open(String(cString: XDisplayString(other))) else { return nil }
    self.display = DisplayHandle(display, isOwned: true)
    descriptor = self.display.fileDescriptor
    select(self.display.root)
    for client in ClientWindows(self.display).all() { select(client.window) }
  }

  deinit { display.release() }

  package func drain() {
    while let event = display.nextEvent() {
      // A new window's title and XdndAware may be set later.
      if event.type == CreateNotify { select(WindowID(event.xcreatewindow.window)) }
    }
  }

  /// Also selects events of child windows: a window manager puts client windows into frames.
  private func select(_ window: WindowID) {
    display.request(onError: .swallow) { XSelectInput($0, window.xid, SubstructureNotifyMask | PropertyChangeMask) }
  }
}
