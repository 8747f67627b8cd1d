/// The modifier keys that affect a drag.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// One bit per key. The bits are this library's own, not those of the X state mask.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Either Shift key.
  public static let shift = Modifiers(rawValue: 1 << 0)
  /// Either Control key.
  public static let control = Modifiers(rawValue: 1 << 1)
  /// Either Alt key, whichever modifier bit the server maps it to.
  public static let alt = Modifiers(rawValue: 1 << 2)
}

struct PointerSample: Hashable, Sendable {
  /// Root coordinates in pixels.
  var point: Point
  var time: Timestamp
  var modifiers: Modifiers = []
}

/// A pointer button, as X numbers them: 1 is the primary one.
public struct PointerButton: RawRepresentable, Hashable, Sendable {
  /// The number in `XButtonEvent.button`.
  public let rawValue: UInt32

  /// Creates a button from its X number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Button 1.
  public static let primary = PointerButton(rawValue: 1)
  static let secondary = PointerButton(rawValue: 3)
}

/// A window that accepts drops, as the source has to address it.
struct DropTarget: Hashable, Sendable {
  /// The window under the pointer: the `window` field of each message, and the window that `XdndStatus` names.
  var window: WindowID
  /// The window that messages are sent to: the validated `XdndProxy`, or ``window`` itself.
  var destination: WindowID
  var version: ProtocolVersion
}
