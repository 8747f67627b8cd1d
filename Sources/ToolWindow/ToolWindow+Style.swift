internal import CX11

extension ToolWindow {
  /// What a window manager is asked for besides a plain window.
  public struct Style: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// The style of these bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Above other windows.
    public static let onTop = Style(rawValue: 1 << 0)
    /// Without a frame.
    public static let frameless = Style(rawValue: 1 << 1)
    /// Wherever the user goes.
    public static let onAllDesktops = Style(rawValue: 1 << 2)
  }

  /// Asks for a style; to be called before ``show()``, for window managers look when the window is mapped.
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
    // Motif's hints: the flag for decorations, and none of them. Their type has their own name.
    if style.contains(.frameless) {
      hints.replace("_MOTIF_WM_HINTS", type: hints.atom("_MOTIF_WM_HINTS"), with: [2, 0, 0, 0, 0])
    }
  }
}
