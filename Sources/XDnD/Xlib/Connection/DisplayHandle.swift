package import XDnDX11
import Glibc
import XDnDXlibint
import Synchronization

/// A `Display *` whose requests are safe: each has an ``ErrorPolicy`` for its errors, and none is sent after the
/// connection is lost.
package final class DisplayHandle {
  /// Whether this library opened the display and closes it; otherwise it is borrowed from a host.
  let isOwned: Bool
  package let root: WindowID
  /// The number of the screen that ``root`` is on.
  package let screen: Int

  /// The batches whose replies have not all been passed on.
  let openBatches = OpenBatches()

  private let pointer: OpaquePointer
  private let errors: DisplayErrors
  /// Queues the replies of batches, and passes other errors to ``errors`` before the process's error handler sees them.
  /// Retains ``errors``.
  let responses: OpaquePointer
  /// See ``init(_:isOwned:reportsAll:)``.
  private let reportsAll: Bool
  private var hostRequests: HostRequests
  private var isReleased = false
  /// The serial number of the next request at the last ``flush()``.
  private var flushed: UInt = 0
  /// The number of calls of ``roundTrip(requests:_:)`` and of batches, which a slow connection makes expensive.
  private(set) var roundTrips = 0
  /// The number of calls of ``wait(requests:_:)``, which block the caller.
  private(set) var waits = 0

  /// - Parameter reportsAll: Whether to handle the errors of all requests on the display as ``ErrorPolicy/report``
  ///   does, including requests that bypass this handle or whose errors would be ignored.
  package init(_ pointer: OpaquePointer, isOwned: Bool, reportsAll: Bool = false) {
    self.pointer = pointer
    self.isOwned = isOwned
    self.reportsAll = reportsAll
    self.root = WindowID(XDefaultRootWindow(pointer))
    self.screen = Int(XDefaultScreen(pointer))
    self.errors = DisplayErrors(isOwned: isOwned)
    self.hostRequests = HostRequests(next: XNextRequest(pointer))
    LostServerRouter.register(errors, of: pointer, isOwned: isOwned)
    let consume: XDnDErrorConsumer = { errors, serial, code, resource, opcode in
      guard let errors else { return false }
      return Unmanaged<DisplayErrors>.fromOpaque(errors).takeUnretainedValue()
        .take(code, of: serial, about: UInt32(truncatingIfNeeded: resource), opcode: opcode)
    }
    self.responses = XDnDResponsesCreate(pointer, consume, Unmanaged.passRetained(errors).toOpaque())
    // A bracket that is never closed.
    if reportsAll { errors.open(first: XNextRequest(pointer), policy: .report) }
  }

  /// Uses a display that belongs to other code, while `body` runs.
  package static func borrowing<Answer, Failure>(
    _ display: OpaquePointer, _ body: (DisplayHandle) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let handle = DisplayHandle(display, isOwned: false)
    defer { handle.release() }
    return try body(handle)
  }

  /// Whether the connection is lost or the display released.
  package var isClosed: Bool { isReleased || errors.isClosed.load(ordering: .acquiring) }

  /// Readable when the server has sent something or has closed the connection; -1 once closed.
  package var fileDescriptor: Int32 { isClosed ? -1 : XConnectionNumber(pointer) }

  /// The `Display *`, for the application's own windows; `nil` once the connection is lost.
  var opaque: OpaquePointer? { isClosed ? nil : pointer }

  /// The serial number of the next request; 0 once the connection is lost.
  var nextSerial: UInt { isClosed ? 0 : XNextRequest(pointer) }

  /// Whether other code has sent a request on this display after the request with the given serial number. Such a
  /// request may have made the server's answer outdated.
  func hostHasSent(since serial: UInt) -> Bool { hostRequests.hasSent(since: serial, next: nextSerial) }

  /// Sends requests whose errors are handled by `policy`. On a borrowed display, `body` must not wait for the server;
  /// see ``wait(requests:_:)``. No code of the host may run within it.
  ///
  /// - Returns: `nil` if the connection is lost before or during `body`, whose result is then meaningless.
  @discardableResult
  package func request<Answer>(
    onError policy: ErrorPolicy, _ body: (OpaquePointer) -> Answer
  ) -> Answer? {
    guard !isClosed else { return nil }
    // Keeps requests of the host's other threads out of the bracket: their errors are the host's.
    XLockDisplay(pointer)
    defer { XUnlockDisplay(pointer) }
    return bracket(policy, body)
  }

  /// - Parameter count: How many requests `body` sends, if another thread may send others meanwhile.
  private func bracket<Answer>(
    _ policy: ErrorPolicy, sharedWith count: UInt? = nil, _ body: (OpaquePointer) -> Answer
  ) -> Answer? {
    let first = XNextRequest(pointer)
    hostRequests.open(next: first)
    if !reportsAll { errors.open(first: first, policy: policy, isShared: count != nil) }
    let answer = body(pointer)
    let next = XNextRequest(pointer)
    hostRequests.close(next: next, atMost: count.map { first + $0 })
    if !reportsAll { errors.close(last: next - 1, processed: XLastKnownRequestProcessed(pointer)) }
    return isClosed ? nil : answer
  }

  /// Makes a round trip. Returns `nil` if `body` does, or if the connection is lost.
  package func roundTrip<Answer>(requests count: UInt = 1, _ body: (OpaquePointer) -> Answer?) -> Answer? {
    roundTrips += 1
    return wait(requests: count, body) ?? nil
  }

  /// Sends requests and waits for their replies, unless Xlib has cached these. Ignores errors.
  ///
  /// - Parameters:
  ///   - count: The maximum number of requests that `body` sends.
  ///   - body: Must send only requests with replies.
  func wait<Answer>(requests count: UInt = 1, _ body: (OpaquePointer) -> Answer) -> Answer? {
    guard !isClosed else { return nil }
    waits += 1
    // Without the lock: another thread of the host may read the reply, and needs the display if an error precedes it.
    return bracket(.swallow, sharedWith: isOwned ? nil : count, body)
  }

  /// Sends requests whose replies come with the events.
  func send(_ body: (OpaquePointer) -> Void?) {
    roundTrips += 1
    request(onError: .swallow, body)
  }

  /// Sends a request without a reply, and ignores its errors.
  ///
  /// - Parameter structure: The protocol's structure; its length field may have any value.
  func sendRequest(_ structure: some BitwiseCopyable) {
    request(onError: .swallow) { display in
      withUnsafeBytes(of: structure) { XDnDSend(display, $0.baseAddress, $0.count, nil, 0) }
    }
  }

  /// Creates an invisible window off the screen, which is not mapped. Window managers do not touch it.
  ///
  /// - Returns: `.none` if the connection is lost.
  func createInvisibleWindow(selecting events: Int) -> WindowID {
    let window = request(onError: .swallow) { display -> WindowID in
      var attributes = XSetWindowAttributes()
      attributes.override_redirect = True
      attributes.event_mask = events
      return WindowID(
        XCreateWindow(
          display, root.xid, -100, -100, 1, 1, 0, 0, UInt32(InputOnly), nil, UInt(CWOverrideRedirect | CWEventMask),
          &attributes))
    }
    return window ?? .none
  }

  /// Sends the buffered requests.
  ///
  /// On an owned display, does nothing if there were no requests since the last call: `XFlush` also reads from the
  /// server, which ``nextEvent()`` does anyway.
  func flush() {
    let next = nextSerial
    guard !isOwned || next != flushed else { return }
    request(onError: .swallow) { XFlush($0) }
    flushed = next
  }

  /// Removes and returns the next event that has arrived; never blocks.
  package func nextEvent() -> XEvent? {
    request(onError: .swallow) { display -> XEvent? in
      // `XNextEvent` must not be called on a lost connection: it would read an empty queue.
      guard XPending(display) > 0 else { return nil }
      var event = XEvent()
      XNextEvent(display, &event)
      return event
    } ?? nil
  }

  /// The smallest and the largest key code.
  var keyCodes: (first: Int32, last: Int32) {
    var (first, last): (Int32, Int32) = (0, 0)
    request(onError: .swallow) { _ = XDisplayKeycodes($0, &first, &last) }
    return (first, last)
  }

  /// The bits of a resource ID that its client chooses; see ``ClientID``.
  package var resourceMask: UInt32 {
    UInt32(truncatingIfNeeded: request(onError: .swallow) { XDnDResourceMask($0) } ?? 0)
  }

  /// Whether ``takeVanished(isInOrder:)`` may return windows.
  var hasVanished: Bool { errors.hasVanished }

  /// Removes and returns the windows that failed requests have shown to be destroyed since the last call.
  ///
  /// Xlib reports an error as soon as it reads it, but queues the events that the server sent before it.
  ///
  /// - Parameter isInOrder: Whether to return only windows whose error precedes the next event in Xlib's queue.
  package func takeVanished(isInOrder: Bool) -> [WindowID] {
    guard errors.hasVanished else { return [] }
    return errors.takeVanished(before: isInOrder ? nextEventSerial : nil)
  }

  /// The serial number of the next event in Xlib's queue: the last request that the server had processed when it sent
  /// the event.
  private var nextEventSerial: UInt? {
    guard !isClosed else { return nil }
    // `XPeekEvent` waits for the next event if another thread has just taken this one.
    var serial: UInt = 0
    return request(onError: .swallow) { XDnDFirstSerial($0, &serial) } == 1 ? serial : nil
  }

  /// Calls `visit` with each event in Xlib's queue, oldest first. The events stay in the queue. Takes time linear in
  /// the queue's length.
  ///
  /// - Parameter visit: Called by Xlib with the display locked: must not call Xlib.
  func visitEvents(_ visit: (UnsafePointer<XEvent>) -> Void) {
    typealias Visit = (UnsafePointer<XEvent>) -> Void
    withoutActuallyEscaping(visit) { visit in
      var visit: Visit = visit
      request(onError: .swallow) { display in
        withUnsafeMutablePointer(to: &visit) { visit in
          var unused = XEvent()
          XCheckIfEvent(
            display, &unused,
            { _, event, argument in
              guard let event, let argument else { return 0 }
              UnsafeMutableRawPointer(argument).assumingMemoryBound(to: Visit.self).pointee(event)
              // 0 leaves the event in the queue.
              return 0
            }, UnsafeMutableRawPointer(visit).assumingMemoryBound(to: CChar.self))
        }
      }
    }
  }

  /// Reads from the connection if Xlib's queue is empty; never blocks.
  ///
  /// - Returns: The serial number of the event that ``nextEvent()`` will return; `nil` if there is none.
  func readAhead() -> UInt? {
    request(onError: .swallow) { XPending($0) }
    return nextEventSerial
  }

  /// Closes an owned display; leaves a borrowed one to its host.
  package func release() {
    guard !isReleased else { return }
    if isOwned {
      openBatches.removeAll()
      if isClosed {
        // Xlib's memory is not freed, because `XCloseDisplay` may crash: `XQueryExtension` does not initialize its
        // reply if the server is lost meanwhile, and an extension's library may have initialized itself from that
        // reply, for example when cairo first draws.
        Glibc.close(XConnectionNumber(pointer))
        freeResponses(of: pointer)
      } else {
        XCloseDisplay(pointer)
        freeResponses(of: nil)
      }
    } else if !isClosed {
      // The last replies and errors must arrive before their handler is removed.
      _ = wait { XSync($0, False) }
      // The host may have closed a display whose connection is lost, so its handler and batches are kept, unused.
      if !isClosed {
        openBatches.removeAll()
        freeResponses(of: pointer)
      }
    }
    isReleased = true
    LostServerRouter.unregister(errors, of: pointer)
  }

  /// - Parameter display: `nil` if it is closed.
  private func freeResponses(of display: OpaquePointer?) {
    XDnDResponsesFree(responses, display)
    Unmanaged.passUnretained(errors).release()
  }
}

/// Opens displays from any thread.
///
/// The first connection of a process must not be made by two threads at once. libXau keeps the name of the authority
/// file in a static buffer (`XauFileName`, up to at least 1.0.12), allocates it at the first connection without a lock,
/// and may write to it after another thread has freed it. Later connections only read it.
package enum DisplayOpening {
  private static let hasSucceeded = Mutex(false)

  /// Opens a display, which the caller closes.
  ///
  /// - Parameter name: The display's name; `nil` for the value of `DISPLAY`.
  package static func open(_ name: String?) -> OpaquePointer? {
    let opened = hasSucceeded.withLock { hasSucceeded -> UInt? in
      if hasSucceeded { return nil }
      let display = XOpenDisplay(name)
      hasSucceeded = display != nil
      return UInt(bitPattern: display)
    }
    return opened.map { OpaquePointer(bitPattern: $0) } ?? XOpenDisplay(name)
  }
}

// Xlib stores the protocol's 32-bit numbers in a C `unsigned long`.

extension WindowID {
  package var xid: XID { XID(rawValue) }
}

extension Atom {
  package init(_ atom: XDnDX11.Atom) {
    self.init(rawValue: Format32.word(Int(bitPattern: atom)))
  }
}

extension Timestamp {
  package init(_ time: Time) {
    self.init(rawValue: Format32.word(Int(bitPattern: time)))
  }

  package var xTime: Time { Time(rawValue) }
}
