/// A point on the screen or in a window, in device pixels.
package struct PixelPoint: Hashable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of the screen or of a window, in device pixels.
package struct PixelArea: Equatable, Sendable {
  package var origin: PixelPoint
  package var size: PixelSize

  func contains(_ point: PixelPoint) -> Bool {
    point.x >= origin.x && point.y >= origin.y && point.x < origin.x + size.width && point.y < origin.y + size.height
  }
}

/// A point in logical pixels, window-local.
struct LogicalPoint: Equatable {
  var x: Double
  var y: Double
}

/// A rectangle in logical pixels, window-local.
struct Box: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var maxX: Double { x + width }
  var maxY: Double { y + height }
  var midX: Double { x + width / 2 }
  var midY: Double { y + height / 2 }

  func contains(_ point: LogicalPoint) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// Returns the box shrunk by `dx` at the left and right and by `dy` at the top and bottom; the size is never
  /// negative.
  func inset(dx: Double, dy: Double) -> Box {
    Box(x: x + dx, y: y + dy, width: max(0, width - 2 * dx), height: max(0, height - 2 * dy))
  }

  /// Returns the center in device pixels, window-local.
  func center(scale: Double) -> PixelPoint { PixelPoint(x: Int(midX * scale), y: Int(midY * scale)) }

  /// Returns the rectangle in device pixels, window-local.
  func pixels(scale: Double) -> PixelArea {
    let (left, top) = ((x * scale).rounded(), (y * scale).rounded())
    return PixelArea(
      origin: PixelPoint(x: Int(left), y: Int(top)),
      size: PixelSize(width: Int((maxX * scale).rounded() - left), height: Int((maxY * scale).rounded() - top)))
  }
}
