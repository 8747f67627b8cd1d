internal import CX11

/// Hit testing and the positions of rows and buttons.
extension ToolWindow {
  /// Returns the row at a point; `nil` if there is none.
  ///
  /// - Parameter point: In device pixels, window-local.
  public func row(at point: PixelPoint) -> Int? {
    layout.row(atX: Double(point.x) / scale, y: Double(point.y) / scale)
  }

  /// The window's upper left corner in root pixels. Costs one round trip; `nil` after ``detach()``.
  public var rootOrigin: PixelPoint? {
    guard let display else { return nil }
    var (x, y): (Int32, Int32) = (0, 0)
    var child: CX11.Window = 0
    let isFound = XTranslateCoordinates(display, window, XDefaultRootWindow(display), 0, 0, &x, &y, &child)
    return isFound != 0 ? PixelPoint(x: Int(x), y: Int(y)) : nil
  }

  /// Returns the center of a row in device pixels, window-local. The row may be scrolled out of sight.
  public func center(ofRow index: Int) -> PixelPoint {
    let box = layout.row(index)
    return PixelPoint(x: Int((box.x + box.width / 2) * scale), y: Int(box.midY * scale))
  }

  /// Whether a row is at least partly visible.
  public func isVisible(row index: Int) -> Bool { layout.visibleRows.contains(index) }

  /// Scrolls so that a row is fully visible.
  public func reveal(row index: Int) {
    guard scene.rows.indices.contains(index) else { return }
    scroll(to: layout.scrollOffset(revealing: index))
  }

  /// Returns the center of a button of the bar in device pixels, window-local; `nil` if there is no such button.
  public func center(ofButton index: Int) -> PixelPoint? {
    guard let buttons = layout.bar?.buttons, buttons.indices.contains(index) else { return nil }
    let box = buttons[index]
    return PixelPoint(x: Int((box.x + box.width / 2) * scale), y: Int(box.midY * scale))
  }
}
