/// How the desktop wants programs to look, as far as its settings daemon and the X resources say: see
/// ``DragAndDrop/desktopAppearance``.
public struct DesktopAppearance: Hashable, Sendable {
  /// The theme of widgets: `Net/ThemeName`.
  public var theme: String?
  /// Whether programs that can be dark shall be: `Gtk/ApplicationPreferDarkTheme`.
  public var prefersDark: Bool?
  /// The theme that icons come from: `Net/IconThemeName`.
  public var iconTheme: String?
  /// Device pixels per point: 1 to 8, in quarters.
  public var scale: Double

  /// An appearance.
  public init(theme: String? = nil, prefersDark: Bool? = nil, iconTheme: String? = nil, scale: Double = 1) {
    self.theme = theme
    self.prefersDark = prefersDark
    self.iconTheme = iconTheme
    self.scale = scale
  }

  /// Whether that is bright text on dark ground; `nil` if nothing is said about it.
  ///
  /// Nothing says what colors a theme has. By custom the dark ones have the word in their names: `Adwaita-dark`,
  /// `Mint-Y-Dark-Aqua`, `Adwaita:dark`, `BreezeDark`.
  public var isDark: Bool? {
    if prefersDark == true { return true }
    guard let theme else { return prefersDark }
    let words = theme.split { !$0.isLetter }
    return words.contains { $0.lowercased() == "dark" || $0.hasSuffix("Dark") }
  }
}
