import XDnD

/// The colors of the window.
struct Theme {
  var ground: Color
  var paper: Color
  var line: Color
  var text: Color
  var faintText: Color
  var accent: Color
  /// The ground of selected rows in the list that has the keys, and the text on it.
  var selection: Color
  var selectedText: Color = 0xFFFFFF

  static let light = Theme(
    ground: 0xF4F4F6, paper: 0xFFFFFF, line: 0xCBCBD1, text: 0x1E1E23, faintText: 0x5F5F69, accent: 0x286CC8,
    selection: 0x2468C4)
  static let dark = Theme(
    ground: 0x1D1D21, paper: 0x2A2A30, line: 0x4A4A53, text: 0xF1F1F4, faintText: 0xB2B2BC, accent: 0x5B9DF0,
    selection: 0x2A69BE)

  static let highContrast = Theme(
    ground: 0xFFFFFF, paper: 0xFFFFFF, line: 0x000000, text: 0x000000, faintText: 0x000000, accent: 0x0000C0,
    selection: 0x000000)
  static let highContrastDark = Theme(
    ground: 0x000000, paper: 0x000000, line: 0xFFFFFF, text: 0xFFFFFF, faintText: 0xFFFFFF, accent: 0x7FDFFF,
    selection: 0xFFFFFF, selectedText: 0x000000)
}

extension Card.Color {
  var ink: Color {
    switch self {
    case .blue: 0x3584E4
    case .green: 0x26A269
    case .amber: 0xE5A50A
    case .red: 0xE0303A
    case .grey: 0x8E8D93
    }
  }
}

extension Theme {
  init(_ appearance: DesktopAppearance) {
    let isDark = appearance.isDark == true
    self =
      if appearance.isHighContrast { isDark ? .highContrastDark : .highContrast } else { isDark ? .dark : .light }
  }
}
