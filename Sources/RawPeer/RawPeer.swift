import CX11
import XDnD

/// A client of the X server that says what it is told to say, and knows nothing of XDND.
public final class RawPeer {
  /// The connection: a `Display *`.
  private let display: OpaquePointer

  /// - Parameter name: The display's name; `nil` for what `DISPLAY` says.
  public init?(connectingTo name: String?) {
    guard let display = XOpenDisplay(name) else { return nil }
    self.display = display
  }

  deinit { XCloseDisplay(display) }
}
