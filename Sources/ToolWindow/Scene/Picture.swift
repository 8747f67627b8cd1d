/// An immutable image in memory.
///
/// Equality is identity: scenes are compared at every change, and comparing pixels would be slow.
package struct Picture: Hashable, Sendable {
  /// The size in device pixels.
  package let size: PixelSize
  private let storage: Storage

  /// Premultiplied 0xAARRGGBB, row by row from the top.
  package var pixels: [UInt32] { storage.pixels }

  private final class Storage: Sendable {
    let pixels: [UInt32]

    init(_ pixels: [UInt32]) {
      self.pixels = pixels
    }
  }

  /// Creates a picture from premultiplied 0xAARRGGBB, row by row from the top; `nil` if the size is empty or does not
  /// match the number of pixels.
  package init?(premultipliedARGB pixels: [UInt32], size: PixelSize) {
    guard size.width > 0, size.height > 0, pixels.count == size.width * size.height else { return nil }
    self.size = size
    storage = Storage(pixels)
  }

  var isOpaque: Bool { pixels.allSatisfy { $0 >> 24 == 0xFF } }

  /// Returns a pixel in cairo's format, `CAIRO_FORMAT_ARGB32`.
  static func premultiplied(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8) -> UInt32 {
    let alpha = UInt32(alpha)
    func part(_ channel: UInt8) -> UInt32 { (UInt32(channel) * alpha + 127) / 255 }
    return alpha << 24 | part(red) << 16 | part(green) << 8 | part(blue)
  }

  /// Whether both share their pixels in memory.
  package static func == (one: Picture, other: Picture) -> Bool { one.storage === other.storage }

  /// Hashes the identity, consistently with `==`.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(storage)) }
}
