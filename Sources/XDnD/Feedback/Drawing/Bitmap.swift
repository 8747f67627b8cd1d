/// A picture in memory: rows of pixels from the top, each from left to right.
///
/// A pixel is `0xAARRGGBB`, and its colours are multiplied by its alpha already, as the ARGB visuals of X, cairo and Xcursor
/// have them.
public struct Bitmap: Hashable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// All rows, one after the other: `width * height` pixels.
  public internal(set) var pixels: [UInt32]

  /// X has 16 bits for the size of a window or an image, and a sign among them.
  static let maximumSide = 32767

  /// A picture of these pixels, or `nil` if their number is not `width * height`, or a side is negative or longer than 32767.
  ///
  /// A colour that is stronger than its alpha allows is lowered to it: it would spill over when the picture is laid over another.
  public init?(width: Int, height: Int, pixels: [UInt32]) {
    let sides = 0...Self.maximumSide
    guard sides.contains(width), sides.contains(height), pixels.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels.contains { !Pixel.isPremultiplied($0) } ? pixels.map(Pixel.clamped) : pixels
  }

  /// An empty picture: all of it is transparent. Sides are brought into what X can show.
  init(width: Int, height: Int) {
    self.width = min(max(0, width), Self.maximumSide)
    self.height = min(max(0, height), Self.maximumSide)
    pixels = Array(repeating: 0, count: self.width * self.height)
  }

  /// Whether it has no pixel.
  public var isEmpty: Bool { pixels.isEmpty }

  /// The size as a vector, for computing with places between pixels.
  var size: Vector { Vector(Double(width), Double(height)) }

  /// The pixel there; transparent outside.
  subscript(x: Int, y: Int) -> UInt32 {
    guard x >= 0, x < width, y >= 0, y < height else { return 0 }
    return pixels[y * width + x]
  }

  /// The part of it that lies in `rect`, as large as that part.
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

  /// The picture with as many transparent pixels around it on each side.
  func padded(by margin: Int) -> Bitmap {
    var result = Bitmap(width: width + 2 * margin, height: height + 2 * margin)
    result.draw(self, at: Point(x: margin, y: margin))
    return result
  }
}
