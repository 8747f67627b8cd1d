import XDnDX11

/// Activates the application's windows, through the window manager if there is one.
struct WindowActivation {
  let display: DisplayHandle
  let atoms: AtomTable
  let properties: Properties

  private static let activeWindow = AtomName("_NET_ACTIVE_WINDOW")

  /// See ``WindowSystem/activate(_:at:)``.
  func activate(_ window: WindowID, at time: Timestamp) {
    guard managesActivation else {
      // `XSetInputFocus` fails with `BadMatch` if the window is not viewable; then there is nothing to activate.
      display.request(onError: .swallow) { display in
        XRaiseWindow(display, window.xid)
        XSetInputFocus(display, window.xid, RevertToParent, time.xTime)
      }
      return
    }
    // EWMH `_NET_ACTIVE_WINDOW`: source indication 1 (application), the timestamp of the user's action, and the
    // requestor's active window. The last is 0: the active window need not be the host's.
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = XDnDX11.Atom(atoms.atom(Self.activeWindow).rawValue)
    event.xclient.format = 32
    event.xclient.data.l = (1, Format32.long(time.rawValue), 0, 0, 0)
    display.request(onError: .swallow) {
      XSendEvent($0, display.root.xid, False, SubstructureRedirectMask | SubstructureNotifyMask, &event)
    }
  }

  /// Whether a running window manager supports `_NET_ACTIVE_WINDOW`.
  ///
  /// The root properties of a dead window manager remain. Its check window no longer exists, or its id has been reused
  /// by a window without the property.
  private var managesActivation: Bool {
    let check = AtomName("_NET_SUPPORTING_WM_CHECK")
    guard
      let manager = properties.words(in: check, of: display.root, type: .window, limit: 1)?.first.map(
        WindowID.init(rawValue:)),
      properties.words(in: check, of: manager, type: .window, limit: 1)?.first == manager.rawValue
    else { return false }
    let supported = properties.words(in: AtomName("_NET_SUPPORTED"), of: display.root, type: .atom, limit: 4096) ?? []
    return supported.contains(atoms.atom(Self.activeWindow).rawValue)
  }
}
