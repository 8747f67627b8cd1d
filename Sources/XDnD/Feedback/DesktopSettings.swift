/// What the desktop has set that a drag should look and feel like.
struct DesktopSettings: Equatable, Sendable {
  /// The theme that cursors come from; `nil` is the one that Xcursor calls `default`.
  var cursorTheme: String?
  /// The nominal size of a cursor, in device pixels.
  var cursorSize: Int?
  /// How far the pointer moves with its button down before that is a drag, in device pixels.
  var dragThreshold: Int?
  /// Within which time two clicks are a double click.
  var doubleClickTime: Duration?
  /// Whether things may fly and fade. Where the user does not want that, they are where they end at once.
  var areAnimationsEnabled = true
  /// Device pixels per point: 1 to 8, in quarters.
  var scale = 1.0
  /// What windows look like, apart from the scale.
  private var look = DesktopAppearance()

  /// A desktop that says nothing.
  init() {}

  /// What windows look like.
  var appearance: DesktopAppearance {
    var appearance = look
    appearance.scale = scale
    return appearance
  }

  /// What the sources of settings amount to. Which one wins is in `docs/decisions/0022-cursors-and-settings.md`.
  ///
  /// - Parameters:
  ///   - desktop: What the settings daemon publishes.
  ///   - environment: The variables of the process.
  ///   - resources: The X resources, by names such as `Xcursor.size`.
  ///   - screenSize: The screen, in device pixels.
  init(
    _ desktop: XSettings = XSettings(), environment: [String: String] = [:], resources: [String: String] = [:],
    screenSize: (width: Int, height: Int)? = nil
  ) {
    let windowScale = desktop.integer("Gdk/WindowScalingFactor").flatMap { Self.scales.contains($0) ? $0 : nil }
    let dpi =
      // In 1024ths of a dot; -1 says that nothing is set.
      desktop.integer("Xft/DPI").flatMap { $0 > 0 ? Double($0) / 1024 : nil }
      ?? resources["Xft.dpi"].flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    // Daemons multiply the resolution by the scale, users that set GDK_SCALE by hand do not: the larger one is meant.
    let factor = Self.positive(environment["GDK_SCALE"]) ?? windowScale ?? 1
    let wanted = max(Double(factor), (dpi ?? 96) / 96)
    scale = (min(max(wanted, 1), 8) * 4).rounded() / 4

    cursorTheme  // Any client could have said it, and the name of a theme becomes part of a path.
    =
      desktop.string("Gtk/CursorThemeName").flatMap { $0.isEmpty || $0.contains("/") ? nil : $0 }
      ?? Self.nonEmpty(environment["XCURSOR_THEME"]) ?? Self.nonEmpty(resources["Xcursor.theme"])
    let size =
      desktop.integer("Gtk/CursorThemeSize").flatMap { $0 > 0 ? $0 : nil }
      ?? Self.positive(environment["XCURSOR_SIZE"]) ?? Self.positive(resources["Xcursor.size"])
      // The two rules of Xcursor: 16 points, else a 48th of the shorter side of the screen.
      ?? Self.positive(resources["Xft.dpi"]).map { $0 * 16 / 72 }
      ?? screenSize.map { min($0.width, $0.height) / 48 }
    cursorSize = size.map { min(max($0, Self.cursorSizes.lowerBound), Self.cursorSizes.upperBound) }

    // GTK compares it with distances in its own pixels, which the scale of windows has made larger.
    dragThreshold = desktop.integer("Net/DndDragThreshold")
      .flatMap { (1...1000).contains($0) ? $0 * (windowScale ?? 1) : nil }
    doubleClickTime = desktop.integer("Net/DoubleClickTime").flatMap { $0 > 0 ? .milliseconds($0) : nil }
    // The second name is what Xfce's users set, and GTK 3 reads.
    let animations = desktop.integer("Gtk/EnableAnimations") ?? desktop.integer("Net/EnableAnimations")
    areAnimationsEnabled = animations != 0
    look = DesktopAppearance(
      theme: Self.nonEmpty(desktop.string("Net/ThemeName")),
      prefersDark: desktop.integer("Gtk/ApplicationPreferDarkTheme").map { $0 != 0 },
      iconTheme: Self.nonEmpty(desktop.string("Net/IconThemeName")))
  }

  private static let scales = 1...8

  /// Below, nothing can be recognised; above, it is a mistake that would cost megabytes.
  private static let cursorSizes = 8...512

  private static func nonEmpty(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The number that a text begins with, as C's `atoi` reads it, if it is one that makes sense.
  private static func positive(_ text: String?) -> Int? {
    guard let text else { return nil }
    let digits = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)), (1...100_000).contains(number) else { return nil }
    return number
  }
}
