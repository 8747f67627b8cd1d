internal import XDnDX11

/// A press or release of a pointer button, motion, or the pointer entering or leaving the window.
package struct PointerEvent: Equatable, Sendable {
  /// The position in device pixels, window-local.
  package var position: PixelPoint
  /// The position in root pixels.
  package var rootPosition: PixelPoint
  /// The X button number: 1 for the primary button; 0 for motion, entry and exit.
  package var button: UInt32
  /// The server timestamp.
  package var time: UInt32
  /// The X state mask before the event: modifier keys and buttons.
  package var state: UInt32
}

extension PointerEvent {
  /// The mask of the buttons 1 to 5 in an event's `state`.
  static let anyButton: UInt32 = 0x1F00

  var isButtonHeld: Bool { state & Self.anyButton != 0 }
  /// Whether a button is still down after a release.
  var leavesButtonHeld: Bool {
    let released: UInt32 = (1...5).contains(button) ? 0x80 << button : 0
    return state & Self.anyButton & ~released != 0
  }

  /// - Parameter event: A `ButtonPress`, `ButtonRelease` or `MotionNotify`, which have the same fields up to `state`.
  init(_ event: XEvent) {
    let fields = event.xbutton
    self.init(
      position: PixelPoint(x: Int(fields.x), y: Int(fields.y)),
      rootPosition: PixelPoint(x: Int(fields.x_root), y: Int(fields.y_root)),
      button: event.type == MotionNotify ? 0 : fields.button, time: UInt32(truncatingIfNeeded: fields.time),
      state: fields.state)
  }

  init(crossing event: XCrossingEvent) {
    self.init(
      position: PixelPoint(x: Int(event.x), y: Int(event.y)),
      rootPosition: PixelPoint(x: Int(event.x_root), y: Int(event.y_root)), button: 0,
      time: UInt32(truncatingIfNeeded: event.time), state: event.state)
  }
}

/// The buttons of scroll wheels: 4 and 5 for up and down, 6 and 7 for left and right.
enum WheelButtons {
  static let up: UInt32 = 4
  static let down: UInt32 = 5

  static func contains(_ button: UInt32) -> Bool { (4...7).contains(button) }
}

package struct KeyEvent: Equatable, Sendable {
  /// The X keysym, with modifiers applied.
  package var keysym: UInt
  /// The key's character as a shortcut, in lower case even with Caps Lock. If this group of the keyboard has no Latin
  /// letters, the character is from another group.
  package var shortcut: String
  /// The server timestamp.
  package var time: UInt32
  /// The X state mask before the event.
  package var state: UInt32
}

extension KeyEvent {
  /// A key for navigation or decisions, regardless of the text it produces.
  package enum Key: Sendable {
    case up, down, left, right, pageUp, pageDown, home, end
    case tab, backTab, enter, escape
  }

  /// The key, also on the keypad; `nil` for all other keys.
  package var key: Key? {
    switch Int32(truncatingIfNeeded: keysym) {
    case XK_Up, XK_KP_Up: .up
    case XK_Down, XK_KP_Down: .down
    case XK_Left, XK_KP_Left: .left
    case XK_Right, XK_KP_Right: .right
    case XK_Page_Up, XK_KP_Page_Up: .pageUp
    case XK_Page_Down, XK_KP_Page_Down: .pageDown
    case XK_Home, XK_KP_Home: .home
    case XK_End, XK_KP_End: .end
    case XK_Tab: .tab
    case XK_ISO_Left_Tab: .backTab
    case XK_Return, XK_KP_Enter: .enter
    case XK_Escape: .escape
    default: nil
    }
  }

  var isOnKeypad: Bool { (UInt(XK_KP_Space)...UInt(XK_KP_Equal)).contains(keysym) }
  package var isShiftHeld: Bool { state & UInt32(ShiftMask) != 0 }
  package var isControlHeld: Bool { state & UInt32(ControlMask) != 0 }
  /// Whether Alt or Super is held: the key is a shortcut.
  var isAltOrSuperHeld: Bool { state & UInt32(Mod1Mask | Mod4Mask) != 0 }

  init(_ event: inout XKeyEvent) {
    var keysym = KeySym()
    XLookupString(&event, nil, 0, &keysym, nil)
    // The columns of the key: two for each group.
    let columns = (0..<8).map { Self.shortcut(of: XLookupKeysym(&event, $0)) }
    self.init(
      keysym: keysym, shortcut: Self.shortcut(of: keysym, or: columns),
      time: UInt32(truncatingIfNeeded: event.time), state: event.state)
  }

  /// - Parameter columns: The characters of the key in all groups of the keyboard.
  static func shortcut(of keysym: UInt, or columns: [String]) -> String {
    let own = shortcut(of: keysym)
    if own.first?.isASCII == true { return own }
    return columns.first { $0.first.map { $0.isASCII && $0.isLetter } ?? false } ?? own
  }

  /// The character of a Latin-1 or Unicode keysym in lower case.
  static func shortcut(of keysym: UInt) -> String {
    let code: UInt32
    switch keysym {
    case 0x20...0x7E, 0xA0...0xFF: code = UInt32(keysym)
    case 0x0100_0100...0x0110_FFFF: code = UInt32(keysym & 0xFF_FFFF)
    default: return ""
    }
    return Unicode.Scalar(code).map { String($0).lowercased() } ?? ""
  }
}
