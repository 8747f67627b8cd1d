internal import Glibc
internal import XDnDLoadedLibraries
internal import XDnDX11

/// An opaque color with components from 0 to 1. As a literal, it is `0xRRGGBB`.
struct Color: Equatable {
  let red: Double
  let green: Double
  let blue: Double

  /// Returns this color blended with `fraction` of `other`.
  func mixed(with other: Color, _ fraction: Double) -> Color {
    func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * fraction }
    return Color(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  /// The contrast ratio of the Web Content Accessibility Guidelines, from 1 to 21.
  func contrast(with other: Color) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  private var luminance: Double {
    func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  func set(on cairo: OpaquePointer, alpha: Double = 1) { cairo_set_source_rgba(cairo, red, green, blue, alpha) }

  /// Returns the pixel value in a TrueColor or DirectColor visual; black if the visual has no color masks.
  func pixel(of visual: Visual) -> UInt {
    func part(_ value: Double, _ mask: UInt) -> UInt {
      guard mask != 0 else { return 0 }
      let shift = mask.trailingZeroBitCount
      return UInt((value * Double(mask >> shift)).rounded()) << shift
    }
    return part(red, visual.red_mask) | part(green, visual.green_mask) | part(blue, visual.blue_mask)
  }
}

extension Color: ExpressibleByIntegerLiteral {
  init(integerLiteral hex: UInt32) { self.init(hex: hex) }

  init(hex: UInt32) {
    red = Double(hex >> 16 & 0xFF) / 255
    green = Double(hex >> 8 & 0xFF) / 255
    blue = Double(hex & 0xFF) / 255
  }
}
