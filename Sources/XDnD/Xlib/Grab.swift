import CX11

/// Pointer and keyboard, held together or not at all.
final class Grab {
  private let display: DisplayHandle
  private let window: WindowID

  /// What is held right now.
  private var held: Held?

  /// The grab that was let go last, and what it has kept from the host.
  private var released: Released?

  private struct Released {
    /// Of the request that let it go. The server had not handled it when it sent events with lower numbers.
    var serial: UInt
    /// The window of ours that was pressed in meanwhile.
    var pressed: WindowID?
  }

  private struct Held {
    var keyboard: Keyboard
    /// Events from before this request belong to an earlier grab.
    var serial: UInt
    var time: Timestamp
    /// Where the pointer was when the server answered the request with this number: at the beginning, and after a move
    /// of our own. What is older says less.
    var known: (point: Point, serial: UInt)
  }

  init(_ display: DisplayHandle, window: WindowID) {
    self.display = display
    self.window = window
  }

  private static let pointerEvents =
    ButtonPressMask | ButtonReleaseMask | PointerMotionMask | EnterWindowMask | LeaveWindowMask

  /// What the window has to select, to hear how a grab on it ends.
  static let windowEvents = StructureNotifyMask | EnterWindowMask | LeaveWindowMask | FocusChangeMask

  func take(
    cursor: Cursor, at time: Timestamp
  ) throws(GrabFailure) -> (PointerSample, down: Set<PointerButton>) {
    let serial = display.nextSerial
    let pointer = display.request(onError: .swallow) {
      XGrabPointer(
        $0, window.xid, False, UInt32(Self.pointerEvents), GrabModeAsync, GrabModeAsync, 0, cursor, time.xTime)
    }
    try check(pointer)
    let keyboard = display.request(onError: .swallow) {
      XGrabKeyboard($0, window.xid, False, GrabModeAsync, GrabModeAsync, time.xTime)
    }
    do {
      try check(keyboard)
    } catch {
      // The time of the grab itself: an earlier one would be ignored, and the pointer stay caught.
      display.request(onError: .swallow) { XUngrabPointer($0, time.xTime) }
      display.request(onError: .swallow) { XFlush($0) }
      throw error
    }
    let keys = Keyboard(display)
    let asked = display.nextSerial
    guard let state = display.queryPointer() else { throw .closed }
    held = Held(keyboard: keys, serial: serial, time: time, known: (state.point, asked))
    let sample = PointerSample(point: state.point, time: time, modifiers: keys.modifiers(inState: state.mask))
    return (sample, state.buttons)
  }

  /// See ``WindowSystem/queuedRelease(of:since:)``.
  ///
  /// Until a grab is there, the server reports the press, the motion and the release to the window that was pressed in.
  /// The round trips of ``take(cursor:at:)`` have read all of them.
  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample? {
    var search = ReleaseSearch(button: button.rawValue, time: time)
    display.request(onError: .swallow) { display in
      withUnsafeMutablePointer(to: &search) { search in
        var unused = XEvent()
        // The predicate looks at each event and wants none, so all of them stay.
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

  /// What ``queuedRelease(of:since:)`` looks for.
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
    // The server ignores an ungrab that is older than the grab, and then nobody could click anywhere any more.
    let time = time != .currentTime && held.time.isLater(than: time) ? held.time : time
    display.request(onError: .swallow) {
      XUngrabKeyboard($0, time.xTime)
      released = Released(serial: XNextRequest($0))
      XUngrabPointer($0, time.xTime)
      XFlush($0)
    }
  }

  /// Gives an event to the window that it was meant for, if that is one of ours.
  ///
  /// The server keeps a grab until it is asked to end it. A hand can let go and press again before this program has seen
  /// the first of it: then the press, and what follows it, is still told to the grab's window. It goes back into the
  /// queue as what it would have been a moment later.
  private func redirect(_ event: UnsafePointer<XEvent>) {
    guard let released, event.pointee.xany.serial < released.serial else { return }
    var copy = event.pointee
    switch copy.type {
    case ButtonPress where released.pressed == nil:
      let root = Point(x: Int(copy.xbutton.x_root), y: Int(copy.xbutton.y_root))
      guard let window = display.ownWindow(at: root, selecting: ButtonPressMask) else { return }
      self.released?.pressed = window
    case ButtonPress, ButtonRelease, MotionNotify: break
    default: return
    }
    guard let window = self.released?.pressed, let origin = display.origin(of: window) else { return }
    // Fields of motions lie where those of buttons do.
    copy.xbutton.window = window.xid
    copy.xbutton.subwindow = 0
    copy.xbutton.x = copy.xbutton.x_root - Int32(clamping: origin.x)
    copy.xbutton.y = copy.xbutton.y_root - Int32(clamping: origin.y)
    display.request(onError: .swallow) { XPutBackEvent($0, &copy) }
    if copy.type == ButtonRelease { self.released?.pressed = nil }
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
    // The server decides how far it goes: there are edges, and parts of the screen that no monitor shows.
    let asked = display.nextSerial
    guard let state = display.queryPointer() else { return nil }
    self.held?.known = (state.point, asked)
    return PointerSample(point: state.point, time: time, modifiers: held.keyboard.modifiers(inState: state.mask))
  }

  func show(_ cursor: Cursor) {
    guard held != nil else { return }
    display.request(onError: .swallow) {
      XChangeActivePointerGrab($0, UInt32(Self.pointerEvents), cursor, Timestamp.currentTime.xTime)
    }
  }

  /// What an event of the grab window means; `nil` for what means nothing, or comes from an earlier grab.
  func interpret(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    guard let held, event.pointee.xany.serial >= held.serial else {
      redirect(event)
      return nil
    }
    // A key that was pressed before the pointer was moved has been read after that.
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

  /// After a `MappingNotify`: Alt may be elsewhere now.
  func keyboardChanged() {
    held?.keyboard.remap(display)
  }

  /// The server has let the one or the other go: so we let both go, and say it once.
  private func lose() -> ServerEvent? {
    release(at: .currentTime)
    return .grabLost
  }

  private func check(_ status: Int32?) throws(GrabFailure) {
    switch status {
    case GrabSuccess: return
    case AlreadyGrabbed: throw .alreadyGrabbed
    case GrabNotViewable: throw .notViewable
    case GrabInvalidTime: throw .invalidTime
    case GrabFrozen: throw .frozen
    default: throw .closed
    }
  }
}

extension DisplayHandle {
  /// The innermost window of this client at a place on the root that has asked for some event.
  fileprivate func ownWindow(at place: Point, selecting mask: Int) -> WindowID? {
    var (parent, found): (Window, WindowID?) = (root.xid, nil)
    while let child = child(of: parent, at: place) {
      let mine = roundTrip { display -> Int? in
        var attributes = XWindowAttributes()
        return XGetWindowAttributes(display, child, &attributes) == 0 ? nil : attributes.your_event_mask
      }
      guard let mine else { break }
      // Of another client's window this client asks for none of this: only one client can ask for presses.
      if mine & mask != 0 { found = WindowID(child) }
      parent = child
    }
    return found
  }

  /// Where a window is on the root.
  fileprivate func origin(of window: WindowID) -> Point? {
    roundTrip { display in
      var (x, y, child): (Int32, Int32, Window) = (0, 0, 0)
      let isThere = XTranslateCoordinates(display, window.xid, root.xid, 0, 0, &x, &y, &child) != 0
      return isThere ? Point(x: Int(x), y: Int(y)) : nil
    }
  }

  private func child(of parent: Window, at place: Point) -> Window? {
    roundTrip { display in
      var (x, y, child): (Int32, Int32, Window) = (0, 0, 0)
      let isThere = XTranslateCoordinates(
        display, root.xid, parent, Int32(clamping: place.x), Int32(clamping: place.y), &x, &y, &child)
      return isThere != 0 && child != 0 ? child : nil
    }
  }

  /// Where the pointer is, and what is held down; `nil` on a lost server.
  func queryPointer() -> PointerState? {
    roundTrip { display in
      var rootReturn: Window = 0
      var child: Window = 0
      var (rootX, rootY, x, y): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      var mask: UInt32 = 0
      // False means that the pointer is on another screen of the display: the numbers are good all the same.
      XQueryPointer(display, root.xid, &rootReturn, &child, &rootX, &rootY, &x, &y, &mask)
      return PointerState(point: Point(x: Int(rootX), y: Int(rootY)), mask: mask)
    }
  }
}

/// The answer of `XQueryPointer`.
struct PointerState {
  /// Root coordinates.
  var point: Point
  /// Modifiers and buttons as X packs them.
  var mask: UInt32

  /// The buttons that are down, as far as the mask has bits: 1 to 5.
  var buttons: Set<PointerButton> {
    let masks = [Button1Mask, Button2Mask, Button3Mask, Button4Mask, Button5Mask]
    let down = masks.indices.filter { mask & UInt32(masks[$0]) != 0 }
    return Set(down.map { PointerButton(rawValue: UInt32($0 + 1)) })
  }
}
