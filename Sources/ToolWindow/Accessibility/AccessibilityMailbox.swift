internal import XDnDLinux
internal import Glibc
internal import Synchronization

/// What assistive technology asks of the window.
enum AccessibilityRequest: Equatable, Sendable {
  /// Assistive technology is there now and needs to know what the window shows.
  case snapshot
  case act(AccessibleNode.Part)
  case focus(AccessibleNode.Part)
  case select(AccessibleNode.Part)
  case deselect(AccessibleNode.Part)
  case selectAll
  case selectNone
}

/// What the window and the thread that serves assistive technology tell each other. Neither waits for the other.
final class AccessibilityMailbox: Sendable {
  /// What the thread has to do.
  struct Mail: Sendable {
    /// `nil` if the window is unchanged.
    var snapshot: WindowSnapshot?
    var announcements: [String] = []
    var isClosed = false
  }

  private struct State {
    var isOn = false
    var snapshot: WindowSnapshot?
    var announcements: [(message: String, time: ContinuousClock.Instant)] = []
    var requests: [AccessibilityRequest] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// An eventfd: readable while there is mail for the thread.
  let bell = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
  /// An eventfd: readable while there are requests for the window.
  let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
  /// An eventfd: readable when the thread has ended.
  let ended = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))

  /// A message that is older when assistive technology appears is not spoken any more.
  private static let longestDelay = Duration.seconds(5)
  /// The maximum number of announcements that wait for the thread. A new one replaces the oldest.
  private static let mostMessages = 16

  deinit {
    for descriptor in [bell, descriptor, ended] { Glibc.close(descriptor) }
  }

  // MARK: The window's side

  var isOn: Bool { state.withLock { $0.isOn } }

  /// Replaces the previous snapshot, if that has not been taken.
  func post(_ snapshot: WindowSnapshot) {
    state.withLock { $0.snapshot = snapshot }
    eventfd_write(bell, 1)
  }

  func post(announcement: String) {
    state.withLock { state in
      state.announcements.append((announcement, .now))
      if state.announcements.count > Self.mostMessages { state.announcements.removeFirst() }
    }
    if isOn { eventfd_write(bell, 1) }
  }

  func takeRequests() -> [AccessibilityRequest] {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// Ends the thread, after it has delivered what was posted.
  func end() {
    state.withLock { $0.isClosed = true }
    eventfd_write(bell, 1)
  }

  // MARK: The thread's side

  func turnOn() {
    state.withLock { $0.isOn = true }
    post(.snapshot)
  }

  func turnOff() {
    state.withLock { state in
      state.isOn = false
      state.announcements = []
    }
    eventfd_write(ended, 1)
  }

  func post(_ request: AccessibilityRequest) {
    state.withLock { $0.requests.append(request) }
    eventfd_write(descriptor, 1)
  }

  func takeMail() -> Mail {
    var count: eventfd_t = 0
    eventfd_read(bell, &count)
    return state.withLock { state in
      defer { (state.snapshot, state.announcements) = (nil, []) }
      let oldest = ContinuousClock.now - Self.longestDelay
      return Mail(
        snapshot: state.snapshot,
        announcements: state.announcements.filter { $0.time >= oldest }.map(\.message), isClosed: state.isClosed)
    }
  }
}
