/// The identity of an X11 window.
///
/// A 29-bit resource ID of the X server. The server may reuse the ID after the window is destroyed, so an ID alone does
/// not prove that a peer is still there.
public struct WindowID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The resource ID.
  public let rawValue: UInt32

  /// Creates an identity from a resource ID.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates an identity from Xlib's `Window`.
  public init(_ window: UInt) { rawValue = UInt32(truncatingIfNeeded: window) }

  /// No window: the C constant `None`.
  package static let none = WindowID(rawValue: 0)

  /// The ID in hexadecimal, as X tools print it: `0x2a00001`.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}

/// The X client that created a resource.
///
/// The server gives each client a range of resource IDs (X11 protocol, `resource-id-base` and `resource-id-mask`), so
/// the upper bits of a window's ID identify the connection. They relate a requestor to a drop target: GTK, Qt and Tk
/// convert selections from hidden windows, never from the window that was dropped on.
package struct ClientID: Hashable, Sendable {
  private let base: UInt32

  /// - Parameter resourceMask: The bits that clients choose: ``WindowSystem/resourceMask``.
  package init(of window: WindowID, resourceMask: UInt32) {
    base = window.rawValue & ~resourceMask
  }
}

/// The number of a string on one X server: the C type `Atom`.
///
/// Atoms are used only by the coding of ``XdndMessage``, the Xlib layer, the tools' own X requests and the test
/// clients. All other code uses ``AtomName``, because an atom is meaningless on another server.
package struct Atom: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let none = Atom(rawValue: 0)
}

extension WindowID: Comparable {
  /// Orders windows by resource ID, to give collections a stable order.
  public static func < (left: WindowID, right: WindowID) -> Bool { left.rawValue < right.rawValue }
}
