import TestSupport
import Testing

@testable import XDnD

/// Bright or dark, by what settings daemons say.
@Suite("What the desktop looks like") struct DesktopAppearanceTests {
  @Test(arguments: [
    "Adwaita-dark", "Adwaita:dark", "Yaru-blue-dark", "Mint-Y-Dark-Aqua", "Arc-Dark", "BreezeDark",
    "Materia-dark-compact",
    "Nordic_Dark", "dark", "HighContrastInverse", "HighContrast-Inverse", "HighContrast:dark",
  ])
  func `a theme with the word in its name is dark`(_ theme: String) {
    #expect(DesktopAppearance(theme: theme).isDark == true)
  }

  @Test(arguments: ["Adwaita", "Darkroom", "Breeze", "Mint-Y", "HighContrast", "Inverse", ""])
  func `others are not`(_ theme: String) {
    #expect(DesktopAppearance(theme: theme).isDark != true)
  }

  @Test(arguments: [
    ("HighContrast", true), ("HighContrastInverse", true), ("High-Contrast", true), ("ContrastHigh", true),
    ("ContrastHighInverse", true), ("Adwaita", false), ("Contrast", false), ("", false), (nil, false),
  ])
  func `a theme of high contrast is known by its name`(_ theme: String?, _ isHigh: Bool) {
    #expect(DesktopAppearance(theme: theme).isHighContrast == isHigh)
  }

  @Test func `who prefers dark gets it from any theme, and nobody knows without either`() {
    #expect(DesktopAppearance(theme: "Adwaita", prefersDark: true).isDark == true)
    #expect(DesktopAppearance(theme: "Adwaita-dark", prefersDark: false).isDark == true)
    #expect(DesktopAppearance(prefersDark: false).isDark == false)
    #expect(DesktopAppearance().isDark == nil)
  }

  @Test func `the daemon's words become it, and empty ones do not`() {
    let settings: [(String, XSettings.Value)] = [
      ("Net/ThemeName", .string("Arc-Dark")), ("Net/IconThemeName", .string("")),
      ("Gtk/ApplicationPreferDarkTheme", .integer(0)), ("Gdk/WindowScalingFactor", .integer(2)),
    ]
    let appearance = DesktopSettings(XSettings(bytes: settings.xsettings())).appearance
    #expect(appearance == DesktopAppearance(theme: "Arc-Dark", prefersDark: false, iconTheme: nil, scale: 2))
    #expect(DesktopSettings().appearance == DesktopAppearance())
  }
}
