internal import CX11
internal import CXinerama

/// A rectangle of the screen, in device pixels.
struct PixelArea: Equatable {
  var origin: PixelPoint
  var size: PixelSize

  func contains(_ point: PixelPoint) -> Bool {
    point.x >= origin.x && point.y >= origin.y && point.x < origin.x + size.width && point.y < origin.y + size.height
  }
}

/// What shows the screen.
enum Monitors {
  /// The monitors of a display; the whole screen if the server does not tell them apart.
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
