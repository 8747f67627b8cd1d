import ArgumentParser
import XDnDX11
import Glibc
package import XDnDToolWindow
package import XDnD

/// The value of `--appearance`.
package enum AppearanceChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case light, dark
  /// The desktop's preference.
  case auto

  /// Applies the choice and the desktop's icon theme to a window, now and when the desktop changes. Takes over
  /// ``DragAndDrop/onDesktopChange``. Later scenes have to copy ``Scene/appearance`` from the current scene.
  package func apply(to window: ToolWindow, following driver: DragAndDrop) {
    apply(to: window, driver.desktopAppearance)
    driver.onDesktopChange = { [unowned window, unowned driver] in apply(to: window, driver.desktopAppearance) }
  }

  /// Applies the choice and the desktop's icon theme to a window.
  package func apply(to window: ToolWindow, _ desktop: DesktopAppearance) {
    let desktop = DesktopFiles.completing(desktop)
    let isDark =
      switch self {
      case .light: false
      case .dark: true
      case .auto: desktop.isDark == true
      }
    // A desktop's high contrast stays: the option chooses only between light and dark.
    window.scene.appearance =
      if desktop.isHighContrast { isDark ? .highContrastDark : .highContrast } else { isDark ? .dark : .light }
    window.iconTheme = desktop.iconTheme
  }
}

extension DesktopAppearance {
  /// Reads the appearance over a temporary connection, for tools without a ``DragAndDrop``.
  ///
  /// - Parameter display: An open `Display *`.
  package init(of display: OpaquePointer) {
    let name = XDisplayString(display).map { String(cString: $0) }
    self = (try? DragAndDrop(connectingTo: name))?.desktopAppearance ?? DesktopAppearance()
  }
}

/// The settings files of desktops without a settings daemon.
enum DesktopFiles {
  /// Completes the settings daemon's values with values from the environment and from the files.
  static func completing(
    _ desktop: DesktopAppearance, environment: (String) -> String? = { getenv($0).map { String(cString: $0) } },
    file: (String) -> SettingsFile? = { SettingsFile(path: $0) }
  ) -> DesktopAppearance {
    var result = desktop
    // `GTK_THEME` overrides the desktop's theme: the user sets it for single programs.
    if let theme = environment("GTK_THEME"), !theme.isEmpty { result.theme = theme }
    if result.theme != nil, result.prefersDark != nil, result.iconTheme != nil { return result }
    let home = environment("HOME").map { "\($0)/.config" }
    guard let directory = environment("XDG_CONFIG_HOME").flatMap({ $0.hasPrefix("/") ? $0 : nil }) ?? home else {
      return result
    }
    for version in ["gtk-4.0", "gtk-3.0"] {
      guard let settings = file("\(directory)/\(version)/settings.ini") else { continue }
      result.theme = result.theme ?? settings["Settings", "gtk-theme-name"]
      result.iconTheme = result.iconTheme ?? settings["Settings", "gtk-icon-theme-name"]
      result.prefersDark =
        result.prefersDark
        ?? settings["Settings", "gtk-application-prefer-dark-theme"].map { ["1", "true"].contains($0.lowercased()) }
    }
    if let settings = file("\(directory)/kdeglobals") {
      result.theme = result.theme ?? settings["General", "ColorScheme"]
      result.iconTheme = result.iconTheme ?? settings["Icons", "Theme"]
    }
    return result
  }
}
