/// Window manager hints beyond those of a normal window. The effect depends on the window manager.
package struct WindowStyle: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Kept above other windows (`_NET_WM_STATE_ABOVE`).
  package static let onTop = WindowStyle(rawValue: 1 << 0)
  /// Without decorations (`_MOTIF_WM_HINTS`).
  package static let frameless = WindowStyle(rawValue: 1 << 1)
  /// Visible on all desktops (`_NET_WM_STATE_STICKY`, `_NET_WM_DESKTOP` 0xFFFFFFFF).
  package static let onAllDesktops = WindowStyle(rawValue: 1 << 2)
  /// Appears without the keyboard focus, because no action of the user asked for it (`_NET_WM_USER_TIME` 0).
  package static let inBackground = WindowStyle(rawValue: 1 << 3)
}
