import CX11
import Synchronization

/// A `Display *` that cannot be used wrongly: every request through it has somebody to answer for its errors, and
/// none is made after the server is lost.
final class DisplayHandle {
  /// Whether we have opened the display and will close it.
  let isOwned: Bool
  let root: WindowID
  /// The number of the screen that ``root`` is on.
  let screen: Int

  private let pointer: OpaquePointer
  private let errors: DisplayErrors
  private var isReleased = false

  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
    self.isOwned = true
    self.errors = ErrorRouter.register(pointer, isOwned: true)
    self.root = WindowID(XDefaultRootWindow(pointer))
    self.screen = Int(XDefaultScreen(pointer))
  }

  init(borrowing pointer: OpaquePointer) {
    self.pointer = pointer
    self.isOwned = false
    self.errors = ErrorRouter.register(pointer, isOwned: false)
    self.root = WindowID(XDefaultRootWindow(pointer))
    self.screen = Int(XDefaultScreen(pointer))
  }

  /// Whether the server is lost, or the display given back.
  var isClosed: Bool { isReleased || errors.isClosed.load(ordering: .acquiring) }

  /// Readable when the server has sent something, or is gone.
  var fileDescriptor: Int32 { isClosed ? -1 : XConnectionNumber(pointer) }

  /// The `Display *`, for the windows of the application; `nil` once the server is lost.
  var opaque: OpaquePointer? { isClosed ? nil : pointer }

  /// The number that the next request will have.
  var nextSerial: UInt { isClosed ? 0 : XNextRequest(pointer) }

  /// Makes requests whose errors are handled by `policy`.
  ///
  /// - Returns: `nil` if the server is lost, before or meanwhile: whatever `body` has computed then means nothing.
  @discardableResult
  func request<Answer>(
    onError policy: ErrorPolicy, _ body: (OpaquePointer) -> Answer
  ) -> Answer? {
    guard !isClosed else { return nil }
    errors.open(first: XNextRequest(pointer), policy: policy)
    let answer = body(pointer)
    errors.close(last: XNextRequest(pointer) - 1, processed: XLastKnownRequestProcessed(pointer))
    return isClosed ? nil : answer
  }

  /// Makes a round trip; a `nil` from it, or from a lost server, is the one answer for all that can go wrong.
  func roundTrip<Answer>(_ body: (OpaquePointer) -> Answer?) -> Answer? {
    request(onError: .swallow, body) ?? nil
  }

  /// Whether there are windows that earlier requests found missing.
  var hasVanished: Bool { errors.hasVanished }

  /// The windows that earlier requests found missing, since the last call.
  ///
  /// Xlib tells of an error when it reads it, and of the events that came before it when it is asked for them.
  ///
  /// - Parameter isInOrder: Whether only those count that were gone before the next event that has been read.
  func takeVanished(isInOrder: Bool) -> [WindowID] {
    guard errors.hasVanished else { return [] }
    return errors.takeVanished(before: isInOrder ? nextEventSerial : nil)
  }

  /// The last request that the server had handled when it sent the next event that has been read already.
  private var nextEventSerial: UInt? {
    guard !isClosed, XEventsQueued(pointer, QueuedAlready) > 0 else { return nil }
    var event = XEvent()
    XPeekEvent(pointer, &event)
    return event.xany.serial
  }

  /// What the requests with ``ErrorPolicy/collect`` were told not to exist, since the last call.
  @discardableResult
  func takeRefused() -> [UInt32] { errors.takeRefused() }

  /// Gives the display back: closes an owned one, and leaves a borrowed one to its host.
  func release() {
    guard !isReleased else { return }
    if isOwned {
      // On a dead display too: Xlib then makes no requests, and frees its memory and the socket.
      XCloseDisplay(pointer)
    } else if !isClosed {
      // Errors of our last requests must arrive while there still is somebody to take them.
      request(onError: .swallow) { XSync($0, False) }
    }
    isReleased = true
    ErrorRouter.unregister(pointer)
  }
}

extension WindowID {
  /// Xlib holds resource ids in a C `unsigned long`.
  init(_ xid: XID) {
    self.init(rawValue: Format32.word(Int(bitPattern: xid)))
  }

  var xid: XID { XID(rawValue) }
}
