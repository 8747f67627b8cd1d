import CX11

/// The active grab of pointer and keyboard: both are grabbed, or neither.
final class Grab {
  private let display: DisplayHandle
  private let windows: WindowQueries
  private let window: WindowID

  private var held: Held?

  /// The last grab that was released, and the press that it kept from the host.
  private var released: Released?

  private struct Released {
    /// The serial number of the ungrab request. Events with lower numbers were sent before the server processed it.
    var serial: UInt
    /// The host's window that the user pressed in before the ungrab took effect.
    var pressed: WindowID?
  }

  private struct Held {
    var keyboard: Keyboard
    /// The serial number of the grab request; older events belong to an earlier grab.
    var serial: UInt
    var time: Timestamp
    /// The pointer position and the serial number of the query that returned it: at the start, and after each warp.
    /// Positions in older events are outdated.
    var known: (point: Point, serial: UInt)
  }

  init(_ display: DisplayHandle, window: WindowID) {
    self.display = display
    self.windows = WindowQueries(display)
    self.window = window
  }

  private static let pointerEvents =
    ButtonPressMask | ButtonReleaseMask | PointerMotionMask | EnterWindowMask | LeaveWindowMask

  /// The event mask that the grab window must select, so that the end of a grab is reported.
  static let windowEvents = StructureNotifyMask | EnterWindowMask | LeaveWindowMask | FocusChangeMask

  func take(
    cursor: Cursor, at time: Timestamp
  ) throws(GrabFailure) -> (PointerSample, down: Set<PointerButton>) {
    let serial = display.nextSerial
    var pointer: Int?
    var first = RequestBatch(display)
    first.grabPointer(window, Self.pointerEvents, cursor, time) { pointer = $0 }
    first.run()
    try check(pointer)
    var (keyboard, state): (Int?, PointerState?)
    var keys = RequestBatch.KeyState()
    var asked: UInt = 0
    // Together: a slow connection delays the first feedback by each round trip.
    var second = RequestBatch(display)
    second.grabKeyboard(window, time) { keyboard = $0 }
    second.keys { keys = $0 }
    second.pointer(over: display.root) { (state, asked) = ($0, $1) }
    second.run()
    do {
      try check(keyboard)
    } catch {
      // The grab's own timestamp: the server ignores an earlier one, and the pointer would stay grabbed.
      display.request(onError: .swallow) { XUngrabPointer($0, time.xTime) }
      display.request(onError: .swallow) { XFlush($0) }
      throw error
    }
    guard let state else { throw .closed }
    let grabbed = Keyboard(keys)
    held = Held(keyboard: grabbed, serial: serial, time: time, known: (state.point, asked))
    let sample = PointerSample(point: state.point, time: time, modifiers: grabbed.modifiers(inState: state.mask))
    return (sample, state.buttons)
  }

  /// See ``WindowSystem/queuedRelease(of:since:)``.
  ///
  /// Until the grab is active, the server reports press, motion and release to the window that was pressed. The round
  /// trips of ``take(cursor:at:)`` have read all of them.
  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    var search = ReleaseSearch(button: button.rawValue, time: time)
    display.request(onError: .swallow) { display in
      withUnsafeMutablePointer(to: &search) { search in
        var unused = XEvent()
        // The predicate inspects each event and accepts none, so that all stay in the queue.
        XCheckIfEvent(
          display, &unused, ReleaseSearch.look, UnsafeMutableRawPointer(search).assumingMemoryBound(to: CChar.self))
      }
    }
    guard let release = search.found else { return nil }
    let keyboard = held?.keyboard ?? Keyboard(display)
    return PointerSample(
      point: Point(x: Int(release.x_root), y: Int(release.y_root)), time: Timestamp(release.time),
      modifiers: keyboard.modifiers(inState: release.state))
  }

  /// The search criteria and result of ``queuedRelease(of:since:)``, passed to the predicate of `XCheckIfEvent`.
  private struct ReleaseSearch {
    var button: UInt32
    var time: Timestamp
    var found: XButtonEvent?

    static let look: @convention(c) (OpaquePointer?, UnsafeMutablePointer<XEvent>?, XPointer?) -> Int32 = {
      _, event, argument in
      guard let event, let argument, event.pointee.type == ButtonRelease else { return 0 }
      let search = UnsafeMutableRawPointer(argument).assumingMemoryBound(to: ReleaseSearch.self)
      let release = event.pointee.xbutton
      if search.pointee.found == nil, release.button == search.pointee.button,
        !search.pointee.time.isLater(than: Timestamp(release.time))
      {
        search.pointee.found = release
      }
      return 0
    }
  }

  func release(at time: Timestamp) {
    guard let held else { return }
    self.held = nil
    // The server ignores an ungrab with a timestamp before the grab's, and the pointer would stay grabbed.
    let time = time != .currentTime && held.time.isLater(than: time) ? held.time : time
    display.request(onError: .swallow) {
      XUngrabKeyboard($0, time.xTime)
      released = Released(serial: XNextRequest($0))
      XUngrabPointer($0, time.xTime)
      XFlush($0)
    }
  }

  /// Redirects an event of a released grab to the host's window that it was meant for.
  ///
  /// The server keeps a grab until it processes the ungrab request. The user may release and press again before this
  /// program has read the release. The server then reports that press, and the events after it, to the grab window.
  /// They are put back into the queue as the server would have reported them without the grab.
  private func redirect(_ event: UnsafePointer<XEvent>) {
    guard let released, event.pointee.xany.serial < released.serial else { return }
    var copy = event.pointee
    switch copy.type {
    case ButtonPress where released.pressed == nil:
      let root = Point(x: Int(copy.xbutton.x_root), y: Int(copy.xbutton.y_root))
      guard let window = ownWindow(at: root, selecting: ButtonPressMask) else { return }
      self.released?.pressed = window
    case ButtonPress, ButtonRelease, MotionNotify: break
    default: return
    }
    guard let window = self.released?.pressed, let origin = windows.origin(of: window) else { return }
    // `XMotionEvent` and `XButtonEvent` share the layout of these fields.
    copy.xbutton.window = window.xid
    copy.xbutton.subwindow = 0
    copy.xbutton.x = copy.xbutton.x_root - Int32(clamping: origin.x)
    copy.xbutton.y = copy.xbutton.y_root - Int32(clamping: origin.y)
    display.request(onError: .swallow) { XPutBackEvent($0, &copy) }
    if copy.type == ButtonRelease { self.released?.pressed = nil }
  }

  /// The innermost window at a root position on which this client selects any event of `mask`.
  private func ownWindow(at place: Point, selecting mask: Int) -> WindowID? {
    var (parent, found): (WindowID, WindowID?) = (display.root, nil)
    while let child = windows.translate(place, from: display.root, to: parent)?.child,
      let state = windows.state(of: child)
    {
      // Another client's window does not match: `ButtonPressMask` can be selected by only one client per window.
      if state.eventMask & mask != 0 { found = child }
      parent = child
    }
    return found
  }

  /// See ``WindowSystem/movePointer(_:at:)``.
  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample? {
    guard let held else { return nil }
    display.request(onError: .swallow) {
      switch move {
      case .by(let dx, let dy): XWarpPointer($0, 0, 0, 0, 0, 0, 0, Int32(clamping: dx), Int32(clamping: dy))
      case .to(let point):
        XWarpPointer($0, 0, display.root.xid, 0, 0, 0, 0, Int32(clamping: point.x), Int32(clamping: point.y))
      }
    }
    // The server clamps the warp to the screen's edges, and to the parts that a monitor shows.
    let asked = display.nextSerial
    guard let state = windows.pointer() else { return nil }
    self.held?.known = (state.point, asked)
    return PointerSample(point: state.point, time: time, modifiers: held.keyboard.modifiers(inState: state.mask))
  }

  func show(_ cursor: Cursor) {
    guard held != nil else { return }
    display.request(onError: .swallow) {
      XChangeActivePointerGrab($0, UInt32(Self.pointerEvents), cursor, Timestamp.currentTime.xTime)
    }
  }

  /// Decodes an event of the grab window; `nil` for irrelevant ones and for those of an earlier grab.
  func interpret(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    guard let held, event.pointee.xany.serial >= held.serial else {
      redirect(event)
      return nil
    }
    // A key or button event that is older than a warp is read after it: use the position after the warp.
    let known = event.pointee.xany.serial < held.known.serial ? held.known.point : nil
    switch event.pointee.type {
    case MotionNotify:
      guard known == nil else { return nil }
      let motion = event.pointee.xmotion
      return .pointerMoved(
        PointerSample(
          point: Point(x: Int(motion.x_root), y: Int(motion.y_root)), time: Timestamp(motion.time),
          modifiers: held.keyboard.modifiers(inState: motion.state)))
    case ButtonPress, ButtonRelease:
      let press = event.pointee.xbutton
      let button = PointerButton(rawValue: press.button)
      let sample = PointerSample(
        point: known ?? Point(x: Int(press.x_root), y: Int(press.y_root)), time: Timestamp(press.time),
        modifiers: held.keyboard.modifiers(inState: press.state))
      return event.pointee.type == ButtonPress ? .buttonPressed(button, sample) : .buttonReleased(button, sample)
    case KeyPress, KeyRelease:
      let key = event.pointee.xkey
      return self.held?.keyboard.interpret(key, at: known ?? Point(x: Int(key.x_root), y: Int(key.y_root)))
    case LeaveNotify:
      return event.pointee.xcrossing.mode == NotifyUngrab ? lose() : nil
    case FocusOut:
      return event.pointee.xfocus.mode == NotifyUngrab ? lose() : nil
    case UnmapNotify, DestroyNotify:
      return lose()
    default:
      return nil
    }
  }

  /// Reads the modifier mapping again after a `MappingNotify`: Alt may have moved.
  func keyboardChanged() {
    held?.keyboard.remap(display)
  }

  /// The server has ended one of the two grabs: releases the other and reports the loss once.
  private func lose() -> ServerEvent? {
    release(at: .currentTime)
    return .grabLost
  }

  private func check(_ status: Int?) throws(GrabFailure) {
    switch status.map(Int32.init) {
    case GrabSuccess: return
    case AlreadyGrabbed: throw .alreadyGrabbed
    case GrabNotViewable: throw .notViewable
    case GrabInvalidTime: throw .invalidTime
    case GrabFrozen: throw .frozen
    default: throw .closed
    }
  }
}
