/// Where a visual has red, green and blue in a pixel, and alpha if it has one.
struct PixelFormat: Equatable {
  private let red: Channel
  private let green: Channel
  private let blue: Channel
  private let alpha: Channel?

  /// Some bits of a pixel that are next to each other.
  private struct Channel: Equatable {
    var shift: UInt32
    /// The greatest value.
    var top: UInt32

    init?(mask: UInt32) {
      guard mask != 0 else { return nil }
      shift = UInt32(mask.trailingZeroBitCount)
      top = mask >> shift
      guard top & (top &+ 1) == 0, top <= 0xFFFF else { return nil }
    }

    /// Puts one of 256 steps in its place.
    func place(_ value: UInt32) -> UInt32 { (top == 255 ? value : (value * top + 127) / 255) << shift }

    /// Which of 256 steps it is.
    func value(in pixel: UInt32) -> UInt32 {
      let value = pixel >> shift & top
      return top == 255 ? value : (value * 255 + top / 2) / top
    }
  }

  /// The format of a visual whose pixels are colours by themselves: `TrueColor`, `DirectColor`.
  ///
  /// - Parameters:
  ///   - masks: Of red, green and blue; `nil` results if one has no bits, or bits that are apart.
  ///   - depth: With 32, the bits that no mask has are the alpha: so has the RENDER extension made them, which no
  ///     visual says.
  init?(red redMask: UInt32, green greenMask: UInt32, blue blueMask: UInt32, depth: Int) {
    guard let red = Channel(mask: redMask), let green = Channel(mask: greenMask), let blue = Channel(mask: blueMask)
    else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
    alpha = depth == 32 ? Channel(mask: ~(redMask | greenMask | blueMask)) : nil
  }

  /// Whether pixels say how opaque they are.
  var hasAlpha: Bool { alpha != nil }

  /// Whether pixels are `0xAARRGGBB` or `0x00RRGGBB` already.
  var isNative: Bool {
    func isByte(_ channel: Channel, at shift: UInt32) -> Bool { channel.shift == shift && channel.top == 255 }
    return isByte(red, at: 16) && isByte(green, at: 8) && isByte(blue, at: 0)
      && alpha.map { isByte($0, at: 24) } ?? true
  }

  /// A premultiplied `0xAARRGGBB` in this format.
  func pixel(_ color: UInt32) -> UInt32 {
    red.place(color >> 16 & 0xFF) | green.place(color >> 8 & 0xFF) | blue.place(color & 0xFF)
      | (alpha?.place(color >> 24) ?? 0)
  }

  /// The `0xAARRGGBB` of a pixel in this format, opaque if there is no alpha.
  func color(_ pixel: UInt32) -> UInt32 {
    (alpha?.value(in: pixel) ?? 255) << 24 | red.value(in: pixel) << 16 | green.value(in: pixel) << 8
      | blue.value(in: pixel)
  }
}
