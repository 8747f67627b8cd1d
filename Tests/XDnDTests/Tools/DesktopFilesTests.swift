import Testing
import XDnDToolWindow
import XDnD

@testable import XDnDToolSupport

/// What desktops say in files and in the environment, where no daemon says it.
@Suite("Settings of desktops in files") struct DesktopFilesTests {
  private func complete(
    _ desktop: DesktopAppearance = DesktopAppearance(), environment: [String: String] = ["HOME": "/home/me"],
    files: [String: String] = [:]
  ) -> DesktopAppearance {
    DesktopFiles.completing(desktop, environment: { environment[$0] }, file: { files[$0].map(SettingsFile.init(_:)) })
  }

  private let gtk4 = "/home/me/.config/gtk-4.0/settings.ini"
  private let gtk3 = "/home/me/.config/gtk-3.0/settings.ini"
  private let kde = "/home/me/.config/kdeglobals"

  @Test func `the daemon goes first, then GTK 4, GTK 3 and KDE`() {
    let files = [
      gtk4: "[Settings]\ngtk-theme-name=Four\n",
      gtk3: "[Settings]\ngtk-theme-name=Three\ngtk-icon-theme-name=Icons3\n",
      kde: "[General]\nColorScheme=KDark\n[Icons]\nTheme=breeze\n",
    ]
    #expect(complete(files: files) == DesktopAppearance(theme: "Four", iconTheme: "Icons3"))
    let daemon = DesktopAppearance(theme: "Daemon", iconTheme: "DaemonIcons")
    #expect(complete(daemon, files: files) == daemon)
    #expect(complete(files: [kde: files[kde] ?? ""]) == DesktopAppearance(theme: "KDark", iconTheme: "breeze"))
  }

  @Test(arguments: [("1", true), ("true", true), ("TRUE", true), ("0", false), ("false", false)])
  func `dark may be preferred with any theme`(_ value: String, _ isDark: Bool) {
    let files = [gtk3: "[Settings]\ngtk-application-prefer-dark-theme = \(value)\n"]
    #expect(complete(files: files).prefersDark == isDark)
    #expect(complete(DesktopAppearance(theme: "Adwaita"), files: files).isDark == isDark)
  }

  @Test func `what is set by hand for one program goes before the daemon`() {
    let environment = ["HOME": "/home/me", "GTK_THEME": "Adwaita:dark"]
    #expect(complete(DesktopAppearance(theme: "Adwaita"), environment: environment).isDark == true)
  }

  @Test func `the directory is that of the XDG specification`() {
    let files = [
      "/elsewhere/kdeglobals": "[General]\nColorScheme=BreezeDark\n", kde: "[General]\nColorScheme=Breeze\n",
    ]
    let elsewhere = ["HOME": "/home/me", "XDG_CONFIG_HOME": "/elsewhere"]
    #expect(complete(environment: elsewhere, files: files).isDark == true)
    let relative = ["HOME": "/home/me", "XDG_CONFIG_HOME": "elsewhere"]
    #expect(complete(environment: relative, files: files).theme == "Breeze")
    #expect(complete(environment: [:], files: files) == DesktopAppearance())
  }
}
