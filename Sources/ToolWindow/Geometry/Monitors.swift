internal import XDnDX11
internal import XDnDXlibint

enum Monitors {
  static func screenSize(of display: OpaquePointer) -> PixelSize {
    let screen = XDefaultScreen(display)
    return PixelSize(width: Int(XDisplayWidth(display, screen)), height: Int(XDisplayHeight(display, screen)))
  }

  /// Returns the monitors in root pixels; the whole screen if the server has no Xinerama information.
  static func all(of display: OpaquePointer) -> [PixelArea] {
    var count: Int32 = 0
    guard let monitors = XDnDQueryMonitors(display, &count) else {
      return [PixelArea(origin: PixelPoint(x: 0, y: 0), size: screenSize(of: display))]
    }
    defer { XFree(monitors) }
    return UnsafeBufferPointer(start: monitors, count: Int(count)).map {
      PixelArea(
        origin: PixelPoint(x: Int($0.x), y: Int($0.y)), size: PixelSize(width: Int($0.width), height: Int($0.height)))
    }
  }
}
