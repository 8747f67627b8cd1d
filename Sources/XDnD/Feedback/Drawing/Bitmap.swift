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
  package static let maximumSide = 32767

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

  package var isEmpty: Bool { pixels.isEmpty }

  var size: Vector { Vector(Double(width), Double(height)) }

  /// The columns and rows that contain all pixels with centers in `bounds`.
  func area(of bounds: Bounds) -> (columns: Range<Int>, rows: Range<Int>) {
    func part(of length: Int, _ first: Int, _ last: Int) -> Range<Int> {
      (0..<length).clamped(to: first..<max(first, last + 1))
    }
    let (first, last) = (bounds.min.rounded, bounds.max.rounded)
    return (part(of: width, first.x, last.x), part(of: height, first.y, last.y))
  }
}
