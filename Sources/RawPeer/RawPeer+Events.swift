import CX11
import Glibc
import Synchronization
public import XDnD

extension RawPeer {
  /// Returns the next wire event and removes it from the queue. Waits until `deadline`; `nil` if there is no event by
  /// then, if ``isInterrupted`` says so, or if the connection is lost.
  ///
  /// - Parameter isWanted: Selects the event. Earlier events that are not wanted stay in the queue.
  public func next(
    until deadline: ContinuousClock.Instant = .now, where isWanted: (WireEvent) -> Bool = { _ in true }
  ) -> WireEvent? {
    var looked = 0
    while true {
      takeIn()
      // Events that an earlier round rejected are not checked again.
      if let index = queue.indices.dropFirst(looked).first(where: { isWanted(queue[$0]) }) {
        return queue.remove(at: index)
      }
      looked = queue.count
      guard !isClosed, deadline > .now, !isInterrupted() else { return nil }
      // A signal ends a poll, but may arrive just before it begins.
      wait(until: min(deadline, .now + .milliseconds(100)))
    }
  }

  /// Discards all pending wire events.
  public func drain() {
    takeIn()
    queue.removeAll()
  }

  /// Returns the server's present time, from the event of a property change. ``Timestamp/currentTime`` if the
  /// connection is lost.
  public func serverTime() -> Timestamp {
    let clock = ownWindow
    while !isClosed {
      XChangeProperty(display, clock.xid, xatom("RAW_PEER_CLOCK"), xatom("INTEGER"), 8, PropModeAppend, nil, 0)
      // The round trip delivers all earlier events, too; the queue is searched for the clock's event alone.
      XSync(display, False)
      var event = XEvent()
      if XCheckTypedWindowEvent(display, clock.xid, PropertyNotify, &event) != 0 {
        return Timestamp(rawValue: UInt32(truncatingIfNeeded: event.xproperty.time))
      }
    }
    return .currentTime
  }

  /// Blocks until the connection is readable. Only called when all received events have been processed.
  private func wait(until deadline: ContinuousClock.Instant) {
    XFlush(display)
    guard XEventsQueued(display, QueuedAlready) == 0 else { return }
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(
      &descriptor, 1, CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }

  /// Processes all received events.
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

/// Handles X errors of raw peers, so that none ends the process.
///
/// Xlib has one error handler and one I/O error handler per process. Both are installed once, handle errors of their own
/// displays and pass others to the handler before.
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
    // With a handler that returns, Xlib marks the display as broken and the current call fails, instead of exiting.
    XSetIOErrorExitHandler(display, { _, _ in }, nil)
    return errors
  }

  static func forget(_ display: OpaquePointer) {
    displays.withLock { _ = $0.removeValue(forKey: UInt(bitPattern: display)) }
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// The windows for which requests have failed with BadWindow since the last call.
  func takeVanished() -> [WindowID] {
    vanished.withLock { list in
      defer { list = [] }
      return list
    }
  }

  /// Runs inside an Xlib call, so it must not call Xlib.
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

  /// Unchecked: imported C function pointers are not marked `Sendable`. They are constants here.
  private struct Handlers: @unchecked Sendable {
    let error: XErrorHandler?
    let lost: XIOErrorHandler?
  }
}
