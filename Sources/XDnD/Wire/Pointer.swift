/// Modifier keys that steer a drag.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// One bit a key; the bits are this library's own, not those of the X state mask.
  public let rawValue: UInt8

  /// Wraps bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Either Shift key.
  public static let shift = Modifiers(rawValue: 1 << 0)
  /// Either Control key.
  public static let control = Modifiers(rawValue: 1 << 1)
  /// Either Alt key, whichever modifier bit the server has it on.
  public static let alt = Modifiers(rawValue: 1 << 2)
}

/// Where the pointer is, and what is held down with it.
struct PointerSample: Hashable, Sendable {
  /// Root coordinates in pixels.
  var point: Point
  var time: Timestamp
  var modifiers: Modifiers = []
}

/// A pointer button as X numbers them: 1 is the primary one.
public struct PointerButton: RawRepresentable, Hashable, Sendable {
  /// The number in `XButtonEvent.button`.
  public let rawValue: UInt32

  /// Wraps a number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Button 1.
  public static let primary = PointerButton(rawValue: 1)
  /// Button 3.
  static let secondary = PointerButton(rawValue: 3)
}

/// A window that takes drops, as the source has to address it.
struct DropTarget: Hashable, Sendable {
  /// The window under the pointer: goes into the `window` field of each message, and `XdndStatus` names it.
  var window: WindowID
  /// Where messages are delivered: the window's validated `XdndProxy`, or the window itself.
  var destination: WindowID
  /// What both sides speak.
  var version: ProtocolVersion
}
