import CX11
public import XDnD

/// What a server and a desktop say of themselves.
extension RawPeer {
  /// Who has made the server, and which release it is.
  public var vendor: (name: String, release: Int) {
    guard !isClosed, let name = XServerVendor(display) else { return ("", 0) }
    return (String(cString: name), Int(XVendorRelease(display)))
  }

  /// Width and height of the screen in device pixels.
  public var screen: Rect {
    let number = XDefaultScreen(display)
    return Rect(x: 0, y: 0, width: Int(XDisplayWidth(display, number)), height: Int(XDisplayHeight(display, number)))
  }

  /// The number of the screen, as it is in the names of selections.
  public var screenNumber: Int { Int(XDefaultScreen(display)) }

  /// Whether the server has an extension of this name.
  public func hasExtension(_ name: String) -> Bool {
    var answer: (Int32, Int32, Int32) = (0, 0, 0)
    return !isClosed && XQueryExtension(display, name, &answer.0, &answer.1, &answer.2) != 0
  }

  /// The theme that cursors are taken from, if one was chosen, and how large they are in device pixels.
  public var cursors: (theme: String?, size: Int) {
    guard !isClosed else { return (nil, 0) }
    return (XcursorGetTheme(display).map { String(cString: $0) }, Int(XcursorGetDefaultSize(display)))
  }
}
