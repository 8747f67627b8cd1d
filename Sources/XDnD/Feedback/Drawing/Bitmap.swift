/// An image in memory: rows of pixels from top to bottom, each from left to right.
///
/// A pixel is `0xAARRGGBB` with premultiplied alpha, as in the ARGB visuals of X, in cairo and in Xcursor.
public struct Bitmap: Hashable, Sendable {
  /// The width, in pixels.
  public let width: Int
  /// The height, in pixels.
  public let height: Int
  /// The pixels of all rows: `width * height`.
  public internal(set) var pixels: [UInt32]

  /// The maximum width and height: X has signed 16-bit coordinates.
  static let maximumSide = 32767

  /// Creates a bitmap. Returns `nil` if the number of pixels is not `width * height`, or a side is negative or longer
  /// than 32767.
  ///
  /// Colour channels that exceed their alpha are clamped to it: they would overflow in compositing.
  public init?(width: Int, height: Int, pixels: [UInt32]) {
    let sides = 0...Self.maximumSide
    guard sides.contains(width), sides.contains(height), pixels.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels.contains { !Pixel.isPremultiplied($0) } ? pixels.map(Pixel.clamped) : pixels
  }

  /// Creates a transparent bitmap. Its sides are clamped to 0 to ``maximumSide``.
  init(width: Int, height: Int) {
    self.width = min(max(0, width), Self.maximumSide)
    self.height = min(max(0, height), Self.maximumSide)
    pixels = Array(repeating: 0, count: self.width * self.height)
  }

  /// Whether the bitmap has no pixels.
  public var isEmpty: Bool { pixels.isEmpty }

  /// The size as a vector.
  var size: Vector { Vector(Double(width), Double(height)) }

  /// The pixel at a position; transparent outside.
  subscript(x: Int, y: Int) -> UInt32 {
    guard x >= 0, x < width, y >= 0, y < height else { return 0 }
    return pixels[y * width + x]
  }

  /// Returns the part of the bitmap that lies in `rect`.
  func cropped(to rect: Rect) -> Bitmap {
    let left = min(max(0, rect.origin.x), width)
    let top = min(max(0, rect.origin.y), height)
    let right = min(max(left, rect.origin.x + rect.width), width)
    let bottom = min(max(top, rect.origin.y + rect.height), height)
    var result = Bitmap(width: right - left, height: bottom - top)
    guard !result.isEmpty else { return result }
    for row in 0..<result.height {
      let start = (top + row) * width + left
      result.pixels.replaceSubrange(
        row * result.width..<(row + 1) * result.width, with: pixels[start..<start + result.width])
    }
    return result
  }

  /// Returns the bitmap with `margin` transparent pixels added on each side.
  func padded(by margin: Int) -> Bitmap {
    var result = Bitmap(width: width + 2 * margin, height: height + 2 * margin)
    result.draw(self, at: Point(x: margin, y: margin))
    return result
  }
}
