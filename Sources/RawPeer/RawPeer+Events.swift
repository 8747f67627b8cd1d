import CX11
import Glibc
import Synchronization
public import XDnD

extension RawPeer {
  /// The next thing that has happened, waiting for it until `deadline`; `nil` if nothing has, or the server is lost.
  ///
  /// - Parameter isWanted: What it has to be. What comes before it is kept for the next call.
  public func next(
    until deadline: ContinuousClock.Instant = .now, where isWanted: (WireEvent) -> Bool = { _ in true }
  ) -> WireEvent? {
    var looked = 0
    while true {
      takeIn()
      // What an earlier round has passed over is not looked at again.
      if let index = queue.indices.dropFirst(looked).first(where: { isWanted(queue[$0]) }) {
        return queue.remove(at: index)
      }
      looked = queue.count
      guard !isClosed, deadline > .now, !isInterrupted() else { return nil }
      // A signal ends a sleep, but may come just before it.
      wait(until: min(deadline, .now + .milliseconds(100)))
    }
  }

  /// Forgets what has happened and was not asked for.
  public func drain() {
    takeIn()
    queue.removeAll()
  }

  /// The server's time.
  public func serverTime() -> Timestamp {
    let clock = ownWindow
    while !isClosed {
      XChangeProperty(display, clock.xid, xatom("RAW_PEER_CLOCK"), xatom("INTEGER"), 8, PropModeAppend, nil, 0)
      // A round trip brings all that came before, and Xlib's queue is then looked through for this one event.
      XSync(display, False)
      var event = XEvent()
      if XCheckTypedWindowEvent(display, clock.xid, PropertyNotify, &event) != 0 {
        return Timestamp(rawValue: UInt32(truncatingIfNeeded: event.xproperty.time))
      }
    }
    return .currentTime
  }

  /// Sleeps until the server says something. Only after all that it has said has been taken in.
  private func wait(until deadline: ContinuousClock.Instant) {
    XFlush(display)
    guard XEventsQueued(display, QueuedAlready) == 0 else { return }
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(
      &descriptor, 1, CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }

  /// Moves all that the server has said into the queue.
  func takeIn() {
    while !isClosed, XPending(display) > 0 {
      var event = XEvent()
      XNextEvent(display, &event)
      withUnsafePointer(to: &event) { onServerEvent($0) }
      handle(event)
    }
    for window in errors.takeVanished() {
      forgetTransfers(to: window)
      receive(.vanished(window))
    }
  }

  private func receive(_ action: WireEvent.Action) {
    let event = WireEvent(.received, action)
    queue.append(event)
    onWireEvent(event)
  }

  private func handle(_ event: XEvent) {
    switch event.type {
    case ClientMessage where event.xclient.format == 32:
      let data = event.xclient.data.l
      let words = [data.0, data.1, data.2, data.3, data.4].map { UInt32(truncatingIfNeeded: $0) }
      let type = name(of: UInt32(event.xclient.message_type)) ?? AtomName(rawValue: "")
      receive(
        .message(
          WireEvent.Message(
            type: type, window: WindowID(xid: event.xclient.window), words: words, names: names(in: words, of: type))))
    case SelectionRequest:
      let request = event.xselectionrequest
      receive(
        .conversion(
          conversion(
            request.selection, request.target, request.property, WindowID(xid: request.requestor), request.time)))
    case SelectionNotify:
      let notify = event.xselection
      receive(
        .converted(
          conversion(notify.selection, notify.target, notify.property, WindowID(xid: notify.requestor), notify.time)))
    case SelectionClear:
      let clear = event.xselectionclear
      guard let selection = name(of: UInt32(clear.selection)) else { return }
      receive(.owner(of: selection, owner(of: selection.rawValue), Timestamp(rawValue: UInt32(clear.time))))
    case PropertyNotify:
      let notify = event.xproperty
      let window = WindowID(xid: notify.window)
      guard let name = name(of: UInt32(notify.atom)), name.rawValue != "RAW_PEER_CLOCK" else { return }
      let isDeleted = notify.state == PropertyDelete
      receive(.property(WireEvent.Property(isDeleted ? .removed : .changed, name, of: window)))
      if isDeleted { continueTransfer(to: Place(window: window, property: name)) }
    case let type where type == ownerEvent:
      let news = withUnsafeBytes(of: event) { $0.loadUnaligned(as: XFixesSelectionNotifyEvent.self) }
      guard let selection = name(of: UInt32(news.selection)) else { return }
      let time = Timestamp(rawValue: UInt32(truncatingIfNeeded: news.selection_timestamp))
      receive(.owner(of: selection, WindowID(xid: news.owner), time))
    case EnterNotify where event.xcrossing.mode == NotifyUngrab, LeaveNotify where event.xcrossing.mode == NotifyUngrab:
      onPointerGrab(false)
    case EnterNotify where event.xcrossing.mode == NotifyGrab, LeaveNotify where event.xcrossing.mode == NotifyGrab:
      onPointerGrab(true)
    case DestroyNotify where event.xdestroywindow.event == event.xdestroywindow.window:
      let window = WindowID(xid: event.xdestroywindow.window)
      forgetTransfers(to: window)
      receive(.vanished(window))
    default: break
    }
  }

  private func conversion(
    _ selection: CX11.Atom, _ target: CX11.Atom, _ property: CX11.Atom, _ requestor: WindowID, _ time: Time
  ) -> WireEvent.Conversion {
    WireEvent.Conversion(
      selection: name(of: UInt32(selection)) ?? AtomName(rawValue: ""), target: name(of: UInt32(target)),
      property: name(of: UInt32(property)), requestor: requestor,
      time: Timestamp(rawValue: UInt32(truncatingIfNeeded: time)))
  }
}

/// What goes wrong on the connections of raw peers: nothing of it ends the process.
///
/// Xlib has one handler of errors a process, and the library installs one as well. Each is installed once, answers for its
/// own displays, and hands all others on to the one before.
final class RawPeerErrors: Sendable {
  private static let displays = Mutex<[UInt: RawPeerErrors]>([:])
  private static let previous = Handlers(
    error: XSetErrorHandler { RawPeerErrors.handle($0, $1) }, lost: XSetIOErrorHandler { RawPeerErrors.handleLost($0) })

  private let closed = Atomic<Bool>(false)
  private let vanished = Mutex<[WindowID]>([])

  static func answer(for display: OpaquePointer) -> RawPeerErrors {
    _ = previous
    let errors = RawPeerErrors()
    displays.withLock { $0[UInt(bitPattern: display)] = errors }
    // Returning is all it takes: Xlib marks the display as dead and lets the current call fail.
    XSetIOErrorExitHandler(display, { _, _ in }, nil)
    return errors
  }

  static func forget(_ display: OpaquePointer) {
    displays.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: display)) }
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// The windows that requests have found missing since the last call.
  func takeVanished() -> [WindowID] {
    vanished.withLock { list in
      defer { list = [] }
      return list
    }
  }

  /// Runs inside an Xlib call: must not call Xlib.
  private static func handle(_ display: OpaquePointer?, _ event: UnsafeMutablePointer<XErrorEvent>?) -> Int32 {
    guard let errors = displays.withLock({ $0[UInt(bitPattern: display)] }) else {
      return previous.error?(display, event) ?? 0
    }
    if let error = event?.pointee, error.error_code == UInt8(BadWindow) {
      let window = WindowID(rawValue: UInt32(truncatingIfNeeded: error.resourceid))
      errors.vanished.withLock { if !$0.contains(window) { $0.append(window) } }
    }
    return 0
  }

  private static func handleLost(_ display: OpaquePointer?) -> Int32 {
    guard let errors = displays.withLock({ $0[UInt(bitPattern: display)] }) else { return previous.lost?(display) ?? 0 }
    errors.closed.store(true, ordering: .releasing)
    return 0
  }

  /// Unchecked because C function pointers imported from a header are not marked as `Sendable`; they are constants.
  private struct Handlers: @unchecked Sendable {
    let error: XErrorHandler?
    let lost: XIOErrorHandler?
  }
}
