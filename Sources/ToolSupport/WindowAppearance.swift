public import ArgumentParser
import CX11
import Glibc
public import ToolWindow
public import XDnD

/// Bright or dark, or as the desktop is: the value of `--appearance`.
public enum AppearanceChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Dark text on bright ground.
  case light
  /// Bright text on dark ground.
  case dark
  /// As the desktop is.
  case auto
}

extension ToolWindow {
  /// Has the window look as the user or the desktop wants it, from now on; the colors are to be taken from
  /// ``Scene/appearance`` of the scene before by each scene that follows.
  public func follow(_ choice: AppearanceChoice, of driver: DragAndDrop) {
    adapt(choice, to: driver.desktopAppearance)
    driver.onDesktopChange = { [unowned self, unowned driver] in adapt(choice, to: driver.desktopAppearance) }
  }

  /// Has the window look as the desktop does now: for windows of programs that are no driver of the library, which therefore
  /// ask over a connection of its own.
  ///
  /// - Parameter display: The window's, which is open.
  public func adoptDesktop(of display: OpaquePointer) {
    let name = XDisplayString(display).map { String(cString: $0) }
    guard let driver = try? DragAndDrop(connectingTo: name) else { return }
    adapt(.auto, to: driver.desktopAppearance)
  }

  private func adapt(_ choice: AppearanceChoice, to desktop: DesktopAppearance) {
    let desktop = DesktopFiles.completing(desktop)
    switch choice {
    case .light: scene.appearance = .light
    case .dark: scene.appearance = .dark
    case .auto: scene.appearance = desktop.isDark == true ? .dark : .light
    }
    iconTheme = desktop.iconTheme
  }
}

/// What desktops without a settings daemon say in files.
enum DesktopFiles {
  /// What the daemon says, and what files and the environment say where it says nothing.
  static func completing(_ desktop: DesktopAppearance) -> DesktopAppearance {
    completing(
      desktop, environment: { getenv($0).map { String(cString: $0) } }, file: { SettingsFile(path: $0) })
  }

  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - file: What is in a file; `nil` if there is none.
  static func completing(
    _ desktop: DesktopAppearance, environment: (String) -> String?, file: (String) -> SettingsFile?
  ) -> DesktopAppearance {
    var result = desktop
    // What somebody has set by hand for programs that he starts.
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
