internal import XDnDX11

extension Geometry {
  /// Returns a position at which the pointer is over a given point of the window. The window is kept within the
  /// pointer's monitor if it fits there.
  ///
  /// - Parameters:
  ///   - display: An open `Display *`.
  ///   - size: The window size in device pixels, if the user asked for one.
  ///   - defaultSize: The window size otherwise, in logical pixels.
  ///   - scale: Device pixels per logical pixel.
  ///   - grip: The point of the window to put under the pointer, in logical pixels.
  package static func atPointer(
    of display: OpaquePointer, size: PixelSize?, defaultSize: PixelSize, scale: Double, grip: PixelPoint
  ) -> Geometry {
    func scaled(_ length: Int) -> Int { Int(Double(length) * scale) }
    let window = size ?? PixelSize(width: scaled(defaultSize.width), height: scaled(defaultSize.height))
    var (root, child): (XDnDX11.Window, XDnDX11.Window) = (0, 0)
    var (rootX, rootY, x, y): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    var mask: UInt32 = 0
    XQueryPointer(display, XDefaultRootWindow(display), &root, &child, &rootX, &rootY, &x, &y, &mask)
    let pointer = PixelPoint(x: Int(rootX), y: Int(rootY))
    let monitors = Monitors.all(of: display)
    guard let monitor = monitors.first(where: { $0.contains(pointer) }) ?? monitors.first else {
      return Geometry(size: size, position: nil)
    }
    let origin = origin(
      of: window, grippedAt: PixelPoint(x: scaled(grip.x), y: scaled(grip.y)), by: pointer, within: monitor)
    return Geometry(size: size, position: (.near(origin.x), .near(origin.y)))
  }

  /// Returns the window's upper left corner. If the window is larger than the monitor, its upper left part is visible.
  static func origin(
    of window: PixelSize, grippedAt grip: PixelPoint, by pointer: PixelPoint, within monitor: PixelArea
  ) -> PixelPoint {
    func place(_ pointer: Int, _ grip: Int, _ length: Int, _ start: Int, _ available: Int) -> Int {
      max(start, min(pointer - grip, start + available - length))
    }
    return PixelPoint(
      x: place(pointer.x, grip.x, window.width, monitor.origin.x, monitor.size.width),
      y: place(pointer.y, grip.y, window.height, monitor.origin.y, monitor.size.height))
  }
}
