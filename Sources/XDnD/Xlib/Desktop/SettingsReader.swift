import XDnDX11
import Glibc

/// Reads and caches the desktop's settings: XSETTINGS, X resources and environment.
///
/// A settings daemon owns a manager selection and publishes its list in a property of the owner window. The selection
/// is observed through XFixes, because daemons start and stop; the property through `PropertyNotify`.
final class SettingsReader {
  /// The manager selection of this screen's settings daemon.
  let selection: AtomName

  private let display: DisplayHandle
  private let properties: Properties
  private let selections: ServerSelections
  private let masks: EventMasks
  private var known: DesktopSettings?
  private var manager = WindowID.none
  private var isObserved = false

  init(_ display: DisplayHandle, _ properties: Properties, _ selections: ServerSelections, _ masks: EventMasks) {
    self.display = display
    self.properties = properties
    self.selections = selections
    self.masks = masks
    selection = AtomName("_XSETTINGS_S\(display.screen)")
  }

  /// The current settings; the last known ones once the connection is lost.
  var settings: DesktopSettings {
    if let known { return known }
    let settings = DesktopSettings(
      published(), environment: Self.environment, resources: resources, screenSize: screenSize)
    known = settings
    return settings
  }

  /// Discards the cache.
  func expire() {
    if !display.isClosed { known = nil }
  }

  /// Discards the cache if `window` is the settings daemon's.
  ///
  /// - Returns: Whether it is.
  func propertyChanged(of window: WindowID) -> Bool {
    guard window == manager, window != .none else { return false }
    expire()
    return true
  }

  private static let property = AtomName("_XSETTINGS_SETTINGS")

  private func published() -> XSettings {
    if !isObserved {
      isObserved = true
      selections.observeOwner(of: selection, true)
    }
    watch(selections.owner(of: selection))
    guard manager != .none else { return XSettings() }
    // Reads only one page, a mebibyte: far more than any real daemon publishes.
    var bytes: [UInt8] = []
    _ = properties.readPage(Self.property, of: manager, from: 0, delete: false) { header, page in
      if header.format == 8 { bytes = Array(page) }
    }
    return XSettings(bytes: bytes)
  }

  /// Called before the list is read, so that no change is missed.
  private func watch(_ owner: WindowID) {
    guard owner != manager else { return }
    // `StructureNotifyMask` reports the window's destruction, after which ``EventMasks`` forgets it.
    let mask = PropertyChangeMask | StructureNotifyMask
    if manager != .none { masks.remove(mask, from: manager) }
    manager = owner != .none && masks.add(mask, to: owner, onError: .swallow) ? owner : .none
  }

  /// The X resources of Xcursor and Xft.
  private var resources: [String: String] {
    var resources: [String: String] = [:]
    for (program, name) in [("Xcursor", "theme"), ("Xcursor", "size"), ("Xft", "dpi")] {
      resources["\(program).\(name)"] = display.roundTrip { XGetDefault($0, program, name) }
        .map { String(cString: $0) }
    }
    return resources
  }

  private static var environment: [String: String] {
    var environment: [String: String] = [:]
    for name in ["XCURSOR_THEME", "XCURSOR_SIZE", "GDK_SCALE"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return environment
  }

  /// The size of the default screen in pixels; `nil` if the connection is lost.
  private var screenSize: (width: Int, height: Int)? {
    display.request(onError: .swallow) { display in
      let screen = XDefaultScreen(display)
      return (Int(XDisplayWidth(display, screen)), Int(XDisplayHeight(display, screen)))
    }
  }
}
