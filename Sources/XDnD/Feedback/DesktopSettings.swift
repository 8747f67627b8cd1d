package struct DesktopSettings: Equatable, Sendable {
  /// The cursor theme; `nil` for Xcursor's `default`.
  var cursorTheme: String?
  /// The nominal size of a cursor, in device pixels.
  var cursorSize: Int?
  var dragThreshold: Int?
  var doubleClickTime: Duration?
  /// The appearance for ``DragAndDrop/desktopAppearance``.
  var appearance = DesktopAppearance()

  package init() {}

  /// Device pixels per point: 1 to 8, a multiple of 0.25.
  var scale: Double { appearance.scale }

  /// Merges the sources of settings. Each setting has the value of the first source that states one: the settings
  /// daemon, because its values change while programs run; the environment; the X resources; the default. Only
  /// `GDK_SCALE` overrides the daemon's value, as in GDK.
  ///
  /// - Parameters:
  ///   - desktop: The settings that the settings daemon publishes.
  ///   - resources: The X resources, by names such as `Xcursor.size`.
  ///   - screenSize: In device pixels.
  init(
    _ desktop: XSettings = XSettings(), environment: [String: String] = [:], resources: [String: String] = [:],
    screenSize: (width: Int, height: Int)? = nil
  ) {
    let windowScale = desktop.integer("Gdk/WindowScalingFactor", in: 1...8)
    let dpi =
      // In units of 1/1024 dpi; -1 means unset.
      desktop.integer("Xft/DPI", in: 1 ... .max).map { Double($0) / 1024 }
      ?? resources["Xft.dpi"].flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    // Daemons multiply the resolution by the scale, but users who set GDK_SCALE do not: take the larger one.
    let factor = Self.positive(environment["GDK_SCALE"]) ?? windowScale ?? 1
    let wanted = max(Double(factor), (dpi ?? 96) / 96)
    // `Net/EnableAnimations` is the name that Xfce's settings use and GTK 3 reads.
    let animations = desktop.integer("Gtk/EnableAnimations") ?? desktop.integer("Net/EnableAnimations")
    appearance = DesktopAppearance(
      theme: Self.nonEmpty(desktop.string("Net/ThemeName")),
      prefersDark: desktop.integer("Gtk/ApplicationPreferDarkTheme").map { $0 != 0 },
      iconTheme: Self.nonEmpty(desktop.string("Net/IconThemeName")),
      scale: (min(max(wanted, 1), 8) * 4).rounded() / 4, reducesMotion: animations == 0)

    // A theme's name becomes part of a path, and any client may publish one.
    let theme = Self.nonEmpty(desktop.string("Gtk/CursorThemeName")).flatMap { $0.contains("/") ? nil : $0 }
    cursorTheme = theme ?? Self.nonEmpty(environment["XCURSOR_THEME"]) ?? Self.nonEmpty(resources["Xcursor.theme"])
    let size =
      desktop.integer("Gtk/CursorThemeSize", in: 1 ... .max)
      ?? Self.positive(environment["XCURSOR_SIZE"]) ?? Self.positive(resources["Xcursor.size"])
      // Xcursor's rules: 16 points at `Xft.dpi`, otherwise 1/48 of the screen's shorter side.
      ?? Self.positive(resources["Xft.dpi"]).map { $0 * 16 / 72 }
      ?? screenSize.map { min($0.width, $0.height) / 48 }
    cursorSize = size.map { min(max($0, Self.cursorSizes.lowerBound), Self.cursorSizes.upperBound) }

    // GTK compares the threshold with distances in logical pixels; hence the window scale.
    dragThreshold = desktop.integer("Net/DndDragThreshold", in: 1...1000).map { $0 * (windowScale ?? 1) }
    doubleClickTime = desktop.integer("Net/DoubleClickTime", in: 1 ... .max).map { .milliseconds($0) }
  }

  /// Smaller cursors are not recognisable; larger ones are a mistake that would cost megabytes.
  private static let cursorSizes = 8...512

  private static func nonEmpty(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The number at the beginning of a text, parsed as `atoi` does; `nil` if it is not in 1 to 100000.
  private static func positive(_ text: String?) -> Int? {
    guard let text else { return nil }
    let digits = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)), (1...100_000).contains(number) else { return nil }
    return number
  }
}
