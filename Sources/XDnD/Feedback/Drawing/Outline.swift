/// An image for a screen without blending: each pixel is either opaque or missing.
///
/// Without a compositing manager, the server ignores the alpha of a window's pixels. So the window gets an outline as
/// its shape, and the pixels inside must be opaque: premultiplied colours would be too dark along the edge.
struct Outline: Equatable, Sendable {
  /// The opaque colours; black outside the outline.
  var bitmap: Bitmap
  /// One bit per pixel, the leftmost pixel in the lowest bit, rows padded to whole bytes: the format of
  /// `XCreateBitmapFromData`.
  var mask: [UInt8]

  /// An image whose maximum alpha is below this has faded out: a quarter of full opacity.
  private static let faintest: UInt32 = 64

  /// Cuts an image at half of its maximum opacity.
  ///
  /// The threshold is relative to the image's own maximum, so that a translucent or fading image keeps its outline.
  /// Soft shadows are cut off.
  init(_ source: Bitmap) {
    let strongest = source.pixels.reduce(0) { max($0, $1 >> 24) }
    let threshold = strongest < Self.faintest ? 256 : (strongest + 1) / 2
    let stride = (source.width + 7) / 8
    var mask = [UInt8](repeating: 0, count: stride * source.height)
    var pixels = [UInt32](repeating: 0xFF00_0000, count: source.pixels.count)
    for (index, pixel) in source.pixels.enumerated() where pixel >> 24 >= threshold {
      let (row, column) = index.quotientAndRemainder(dividingBy: source.width)
      mask[row * stride + column / 8] |= 1 << UInt8(column % 8)
      pixels[index] = Self.opaque(pixel)
    }
    self.mask = mask
    bitmap = source
    bitmap.pixels = pixels
  }

  private static func opaque(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha != 0, alpha != 255 else { return pixel }
    func full(_ shift: UInt32) -> UInt32 { min(255, ((pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha) << shift }
    return 0xFF00_0000 | full(16) | full(8) | full(0)
  }
}
