/// The bit positions of red, green, blue and, if present, alpha in a visual's pixels.
struct PixelFormat: Equatable {
  private let red: Channel
  private let green: Channel
  private let blue: Channel
  private let alpha: Channel?

  /// A contiguous group of bits in a pixel.
  private struct Channel: Equatable {
    var shift: UInt32
    /// The maximum value.
    var top: UInt32

    init?(mask: UInt32) {
      guard mask != 0 else { return nil }
      shift = UInt32(mask.trailingZeroBitCount)
      top = mask >> shift
      guard top & (top &+ 1) == 0, top <= 0xFFFF else { return nil }
    }

    /// Scales a value of 0 to 255 to this channel, and shifts it into position.
    func place(_ value: UInt32) -> UInt32 { (top == 255 ? value : (value * top + 127) / 255) << shift }

    /// Extracts this channel's value, scaled to 0 to 255.
    func value(in pixel: UInt32) -> UInt32 {
      let value = pixel >> shift & top
      return top == 255 ? value : (value * 255 + top / 2) / top
    }
  }

  /// Creates the format of a `TrueColor` or `DirectColor` visual. Returns `nil` if a mask is empty or its bits are not
  /// contiguous.
  ///
  /// - Parameters:
  ///   - redMask: The bits of red.
  ///   - greenMask: The bits of green.
  ///   - blueMask: The bits of blue.
  ///   - depth: If 32, the bits that no mask covers are alpha: RENDER defines them so, and core visuals do not say it.
  init?(red redMask: UInt32, green greenMask: UInt32, blue blueMask: UInt32, depth: Int) {
    guard let red = Channel(mask: redMask), let green = Channel(mask: greenMask), let blue = Channel(mask: blueMask)
    else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
    alpha = depth == 32 ? Channel(mask: ~(redMask | greenMask | blueMask)) : nil
  }

  /// Whether pixels have alpha.
  var hasAlpha: Bool { alpha != nil }

  /// Whether pixels need no conversion from `0xAARRGGBB` or `0x00RRGGBB`.
  var isNative: Bool {
    func isByte(_ channel: Channel, at shift: UInt32) -> Bool { channel.shift == shift && channel.top == 255 }
    return isByte(red, at: 16) && isByte(green, at: 8) && isByte(blue, at: 0)
      && alpha.map { isByte($0, at: 24) } ?? true
  }

  /// Converts a premultiplied `0xAARRGGBB` to this format.
  func pixel(_ color: UInt32) -> UInt32 {
    red.place(color >> 16 & 0xFF) | green.place(color >> 8 & 0xFF) | blue.place(color & 0xFF)
      | (alpha?.place(color >> 24) ?? 0)
  }

  /// Converts a pixel of this format to `0xAARRGGBB`; opaque if the format has no alpha.
  func color(_ pixel: UInt32) -> UInt32 {
    (alpha?.value(in: pixel) ?? 255) << 24 | red.value(in: pixel) << 16 | green.value(in: pixel) << 8
      | blue.value(in: pixel)
  }
}
