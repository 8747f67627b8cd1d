import CX11
import Glibc

/// Reads what the desktop has set, when somebody asks for the first time, and again after it has changed.
///
/// Settings daemons own a manager selection and keep the list in a property of the window that owns it (XSETTINGS).
/// Both are watched: the selection through XFixes, for daemons come and go, and the property.
final class SettingsReader {
  /// The selection of the daemon for this screen.
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

  /// What is set now; the last that was read, once the server is lost.
  var settings: DesktopSettings {
    if let known { return known }
    let settings = DesktopSettings(
      published(), environment: Self.environment, resources: resources, screenSize: display.screenSize)
    known = settings
    return settings
  }

  /// Has the next look read everything anew. The host of a borrowed display may not show us every event, so a drag begins
  /// with this.
  func expire() {
    if !display.isClosed { known = nil }
  }

  /// Expires if a property has changed that the settings are in.
  ///
  /// - Returns: Whether it has.
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
    // One page is a megabyte, and a daemon that says more than that means harm.
    var bytes: [UInt8] = []
    _ = properties.readPage(Self.property, of: manager, from: 0, delete: false) { header, page in
      if header.format == 8 { bytes = Array(page) }
    }
    return XSettings(bytes: bytes)
  }

  /// Before the list is read, so that no change of it is missed.
  private func watch(_ owner: WindowID) {
    guard owner != manager else { return }
    // With `StructureNotify` the masks hear when the window goes, and forget it.
    let mask = PropertyChangeMask | StructureNotifyMask
    if manager != .none { masks.remove(mask, from: manager) }
    manager = owner != .none && masks.add(mask, to: owner, onError: .swallow) ? owner : .none
  }

  /// By the names that Xcursor and Xft give them.
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
}

extension DisplayHandle {
  /// Device pixels of the default screen; `nil` on a lost server.
  fileprivate var screenSize: (width: Int, height: Int)? {
    request(onError: .swallow) { display in
      let screen = XDefaultScreen(display)
      return (Int(XDisplayWidth(display, screen)), Int(XDisplayHeight(display, screen)))
    }
  }
}
