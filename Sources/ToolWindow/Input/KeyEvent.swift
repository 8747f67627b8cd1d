internal import CX11

/// A key press.
public struct KeyEvent: Equatable, Sendable {
  /// The X keysym, with modifiers applied.
  public var keysym: UInt
  /// The text that the key produces; may be empty.
  public var text: String
  /// The server timestamp.
  public var time: UInt32
  /// The X state mask before the event.
  public var state: UInt32
}

extension KeyEvent {
  init(_ event: inout XKeyEvent) {
    var keysym = KeySym()
    XLookupString(&event, nil, 0, &keysym, nil)
    self.init(
      keysym: keysym, text: KeyText.text(of: keysym), time: UInt32(truncatingIfNeeded: event.time),
      state: event.state)
  }
}

/// The text of keysyms.
enum KeyText {
  /// Returns the text of a Latin-1 or Unicode keysym, without an input method.
  static func text(of keysym: UInt) -> String {
    let code: UInt32
    switch keysym {
    case 0x20...0x7E, 0xA0...0xFF: code = UInt32(keysym)
    case 0x0100_0100...0x0110_FFFF: code = UInt32(keysym & 0xFF_FFFF)
    default: return ""
    }
    return Unicode.Scalar(code).map(String.init) ?? ""
  }
}
