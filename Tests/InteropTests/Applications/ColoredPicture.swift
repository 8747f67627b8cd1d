import TestSupport

/// A picture that can be found on a screen by its colour.
enum ColoredPicture {
  /// `0xRRGGBB`; no theme has it.
  static let color: UInt32 = 0xFF2040

  /// A PNG in this colour alone.
  static let png = PNG.encode(
    width: 200, height: 150, rgb: Array(repeating: [0xFF, 0x20, 0x40], count: 200 * 150).flatMap(\.self))
}
