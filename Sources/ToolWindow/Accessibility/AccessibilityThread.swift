internal import XDnDLoadedLibraries
internal import XDnDFiles
internal import XDnDLinux
internal import Glibc
internal import Synchronization

/// Serves assistive technology on a separate thread, which owns GLib's default main context and all ATK objects. The
/// window never waits for the bus or a screen reader, except when it closes.
///
/// ATK's bridge connects once. After a crash of the accessibility bus, screen readers see the tool only after the tool
/// is restarted.
final class AccessibilityThread {
  private let mailbox: AccessibilityMailbox
  private let applicationName: String
  private var tree = AccessibleTree()
  private var objects: [AccessibleTree.ID: OpaquePointer] = [:]
  private var window: OpaquePointer?
  /// Announcements that wait for the first snapshot: the window object that emits them is made from it.
  private var announcements: [String] = []

  private init(_ mailbox: AccessibilityMailbox, applicationName: String) {
    self.mailbox = mailbox
    self.applicationName = applicationName
  }

  /// Starts the thread. It sleeps until the desktop reports that assistive technology is on, and only then loads ATK.
  /// The thread ends with ``AccessibilityMailbox/end()``.
  static func start(_ mailbox: AccessibilityMailbox, applicationName: String) {
    do {
      try DetachedThread.start(niceness: 1) {
        if XDnDAwaitAssistiveTechnology(mailbox.bell) != 0 {
          AccessibilityThread(mailbox, applicationName: applicationName).run()
        }
        mailbox.turnOff()
      }
    } catch {
      mailbox.turnOff()
    }
  }

  private func run() {
    // Both closures are called while this method runs.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let isReady = XDnDAccessibilityBegin(applicationName, context) { context, object, request, child in
      guard let context else { return }
      Unmanaged<AccessibilityThread>.fromOpaque(context).takeUnretainedValue()
        .receive(request, of: Int(object), child: Int(child))
    }
    guard isReady != 0 else { return }
    mailbox.turnOn()
    XDnDAccessibilityRun(mailbox.bell) { context in
      guard let context else { return 0 }
      return Unmanaged<AccessibilityThread>.fromOpaque(context).takeUnretainedValue().takeMail() ? 1 : 0
    }
  }

  // MARK: From the window

  /// - Returns: Whether the window is still open.
  private func takeMail() -> Bool {
    let mail = mailbox.takeMail()
    if let snapshot = mail.snapshot {
      XDnDAccessibleSetOrigin(CInt(clamping: snapshot.origin.x), CInt(clamping: snapshot.origin.y))
      for change in tree.update(to: snapshot.root) { apply(change) }
    }
    announcements += mail.announcements
    if window != nil {
      for announcement in announcements { announce(announcement) }
      announcements = []
    }
    return !mail.isClosed
  }

  private func apply(_ change: AccessibleChange) {
    switch change {
    case .added(let id, let parent, let index, let node): add(node, as: id, to: parent, at: index)
    case .removed(let id): objects.removeValue(forKey: id).map { XDnDAccessibleRemove($0) }
    case .renamed(let id, let name): XDnDAccessibleSetName(objects[id], name)
    case .described(let id, let description): XDnDAccessibleSetDescription(objects[id], description)
    case .states(let id, let states): XDnDAccessibleSetStates(objects[id], states.rawValue)
    case .moved(let id, let box): objects[id].map { setBox(of: $0, to: box) }
    case .action(let id, let action): XDnDAccessibleSetAction(objects[id], action?.name ?? "", action?.key ?? "")
    case .value(let id, let value): XDnDAccessibleSetValue(objects[id], value)
    case .selection(let id): XDnDAccessibleSelectionChanged(objects[id])
    case .activation(let id, let isActive): XDnDAccessibleEmit(objects[id], isActive ? "activate" : "deactivate")
    case .announcement(let message): announce(message)
    }
  }

  private func add(_ node: AccessibleNode, as id: AccessibleTree.ID, to parent: AccessibleTree.ID?, at index: Int) {
    let role = AtkRole(rawValue: node.role.value)
    guard let object = XDnDAccessibleMake(Int64(id), role, node.role.interfaces) else { return }
    objects[id] = object
    XDnDAccessibleSetName(object, node.name)
    XDnDAccessibleSetDescription(object, node.description)
    setBox(of: object, to: node.box)
    if let action = node.action { XDnDAccessibleSetAction(object, action.name, action.key) }
    if let value = node.value { XDnDAccessibleSetValue(object, value) }
    XDnDAccessibleSetStates(object, node.states.subtracting(.focused).rawValue)
    XDnDAccessibleInsert(object, parent.flatMap { objects[$0] }, CInt(index))
    if parent == nil {
      window = object
      XDnDAccessibleEmit(object, "create")
      if node.states.contains(.active) { XDnDAccessibleEmit(object, "activate") }
    }
    // Set last, because the focus can move only to an object that is in the tree.
    if node.states.contains(.focused) { XDnDAccessibleSetStates(object, node.states.rawValue) }
  }

  private func setBox(of object: OpaquePointer, to box: PixelArea) {
    XDnDAccessibleSetBox(
      object, CInt(clamping: box.origin.x), CInt(clamping: box.origin.y), CInt(clamping: box.size.width),
      CInt(clamping: box.size.height))
  }

  private func announce(_ message: String) {
    guard let window else { return }
    XDnDAccessibleAnnounce(window, message)
  }

  // MARK: From assistive technology

  private func receive(_ request: XDnDAccessibleRequest, of object: AccessibleTree.ID, child: Int) {
    guard let part = tree.part(of: object) else { return }
    let posted: AccessibilityRequest
    switch request {
    case XDND_REQUEST_ACT: posted = .act(part)
    case XDND_REQUEST_FOCUS: posted = .focus(part)
    case XDND_REQUEST_SELECT: posted = .select(.add(child))
    case XDND_REQUEST_DESELECT: posted = .select(.remove(child))
    case XDND_REQUEST_SELECT_ALL: posted = .select(.all)
    case XDND_REQUEST_SELECT_NONE: posted = .select(.none)
    default: return
    }
    mailbox.post(posted)
  }
}

/// A request from assistive technology to the window.
enum AccessibilityRequest: Equatable, Sendable {
  /// Assistive technology has been turned on, and needs a snapshot of the window.
  case snapshot
  case act(AccessibleNode.Part)
  case focus(AccessibleNode.Part)
  case select(RowSelectionRequest)
}

/// Passes data between the window and ``AccessibilityThread``. Neither waits for the other.
final class AccessibilityMailbox: Sendable {
  /// The data that the window has posted for the thread.
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
  /// An eventfd that wakes the thread. Before ``isOn``, ringing it ends the thread.
  let bell = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
  /// An eventfd: readable while there are requests for the window.
  let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
  /// An eventfd: readable when the thread has ended.
  let ended = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))

  /// The maximum age of an announcement. Older ones are not spoken.
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

  /// Ends the thread, after it has delivered the posted data.
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
