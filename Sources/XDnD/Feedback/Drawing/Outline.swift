/// A picture for a screen that cannot blend: each pixel is there or not, and those that are there have their full colour.
///
/// Without a compositing manager the server ignores the alpha of a window's pixels. So the window is cut to an outline,
/// and what is inside of it has to be opaque: premultiplied colours would come out too dark along the edge.
struct Outline: Equatable, Sendable {
  /// The colours, all opaque; black where nothing is to be seen.
  var bitmap: Bitmap
  /// One bit a pixel, the lowest bit of a byte is its leftmost pixel, and each row begins with a byte: the format of
  /// `XCreateBitmapFromData`.
  var mask: [UInt8]

  /// Below a quarter of full opacity a picture is taken to have faded away.
  private static let faintest: UInt32 = 64

  /// Cuts a picture where it is half as opaque as it is at its most opaque place.
  ///
  /// Not at half of full opacity: a drag image that is translucent all over, or is just fading out, stays there. A soft
  /// shadow goes.
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

  /// The colour of a premultiplied pixel, as it is without its alpha.
  private static func opaque(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha != 0, alpha != 255 else { return pixel }
    func full(_ shift: UInt32) -> UInt32 { min(255, ((pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha) << shift }
    return 0xFF00_0000 | full(16) | full(8) | full(0)
  }
}
