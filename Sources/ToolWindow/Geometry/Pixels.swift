/// A point on the screen or in a window, in device pixels.
public struct PixelPoint: Hashable, Sendable {
  /// Pixels to the right of the origin.
  public var x: Int
  /// Pixels below the origin.
  public var y: Int

  /// Creates a point.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A size in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
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
