import TestSupport
import Testing

@testable import XDnD

/// What settings daemons publish, and what anybody could.
@Suite("XSETTINGS", .computing)
struct XSettingsTests {
  private static let example: [(String, XSettings.Value)] = [
    ("Gtk/CursorThemeName", .string("Grüße")), ("Gtk/CursorThemeSize", .integer(48)), ("a", .integer(-1)),
    ("Net/Color", .color), ("Net/Empty", .string("")), ("Net/DndDragThreshold", .integer(9)),
  ]

  @Test(arguments: [false, true]) func `settings are read in either byte order`(bigEndian: Bool) {
    let settings = XSettings(bytes: Self.example.xsettings(bigEndian: bigEndian))
    for (name, value) in Self.example { #expect(settings.values[name] == value) }
    #expect(settings.values["b"] == nil)
    #expect(settings.string("a") == nil)
    #expect(settings.integer("Net/Empty") == nil)
  }

  @Test func `a list that is cut off anywhere keeps what came before`() {
    let bytes = Self.example.xsettings()
    var counts: Set<Int> = []
    for length in 0...bytes.count {
      let settings = XSettings(bytes: bytes.prefix(length))
      let known = Self.example.map { settings.values[$0.0] == $0.1 }
      // No hole: all up to one, and none after it.
      let count = known.prefix { $0 }.count
      #expect(!known.dropFirst(count).contains(true))
      counts.insert(count)
    }
    #expect(counts == Set(0...Self.example.count))
  }

  @Test func `a setting of no known type ends the list, and of two with one name the first holds`() {
    var bytes = [("a", XSettings.Value.integer(1)), ("a", .integer(2)), ("b", .integer(3))].xsettings()
    #expect(XSettings(bytes: bytes).integer("a") == 1)
    // The type of the last one, which takes 16 bytes.
    bytes[bytes.count - 16] = 7
    #expect(XSettings(bytes: bytes).integer("a") == 1)
    #expect(XSettings(bytes: bytes).integer("b") == nil)
  }

  @Test func `a byte order that there is none of says nothing`() {
    for order in UInt8(2)...255 {
      var bytes = Self.example.xsettings()
      bytes[0] = order
      #expect(XSettings(bytes: bytes) == XSettings())
    }
  }

  @Test func `no bytes can do harm`() {
    var random = SplitMix64(seed: 22)
    let good = Self.example.xsettings(bigEndian: true)
    for _ in 0..<QuickTests.cases(of: 20_000) {
      var bytes = random.oneIn(4) ? (0..<random.below(64)).map { _ in UInt8(random.below(256)) } : good
      for _ in 0...random.below(6) where !bytes.isEmpty { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      let settings = DesktopSettings(XSettings(bytes: bytes))
      #expect((1...8).contains(settings.scale))
      #expect(settings.cursorSize.map { (8...512).contains($0) } ?? true)
    }
  }
}

/// Which of the sources of settings wins.
@Suite("Settings of the desktop")
struct DesktopSettingsTests {
  private let daemon = XSettings(
    bytes: [
      ("Gtk/CursorThemeName", .string("Daemon")), ("Gtk/CursorThemeSize", .integer(48)),
      ("Net/DndDragThreshold", .integer(5)), ("Net/DoubleClickTime", .integer(400)),
    ].xsettings())

  @Test func `without any source there is what Xcursor does without any`() {
    #expect(DesktopSettings(screenSize: (1920, 1080)).cursorSize == 22)
    var nothing = DesktopSettings(screenSize: (3840, 2160))
    #expect(nothing.cursorSize == 45)
    nothing.cursorSize = nil
    #expect(nothing == DesktopSettings())
  }

  @Test func `the daemon wins over the environment, and that over the resources`() {
    let environment = ["XCURSOR_THEME": "Variable", "XCURSOR_SIZE": "32"]
    let resources = ["Xcursor.theme": "Resource", "Xcursor.size": "40", "Xft.dpi": "96"]
    func look(_ settings: DesktopSettings) -> String { "\(settings.cursorTheme ?? "-") \(settings.cursorSize ?? 0)" }
    #expect(look(DesktopSettings(daemon, environment: environment, resources: resources)) == "Daemon 48")
    #expect(look(DesktopSettings(environment: environment, resources: resources)) == "Variable 32")
    #expect(look(DesktopSettings(resources: resources)) == "Resource 40")
    #expect(look(DesktopSettings(resources: ["Xft.dpi": "144"])) == "- 32")
    // What makes no sense is as if it were not there.
    let senseless = [("Gtk/CursorThemeName", XSettings.Value.string("../x")), ("Gtk/CursorThemeSize", .integer(0))]
    let odd = DesktopSettings(
      XSettings(bytes: senseless.xsettings()), environment: ["XCURSOR_THEME": "", "XCURSOR_SIZE": "large"],
      resources: resources)
    #expect(look(odd) == "Resource 40")
  }

  @Test(
    arguments: [
      ([:], nil, nil, 1.0), ([:], nil, "96", 1), ([:], nil, "144", 1.5), ([:], nil, "nan", 1), ([:], nil, "72", 1),
      (["GDK_SCALE": "2"], nil, nil, 2), (["GDK_SCALE": "2"], nil, "96", 2), (["GDK_SCALE": "2"], nil, "288", 3),
      ([:], 2, nil, 2), ([:], 0, nil, 1), ([:], 2_000_000, nil, 1), (["GDK_SCALE": "1"], 3, nil, 1),
      ([:], nil, "1e300", 8),
    ] as [([String: String], Int?, String?, Double)])
  func `the scale is that of windows or that of text, whichever is more`(
    environment: [String: String], windows: Int?, dpi: String?, expected: Double
  ) {
    let daemon = windows.map { [("Gdk/WindowScalingFactor", XSettings.Value.integer($0))].xsettings() } ?? []
    let settings = DesktopSettings(
      XSettings(bytes: daemon), environment: environment, resources: dpi.map { ["Xft.dpi": $0] } ?? [:])
    #expect(settings.scale == expected)
  }

  @Test func `a resolution of the daemon counts in 1024ths, and -1 is none`() {
    func scale(_ dpi: Int) -> Double {
      DesktopSettings(XSettings(bytes: [("Xft/DPI", .integer(dpi))].xsettings()), resources: ["Xft.dpi": "192"]).scale
    }
    #expect(scale(120 * 1024) == 1.25)
    #expect(scale(-1) == 2)
  }

  @Test func `distances grow with windows, and times do not`() {
    #expect(DesktopSettings(daemon).dragThreshold == 5)
    #expect(DesktopSettings(daemon).doubleClickTime == .milliseconds(400))
    let scaled = [("Net/DndDragThreshold", XSettings.Value.integer(5)), ("Gdk/WindowScalingFactor", .integer(2))]
    #expect(DesktopSettings(XSettings(bytes: scaled.xsettings())).dragThreshold == 10)
    #expect(DesktopSettings().dragThreshold == nil)
  }

  @Test(arguments: ["Gtk/EnableAnimations", "Net/EnableAnimations"])
  func `who wants no animations gets none`(name: String) {
    #expect(!DesktopSettings().appearance.reducesMotion)
    #expect(DesktopSettings(XSettings(bytes: [(name, .integer(0))].xsettings())).appearance.reducesMotion)
    #expect(!DesktopSettings(XSettings(bytes: [(name, .integer(1))].xsettings())).appearance.reducesMotion)
  }
}
