import Glibc
import Testing
import XDnD

@testable import Lists

/// The colours of the example.
@Suite("The themes of the example")
struct ListsThemeTests {
  private static let themes = [Theme.light, .dark, .highContrast, .highContrastDark]

  /// The contrast of two opaque colours (WCAG 2.1).
  private func contrast(_ one: Lists.Color, _ other: Lists.Color) -> Double {
    let (dark, bright) = (min(luminance(one), luminance(other)), max(luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)
  }

  private func luminance(_ color: Lists.Color) -> Double {
    zip([16, 8, 0], [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
      let value = Double(color.hex >> part.0 & 0xFF) / 255
      return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
  }

  @Test(arguments: themes.indices) func `text can be read`(_ index: Int) {
    let theme = Self.themes[index]
    let pairs = [
      (theme.selectedText, theme.selection), (theme.text, theme.paper), (theme.text, theme.ground),
      (theme.faintText, theme.ground), (theme.accent, theme.ground),
    ]
    for (text, ground) in pairs { #expect(contrast(text, ground) >= 4.5) }
  }

  @Test(arguments: [("HighContrast", 0xFFFFFF), ("HighContrastInverse", 0), ("Adwaita-dark", 0x2A2A30)])
  func `the theme follows the desktop's`(name: String, paper: UInt32) {
    #expect(Theme(DesktopAppearance(theme: name)).paper.hex == paper)
  }
}
