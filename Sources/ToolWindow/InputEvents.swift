/// A pointer button went down or up, or the pointer moved while one was down.
public struct PointerEvent: Equatable, Sendable {
  /// In the window, in device pixels.
  public var position: PixelPoint
  /// On the root window, in device pixels.
  public var rootPosition: PixelPoint
  /// The button as X numbers them, 1 is the primary one; 0 for motion.
  public var button: UInt32
  /// The server's time.
  public var time: UInt32
  /// The X state mask from before the event: modifier keys and buttons.
  public var state: UInt32
}

/// A key went down.
public struct KeyEvent: Equatable, Sendable {
  /// What the key means with the modifiers that are held, as X names it.
  public var keysym: UInt
  /// What the key types; empty if nothing.
  public var text: String
  /// The server's time.
  public var time: UInt32
  /// The X state mask from before the event.
  public var state: UInt32
}

/// Text of keys.
enum KeyText {
  /// What a keysym types: those of Latin-1 and of Unicode say it themselves. No input method takes part.
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
