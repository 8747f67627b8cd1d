/// Window manager hints beyond those of a normal window. The effect depends on the window manager.
public struct WindowStyle: OptionSet, Sendable {
  /// The bits of the styles.
  public let rawValue: UInt8

  /// Creates a style from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Kept above other windows (`_NET_WM_STATE_ABOVE`).
  public static let onTop = WindowStyle(rawValue: 1 << 0)
  /// Without decorations (`_MOTIF_WM_HINTS`).
  public static let frameless = WindowStyle(rawValue: 1 << 1)
  /// Visible on all desktops (`_NET_WM_STATE_STICKY`, `_NET_WM_DESKTOP` 0xFFFFFFFF).
  public static let onAllDesktops = WindowStyle(rawValue: 1 << 2)
}
