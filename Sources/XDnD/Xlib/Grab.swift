import CX11

/// Pointer and keyboard, held together or not at all.
final class Grab {
  private let display: DisplayHandle
  private let window: WindowID

  /// What is held right now.
  private var held: Held?

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

  func release(at time: Timestamp) {
    guard let held else { return }
    self.held = nil
    // The server ignores an ungrab that is older than the grab, and then nobody could click anywhere any more.
    let time = time != .currentTime && held.time.isLater(than: time) ? held.time : time
    display.request(onError: .swallow) {
      XUngrabKeyboard($0, time.xTime)
      XUngrabPointer($0, time.xTime)
      XFlush($0)
    }
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
    guard let held, event.pointee.xany.serial >= held.serial else { return nil }
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
