import CX11
public import XDnD

/// What the X server and the desktop report about themselves.
extension RawPeer {
  /// The server's vendor and release number. Empty and 0 if the connection is lost.
  public var vendor: (name: String, release: Int) {
    guard !isClosed, let name = XServerVendor(display) else { return ("", 0) }
    return (String(cString: name), Int(XVendorRelease(display)))
  }

  /// The screen's rectangle, in root pixels.
  public var screen: Rect {
    let number = XDefaultScreen(display)
    return Rect(x: 0, y: 0, width: Int(XDisplayWidth(display, number)), height: Int(XDisplayHeight(display, number)))
  }

  /// The screen's number, as in selection names like `_NET_WM_CM_S0`.
  public var screenNumber: Int { Int(XDefaultScreen(display)) }

  /// Whether the server has an extension of this name. One round trip.
  public func hasExtension(_ name: String) -> Bool {
    var answer: (Int32, Int32, Int32) = (0, 0, 0)
    return !isClosed && XQueryExtension(display, name, &answer.0, &answer.1, &answer.2) != 0
  }

  /// The cursor theme, `nil` if none was chosen, and the cursor size in pixels, from Xcursor.
  public var cursors: (theme: String?, size: Int) {
    guard !isClosed else { return (nil, 0) }
    return (XcursorGetTheme(display).map { String(cString: $0) }, Int(XcursorGetDefaultSize(display)))
  }
}
