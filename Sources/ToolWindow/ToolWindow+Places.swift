internal import CX11

/// Where things are.
extension ToolWindow {
  /// The row at a place in the window, in device pixels.
  public func row(at point: PixelPoint) -> Int? {
    layout.row(atX: Double(point.x) / scale, y: Double(point.y) / scale)
  }

  /// Where the window's upper left corner is on the root window, in device pixels: one round trip.
  public var rootOrigin: PixelPoint? {
    guard let display else { return nil }
    var (x, y): (Int32, Int32) = (0, 0)
    var child: CX11.Window = 0
    let isFound = XTranslateCoordinates(display, window, XDefaultRootWindow(display), 0, 0, &x, &y, &child)
    return isFound != 0 ? PixelPoint(x: Int(x), y: Int(y)) : nil
  }

  /// The middle of a row in the window, in device pixels; it may be scrolled out of sight.
  public func center(ofRow index: Int) -> PixelPoint {
    let box = layout.row(index)
    return PixelPoint(x: Int((box.x + box.width / 2) * scale), y: Int(box.midY * scale))
  }

  /// Whether something of a row is in sight.
  public func isVisible(row index: Int) -> Bool { layout.visibleRows.contains(index) }

  /// Scrolls so that a row is wholly visible.
  public func reveal(row index: Int) {
    guard scene.rows.indices.contains(index) else { return }
    scroll(to: layout.scrollOffset(revealing: index))
  }

  /// The middle of a button of the bar in the window, in device pixels; `nil` if there is no such button.
  public func center(ofButton index: Int) -> PixelPoint? {
    guard let buttons = layout.bar?.buttons, buttons.indices.contains(index) else { return nil }
    let box = buttons[index]
    return PixelPoint(x: Int((box.x + box.width / 2) * scale), y: Int(box.midY * scale))
  }
}
