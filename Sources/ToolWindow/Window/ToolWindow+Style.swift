internal import CX11

extension ToolWindow {
  /// Window manager hints beyond those of a normal window. The effect depends on the window manager.
  public struct Style: OptionSet, Sendable {
    /// The bits of the styles.
    public let rawValue: UInt8

    /// Creates a style from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Kept above other windows (`_NET_WM_STATE_ABOVE`).
    public static let onTop = Style(rawValue: 1 << 0)
    /// Without decorations (`_MOTIF_WM_HINTS`).
    public static let frameless = Style(rawValue: 1 << 1)
    /// Visible on all desktops (`_NET_WM_STATE_STICKY`, `_NET_WM_DESKTOP` 0xFFFFFFFF).
    public static let onAllDesktops = Style(rawValue: 1 << 2)
  }

  /// Sets the hints of a style. Call it before ``show()``: window managers read these properties when the window is
  /// mapped.
  public func adopt(_ style: Style) {
    guard let display, !style.isEmpty else { return }
    let hints = WindowHints(display: display, window: window)
    var states: [CLong] = []
    if style.contains(.onTop) { states.append(CLong(bitPattern: hints.atom("_NET_WM_STATE_ABOVE"))) }
    if style.contains(.onAllDesktops) {
      states.append(CLong(bitPattern: hints.atom("_NET_WM_STATE_STICKY")))
      hints.replace("_NET_WM_DESKTOP", type: XA_CARDINAL, with: [0xFFFF_FFFF])
    }
    if !states.isEmpty { hints.replace("_NET_WM_STATE", type: XA_ATOM, with: states) }
    // MwmHints: `flags` = 2 (decorations), `decorations` = 0. The property's type is the atom of its own name.
    if style.contains(.frameless) {
      hints.replace("_MOTIF_WM_HINTS", type: hints.atom("_MOTIF_WM_HINTS"), with: [2, 0, 0, 0, 0])
    }
  }
}
