import XDnDX11
import Glibc

/// Reads and caches the desktop's settings: XSETTINGS, X resources and environment.
///
/// A settings daemon owns a manager selection and publishes its list in a property of the owner window. The selection
/// is observed through XFixes, because daemons start and stop; the property through `PropertyNotify`.
///
/// The settings are read without waiting at the start and after each change, so that they are known at the next press.
final class SettingsReader {
  /// The manager selection of this screen's settings daemon.
  let selection: AtomName

  private let display: DisplayHandle
  private let atoms: AtomTable
  private let properties: Properties
  private let selections: ServerSelections
  private let masks: EventMasks
  private var known: DesktopSettings?
  /// The settings before the last change.
  private var last: DesktopSettings?
  /// The last question, until something newer is known.
  private var question: Question?
  private var manager = WindowID.none

  init(
    _ display: DisplayHandle, _ atoms: AtomTable, _ properties: Properties, _ selections: ServerSelections,
    _ masks: EventMasks
  ) {
    self.display = display
    self.atoms = atoms
    self.properties = properties
    self.selections = selections
    self.masks = masks
    selection = AtomName("_XSETTINGS_S\(display.screen)")
    selections.observeOwner(of: selection, true)
    readSoon()
  }

  /// The current settings; the last known ones once the connection is lost.
  var settings: DesktopSettings {
    if let known { return known }
    let published = published()
    return display.isClosed ? last ?? accept(published) : accept(published)
  }

  /// The settings; while a change is being read, the settings before it.
  var latest: DesktopSettings { known ?? last ?? settings }

  /// Discards the cache, and reads the settings again without waiting.
  func expire() {
    guard !display.isClosed else { return }
    last = known ?? last
    known = nil
    readSoon()
  }

  /// Reads the settings without waiting: in one round trip, or three if there is another daemon. Until then, the known
  /// settings are valid.
  func readSoon() {
    let (question, asked) = (Question(), manager)
    self.question = question
    var owner = WindowID.none
    var value: RequestBatch.Value?
    var batch = RequestBatch(display)
    batch.owner(of: atoms.atom(selection)) { owner = $0 }
    if asked != .none {
      properties.ask(for: Self.property, of: asked, limit: Self.limit, in: &batch) { value = $0 }
    }
    batch.send { [weak self, weak question] in
      guard let self, question != nil else { return }
      if owner == .none {
        watch(.none)
        accept(XSettings())
      } else if owner == manager, owner == asked {
        accept(XSettings(bytes: value.flatMap { $0.format == 8 ? $0.bytes.array : nil } ?? []))
      } else {
        watchSoon(owner)
      }
    }
  }

  /// Watches another daemon's window, and then reads its list.
  private func watchSoon(_ owner: WindowID) {
    release()
    manager = owner
    masks.add(Self.mask, to: owner, onError: .swallow) { [weak self] exists in
      guard let self, manager == owner else { return }
      // Again, even if ``settings`` has read the list meanwhile: changes were not reported yet.
      if exists { return readSoon() }
      masks.forget(owner)
      manager = .none
    }
  }

  @discardableResult
  private func accept(_ published: XSettings) -> DesktopSettings {
    let settings = DesktopSettings(
      published, environment: Self.environment, resources: resources, screenSize: screenSize)
    known = settings
    return settings
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

  /// The maximum number of bytes of the list: far more than any real daemon publishes.
  private static let limit = 1 << 20

  private func published() -> XSettings {
    // A pending answer would be older.
    question = nil
    watch(selections.owner(of: selection))
    guard manager != .none else { return XSettings() }
    let value = properties.value(of: Self.property, on: manager)
    return XSettings(bytes: value.flatMap { $0.header.format == 8 ? $0.bytes : nil } ?? [])
  }

  /// Called before the list is read, so that no change is missed.
  private func watch(_ owner: WindowID) {
    guard owner != manager else { return }
    release()
    manager = owner != .none && masks.add(Self.mask, to: owner, onError: .swallow) ? owner : .none
  }

  /// `StructureNotifyMask` reports the window's destruction, after which ``EventMasks`` forgets it.
  private static let mask = PropertyChangeMask | StructureNotifyMask

  private func release() {
    if manager != .none { masks.remove(Self.mask, from: manager) }
    manager = .none
  }

  /// The X resources of Xcursor and Xft.
  private var resources: [String: String] {
    var resources: [String: String] = [:]
    for (program, name) in [("Xcursor", "theme"), ("Xcursor", "size"), ("Xft", "dpi")] {
      // Xlib has read them when the display was opened.
      let value = display.request(onError: .swallow) { XGetDefault($0, program, name) } ?? nil
      resources["\(program).\(name)"] = value.map { String(cString: $0) }
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
