/// Arithmetic of premultiplied `0xAARRGGBB` pixels, two channels per multiplication.
enum Pixel {
  private static let evenChannels: UInt32 = 0x00FF_00FF

  /// Premultiplies a straight `0xAARRGGBB` colour.
  static func premultiplied(_ straight: UInt32) -> UInt32 {
    scaled(straight | 0xFF00_0000, by: straight >> 24)
  }

  /// Returns the pixel with all channels multiplied by `factor / 255`, rounded.
  @inline(__always)
  static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
    var even = (pixel & evenChannels) &* factor &+ 0x0080_0080
    even = ((even &+ ((even >> 8) & evenChannels)) >> 8) & evenChannels
    var odd = ((pixel >> 8) & evenChannels) &* factor &+ 0x0080_0080
    odd = (odd &+ ((odd >> 8) & evenChannels)) & ~evenChannels
    return even | odd
  }

  /// Composites `top` over `bottom`.
  @inline(__always)
  static func over(_ top: UInt32, _ bottom: UInt32) -> UInt32 {
    top &+ scaled(bottom, by: 255 &- (top >> 24))
  }

  /// Interpolates between two pixels; `fraction` is in 256ths.
  @inline(__always)
  static func mix(_ first: UInt32, _ second: UInt32, _ fraction: UInt32) -> UInt32 {
    let rest = 256 &- fraction
    let even = (((first & evenChannels) &* rest &+ (second & evenChannels) &* fraction) >> 8) & evenChannels
    let odd =
      (((first >> 8) & evenChannels) &* rest &+ ((second >> 8) & evenChannels) &* fraction) & ~evenChannels
    return even | odd
  }

  /// Composites `pixel`, with `opacity` in 255ths, over `target`.
  @inline(__always)
  static func draw(_ pixel: UInt32, opacity: UInt32, on target: inout UInt32) {
    if pixel == 0 { return }
    let top = opacity == 255 ? pixel : scaled(pixel, by: opacity)
    target = top >= 0xFF00_0000 ? top : over(top, target)
  }

  static func isPremultiplied(_ pixel: UInt32) -> Bool { pixel == clamped(pixel) }

  static func clamped(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    return alpha << 24 | min((pixel >> 16) & 0xFF, alpha) << 16 | min((pixel >> 8) & 0xFF, alpha) << 8
      | min(pixel & 0xFF, alpha)
  }
}

extension Double {
  /// A fraction from 0 to 1 as a factor from 0 to 255; NaN becomes 0.
  var channel: UInt32 { self > 0 ? UInt32((min(self, 1) * 255).rounded()) : 0 }
}
