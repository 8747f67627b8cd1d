internal import CX11
internal import CXlibint

/// The monitors of a screen.
enum Monitors {
  /// Returns the monitors in root pixels; the whole screen if the server has no Xinerama information.
  static func all(of display: OpaquePointer) -> [PixelArea] {
    var count: Int32 = 0
    let screen = XDefaultScreen(display)
    let whole = PixelArea(
      origin: PixelPoint(x: 0, y: 0),
      size: PixelSize(width: Int(XDisplayWidth(display, screen)), height: Int(XDisplayHeight(display, screen))))
    guard let monitors = XDnDQueryMonitors(display, &count) else { return [whole] }
    defer { XFree(monitors) }
    return UnsafeBufferPointer(start: monitors, count: Int(count)).map {
      PixelArea(
        origin: PixelPoint(x: Int($0.x), y: Int($0.y)), size: PixelSize(width: Int($0.width), height: Int($0.height)))
    }
  }
}
