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
    /// Motion from before this request is older than the place that the drag begins with.
    var motionSerial: UInt
    var time: Timestamp
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
    let held = Held(keyboard: keys, serial: serial, motionSerial: display.nextSerial, time: time)
    self.held = held
    guard let state = display.queryPointer() else {
      self.held = nil
      throw .closed
    }
    let sample = PointerSample(
      point: state.point, time: time, modifiers: held.keyboard.modifiers(inState: state.mask))
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

  func show(_ cursor: Cursor) {
    guard held != nil else { return }
    display.request(onError: .swallow) {
      XChangeActivePointerGrab($0, UInt32(Self.pointerEvents), cursor, Timestamp.currentTime.xTime)
    }
  }

  /// What an event of the grab window means; `nil` for what means nothing, or comes from an earlier grab.
  func interpret(_ event: UnsafePointer<XEvent>) -> ServerEvent? {
    guard let held, event.pointee.xany.serial >= held.serial else { return nil }
    switch event.pointee.type {
    case MotionNotify:
      guard event.pointee.xany.serial >= held.motionSerial else { return nil }
      let motion = event.pointee.xmotion
      return .pointerMoved(sample(motion.x_root, motion.y_root, motion.time, motion.state))
    case ButtonPress, ButtonRelease:
      let press = event.pointee.xbutton
      let button = PointerButton(rawValue: press.button)
      let sample = sample(press.x_root, press.y_root, press.time, press.state)
      return event.pointee.type == ButtonPress ? .buttonPressed(button, sample) : .buttonReleased(button, sample)
    case KeyPress, KeyRelease:
      return self.held?.keyboard.interpret(event.pointee.xkey)
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

  private func sample(_ x: Int32, _ y: Int32, _ time: Time, _ state: UInt32) -> PointerSample {
    PointerSample(
      point: Point(x: Int(x), y: Int(y)), time: Timestamp(time),
      modifiers: held?.keyboard.modifiers(inState: state) ?? [])
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
