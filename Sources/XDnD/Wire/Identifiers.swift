/// An X11 window.
///
/// A resource id of the X server: 32 bits, of which the upper three are always zero. Ids are reused after a window
/// dies, so an id alone never proves that a peer is still there.
public struct WindowID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The resource id as the server numbers it.
  public let rawValue: UInt32

  /// Wraps a resource id. The corresponding C type is `Window`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// No window: the C constant `None`.
  public static let none = WindowID(rawValue: 0)

  /// The id as X tools print it, `0x2a00001`.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}

/// The X client that made a resource.
///
/// The server gives each client a range of resource ids (X11 protocol, `resource-id-base` and `resource-id-mask`), so the
/// upper bits of a window's id say which connection has made it. Programs ask for data from hidden windows: GTK, Qt and Tk
/// never from the window that was dropped on.
struct ClientID: Hashable, Sendable {
  private let base: UInt32

  /// - Parameter resourceMask: The bits that clients choose: ``WindowSystem/resourceMask``.
  init(of window: WindowID, resourceMask: UInt32) {
    base = window.rawValue & ~resourceMask
  }
}

/// A number that stands for a string in one X server: the C type `Atom`.
///
/// Only ``XdndMessage`` coding and the Xlib layer handle atoms. Everything above them speaks ``AtomName``, because a
/// number means nothing without the server that gave it.
struct Atom: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The C constant `None`.
  static let none = Atom(rawValue: 0)
}

extension WindowID: Comparable {
  /// By number; only to have an order that is always the same.
  public static func < (left: WindowID, right: WindowID) -> Bool { left.rawValue < right.rawValue }
}
