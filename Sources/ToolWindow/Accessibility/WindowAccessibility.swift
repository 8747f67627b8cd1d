internal import Glibc
internal import Synchronization

/// The window's side of accessibility. Until assistive technology is on, no snapshot is made, and only a sleeping
/// thread waits for it with libdbus.
final class WindowAccessibility {
  /// The upper left corner of the window in root pixels, kept up to date only while assistive technology is on.
  var origin = PixelPoint(x: 0, y: 0)
  private let mailbox = AccessibilityMailbox()
  private let applicationName: String
  private var isStarted = false
  private var hasBegun = false

  /// ATK knows one application per process, and its objects belong to one thread: only the first window is served.
  private static let isTaken = Mutex(false)

  init(applicationName: String) { self.applicationName = applicationName }

  /// A file descriptor that is readable while requests wait.
  var descriptor: CInt { mailbox.descriptor }

  /// Starts to wait for assistive technology, if the desktop can have any. Later calls do nothing.
  ///
  /// - Parameter hasBusProperty: Whether the root window has the property `AT_SPI_BUS`. Costs a round trip.
  func start(hasBusProperty: () -> Bool) {
    guard !isStarted else { return }
    isStarted = true
    let environment = AccessibilityEnvironment { name in getenv(name).map { String(cString: $0) } }
    guard environment.mayHaveBus(hasBusProperty: hasBusProperty) else { return }
    hasBegun = Self.isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    if hasBegun { AccessibilityThread.start(mailbox, applicationName: applicationName) }
  }

  var isOn: Bool { hasBegun && mailbox.isOn }

  func show(_ snapshot: @autoclosure () -> WindowSnapshot) {
    if isOn { mailbox.post(snapshot()) }
  }

  func announce(_ message: String) {
    if hasBegun { mailbox.post(announcement: message) }
  }

  func takeRequests() -> [AccessibilityRequest] { mailbox.takeRequests() }

  /// The longest that ``close()`` waits for the last announcements to reach the bus, in milliseconds.
  private static let longestEnd: CInt = 200

  /// Takes the window off the bus.
  func close() {
    guard hasBegun else { return }
    hasBegun = false
    mailbox.end()
    guard mailbox.isOn else { return }
    var ended = pollfd(fd: mailbox.ended, events: Int16(POLLIN), revents: 0)
    _ = poll(&ended, 1, Self.longestEnd)
  }
}

/// The environment variables that concern assistive technology.
struct AccessibilityEnvironment {
  let variable: (String) -> String?

  /// Whether there may be an accessibility bus. Only the session bus knows whether assistive technology is on, and
  /// asking it takes a library and a thread.
  ///
  /// - Parameter hasBusProperty: Whether the root window has the property `AT_SPI_BUS`. Called only if it matters.
  func mayHaveBus(hasBusProperty: () -> Bool) -> Bool {
    // GTK and ATK's bridge have the same switch.
    if let off = variable("NO_AT_BRIDGE"), !off.isEmpty, off != "0" { return false }
    guard hasSessionBus else { return false }
    if let address = variable("AT_SPI_BUS_ADDRESS"), !address.isEmpty { return true }
    // In a Wayland session the bus's launcher does not set the property.
    if let wayland = variable("WAYLAND_DISPLAY"), !wayland.isEmpty { return true }
    return hasBusProperty()
  }

  /// Without an address, libdbus would start a bus.
  private var hasSessionBus: Bool {
    if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address != "disabled:" }
    guard let directory = variable("XDG_RUNTIME_DIR"), !directory.isEmpty else { return false }
    return access(directory + "/bus", F_OK) == 0
  }
}

/// A change to the selected rows, requested by assistive technology. A list that selects one row at a time treats
/// ``add(_:)`` like ``only(_:)``.
package enum RowSelectionRequest: Equatable, Sendable {
  case only(Int)
  /// Besides the selected rows.
  case add(Int)
  case remove(Int)
  case all
  case none
}
