/// The desktop's appearance, from its settings daemon, the environment and the X resources; see
/// ``DragAndDrop/desktopAppearance``.
///
/// The counterparts are AppKit's `NSAppearance` and SwiftUI's `ColorScheme`.
public struct DesktopAppearance: Hashable, Sendable {
  /// The widget theme: `Net/ThemeName`.
  package var theme: String?
  /// Whether programs should prefer a dark theme: `Gtk/ApplicationPreferDarkTheme`.
  package var prefersDark: Bool?
  /// The icon theme: `Net/IconThemeName`.
  package var iconTheme: String?
  /// Device pixels per point: 1 to 8, a multiple of 0.25.
  public var scale: Double

  /// Whether animations are turned off: `Gtk/EnableAnimations`, `Net/EnableAnimations`. UIKit's counterpart is
  /// `UIAccessibility.isReduceMotionEnabled`.
  public var reducesMotion: Bool

  package init(
    theme: String? = nil, prefersDark: Bool? = nil, iconTheme: String? = nil, scale: Double = 1,
    reducesMotion: Bool = false
  ) {
    self.theme = theme
    self.prefersDark = prefersDark
    self.iconTheme = iconTheme
    self.scale = scale
    self.reducesMotion = reducesMotion
  }

  /// Whether the theme is dark, with bright text; `nil` if it is unknown.
  ///
  /// No setting states a theme's colours. By convention, dark themes have the word *dark* in their names:
  /// `Adwaita-dark`, `Mint-Y-Dark-Aqua`, `Adwaita:dark`, `BreezeDark`. High-contrast themes with *Inverse* in their
  /// names are dark.
  public var isDark: Bool? {
    if prefersDark == true { return true }
    guard let theme else { return prefersDark }
    let words = theme.split { !$0.isLetter }
    return words.contains { word in
      word.lowercased() == "dark" || word.hasSuffix("Dark")
        || isHighContrast && word.lowercased().hasSuffix("inverse")
    }
  }

  /// Whether the user needs high-contrast colours, judged by the theme's name: `HighContrast`, `HighContrastInverse`,
  /// `ContrastHigh`.
  ///
  /// AppKit's counterpart is `NSWorkspace.accessibilityDisplayShouldIncreaseContrast`.
  public var isHighContrast: Bool {
    let letters = (theme ?? "").filter(\.isLetter).lowercased()
    return letters.contains("highcontrast") || letters.contains("contrasthigh")
  }
}
