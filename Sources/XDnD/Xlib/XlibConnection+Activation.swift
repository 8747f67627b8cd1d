import CX11

extension XlibConnection {
  private static let activeWindow = AtomName("_NET_ACTIVE_WINDOW")

  func activate(_ window: WindowID, at time: Timestamp) {
    guard managesActivation else {
      // `BadMatch` for a window that is not to be seen: then there is nothing to bring forward.
      display.request(onError: .swallow) { display in
        XRaiseWindow(display, window.xid)
        XSetInputFocus(display, window.xid, RevertToParent, time.xTime)
      }
      return
    }
    // EWMH: 1 stands for an application that asks, and then the time of what the user did; the last word would be our
    // active window, and the one that the user has dragged from is not known to be ours.
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = CX11.Atom(atoms.atom(Self.activeWindow).rawValue)
    event.xclient.format = 32
    event.xclient.data.l = (1, Format32.long(time.rawValue), 0, 0, 0)
    display.request(onError: .swallow) {
      XSendEvent($0, display.root.xid, False, SubstructureRedirectMask | SubstructureNotifyMask, &event)
    }
  }

  /// Whether there is a window manager that is alive and knows the message. What a dead one has said of itself stays on
  /// the root; its own window does not, or has another number in it.
  private var managesActivation: Bool {
    let check = AtomName("_NET_SUPPORTING_WM_CHECK")
    guard
      let manager = desktopProperties.words(in: check, of: display.root, type: .window, limit: 1)?.first.map(
        WindowID.init(rawValue:)),
      desktopProperties.words(in: check, of: manager, type: .window, limit: 1)?.first == manager.rawValue
    else { return false }
    let supported =
      desktopProperties.atoms(in: AtomName("_NET_SUPPORTED"), of: display.root, type: .atom, limit: 4096) ?? []
    return supported.contains(Self.activeWindow)
  }
}
