internal import CX11

/// Messages of the window manager (ICCCM §4.2.8, EWMH `_NET_WM_PING`).
struct WindowProtocols {
  /// What the window manager asks for.
  enum Message {
    /// The user asked to close the window.
    case deleteWindow
    /// The window may take the keyboard focus.
    case takeFocus(time: UInt32)
    /// Whether the client still responds; already answered.
    case ping
  }

  private let display: OpaquePointer
  private let protocols: CX11.Atom
  private let deleteWindow: CX11.Atom
  private let ping: CX11.Atom
  private let takeFocus: CX11.Atom

  /// The atoms are in Xlib's cache after ``WindowHints`` has written the window's properties.
  init(_ display: OpaquePointer) {
    self.display = display
    protocols = XInternAtom(display, "WM_PROTOCOLS", 0)
    deleteWindow = XInternAtom(display, "WM_DELETE_WINDOW", 0)
    ping = XInternAtom(display, "_NET_WM_PING", 0)
    takeFocus = XInternAtom(display, "WM_TAKE_FOCUS", 0)
  }

  /// Reads a client message, and answers a ping. Returns `nil` for a message that is not from the window manager.
  func receive(_ message: XClientMessageEvent) -> Message? {
    guard message.message_type == protocols, message.format == 32 else { return nil }
    switch CX11.Atom(bitPattern: message.data.l.0) {
    case deleteWindow: return .deleteWindow
    case takeFocus: return .takeFocus(time: UInt32(truncatingIfNeeded: message.data.l.1))
    case ping:
      let root = XDefaultRootWindow(display)
      var answer = XEvent()
      answer.xclient = message
      answer.xclient.window = root
      XSendEvent(display, root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &answer)
      return .ping
    default: return nil
    }
  }
}
