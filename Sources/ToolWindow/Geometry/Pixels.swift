/// A point on the screen or in a window, in device pixels.
package struct PixelPoint: Hashable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A size in pixels.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of the screen, in device pixels.
struct PixelArea: Equatable {
  var origin: PixelPoint
  var size: PixelSize

  func contains(_ point: PixelPoint) -> Bool {
    point.x >= origin.x && point.y >= origin.y && point.x < origin.x + size.width && point.y < origin.y + size.height
  }
}
