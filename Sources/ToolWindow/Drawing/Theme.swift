internal import Glibc
internal import XDnDLoadedLibraries
internal import XDnDX11

/// The colors of an appearance.
struct Theme {
  let isDark: Bool
  /// Whether filled areas have an edge, because tints alone are too faint.
  var hasEdges = false
  let background: Color
  /// The background of the list.
  let card: Color
  let border: Color
  let text: Color
  let secondaryText: Color
  let dimmedText: Color
  let errorText: Color
  /// The color of progress bars, focus rings and links; it tints highlighted rows.
  let accent: Color
  /// The background of selected rows.
  let selection: Color
  let selectedText: Color
  /// The color of the drop highlight.
  let accepting: Color

  /// The background of highlighted rows.
  var highlight: Color { card.mixed(with: accent, 0.14) }
  /// The background of selected rows while another window is active.
  var inactiveSelection: Color { card.mixed(with: text, hasEdges ? 0.22 : 0.13) }
  /// The background of the row or part under the pointer.
  var hover: Color { card.mixed(with: text, 0.045) }
  /// The background of rows with an error.
  var errorGround: Color { card.mixed(with: errorText, 0.08) }

  /// The background of a dragged card. The dark theme lightens it, because a shadow does not show on dark windows.
  var liftedCard: Color { isDark && !hasEdges ? card.mixed(with: text, 0.10) : card }
  /// The edge of a card that is dragged.
  var liftedBorder: Color { isDark ? border.mixed(with: text, 0.25) : border }

  /// Returns the background of a button. A hovered or pressed button is tinted weakly, so that its label stays legible.
  func button(isDefault: Bool, isDown: Bool, isHovered: Bool) -> Color {
    if isDefault { return selection.mixed(with: Color(0), isDown ? 0.22 : isHovered ? 0.12 : 0) }
    return card.mixed(with: text, isDown ? 0.18 : isHovered ? 0.12 : 0.07)
  }

  func background(for highlight: Scene.DropHighlight) -> Color {
    switch highlight {
    case .none: background
    case .accepting: background.mixed(with: accepting, 0.10)
    }
  }

  static let light = Theme(
    isDark: false, background: 0xF4F4F6, card: 0xFFFFFF, border: 0xDCDCE1, text: 0x1E1E23, secondaryText: 0x5F5F69,
    dimmedText: 0x73737D, errorText: 0xB3141F, accent: 0x2F76D2, selection: 0x2468C4, selectedText: 0xFFFFFF,
    accepting: 0x1F8A4C)
  static let dark = Theme(
    isDark: true, background: 0x1D1D21, card: 0x2A2A30, border: 0x3C3C44, text: 0xF1F1F4, secondaryText: 0xB2B2BC,
    dimmedText: 0x93939E, errorText: 0xFF9298, accent: 0x5B9DF0, selection: 0x2A69BE, selectedText: 0xFFFFFF,
    accepting: 0x4CC380)
  static let highContrast = Theme(
    isDark: false, hasEdges: true, background: 0xFFFFFF, card: 0xFFFFFF, border: 0x000000, text: 0x000000,
    secondaryText: 0x1A1A1A, dimmedText: 0x4A4A4A, errorText: 0x8A0000, accent: 0x0A3D91, selection: 0x003380,
    selectedText: 0xFFFFFF, accepting: 0x00561F)
  static let highContrastDark = Theme(
    isDark: true, hasEdges: true, background: 0x000000, card: 0x000000, border: 0xFFFFFF, text: 0xFFFFFF,
    secondaryText: 0xF0F0F0, dimmedText: 0xB4B4B4, errorText: 0xFFB3B3, accent: 0xA6D2FF, selection: 0xA6D2FF,
    selectedText: 0x000000, accepting: 0x7FE0A0)
}

extension Theme {
  init(_ appearance: Scene.Appearance) {
    switch appearance {
    case .light: self = .light
    case .dark: self = .dark
    case .highContrast: self = .highContrast
    case .highContrastDark: self = .highContrastDark
    }
  }
}

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

  /// Returns the pixel value in a TrueColor or DirectColor visual; 0 if the visual has no color masks.
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
