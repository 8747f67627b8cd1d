/// The modifier keys that affect a drag.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// One bit per key. The bits are this library's own, not the bits of the X state mask.
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

package struct PointerSample: Hashable, Sendable {
  /// Root coordinates in pixels.
  package var point: Point
  package var time: Timestamp
  package var modifiers: Modifiers = []

  package init(point: Point, time: Timestamp, modifiers: Modifiers = []) {
    self.point = point
    self.time = time
    self.modifiers = modifiers
  }
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

/// The input device whose press begins a drag, and whose motion then controls it.
public enum InputDevice: Hashable, Sendable {
  /// The pointer of the core protocol: for presses that the host has received as `ButtonPress` events.
  case core

  /// A device of XInput 2: for presses that the host has received as `XI_ButtonPress` events.
  ///
  /// - Parameter id: `XIDeviceEvent.deviceid`: a master pointer, or a device such as a pen. The drag follows the pen's
  ///   master pointer.
  case device(_ id: Int)

  /// A finger on a touch device of XInput 2: for touches that the host has received as `XI_TouchBegin` events.
  ///
  /// - Parameters:
  ///   - id: `XIDeviceEvent.deviceid`.
  ///   - sequence: `XIDeviceEvent.detail`, the number of the touch sequence.
  case touch(_ id: Int, sequence: UInt32)

  /// Whether it is a finger.
  package var isTouch: Bool { if case .touch = self { true } else { false } }
}

/// A window that accepts drops, with the address for its messages.
package struct DropTarget: Hashable, Sendable {
  /// The window under the pointer: the `window` field of each message, and the window that `XdndStatus` names.
  package var window: WindowID
  /// The window that messages are sent to: the validated `XdndProxy`, or ``window`` itself.
  package var destination: WindowID
  package var version: ProtocolVersion

  package init(window: WindowID, destination: WindowID, version: ProtocolVersion) {
    self.window = window
    self.destination = destination
    self.version = version
  }
}
