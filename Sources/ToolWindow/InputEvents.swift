/// A press or release of a pointer button, or motion with a button held.
public struct PointerEvent: Equatable, Sendable {
  /// The position in device pixels, window-local.
  public var position: PixelPoint
  /// The position in root pixels.
  public var rootPosition: PixelPoint
  /// The X button number, 1 is the primary button; 0 for motion.
  public var button: UInt32
  /// The server timestamp.
  public var time: UInt32
  /// The X state mask before the event: modifier keys and buttons.
  public var state: UInt32
}

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
