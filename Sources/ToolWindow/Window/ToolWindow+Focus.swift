internal import CX11

extension ToolWindow {
  /// The window's ICCCM input model (ICCCM §4.1.7).
  public enum FocusModel: Hashable, Sendable {
    /// Passive: the window manager sets the focus.
    case passive
    /// Globally active: the window itself sets the focus when it receives `WM_TAKE_FOCUS`. A drag that starts in an
    /// inactive window must not activate it, and at the press it is not yet known whether a drag will follow.
    ///
    /// An offer that comes with a press waits for ``ToolWindow/takeOfferedFocus(at:)`` or
    /// ``ToolWindow/declineOfferedFocus()``. Other offers are taken at once.
    case globallyActive
  }

  /// Whether keyboard input goes to this window. Costs one round trip.
  ///
  /// Without a window manager the focus usually follows the pointer (`PointerRoot`), which counts as active.
  public var isActive: Bool {
    guard let display else { return false }
    var focus: CX11.Window = 0
    var revertTo: Int32 = 0
    XGetInputFocus(display, &focus, &revertTo)
    return focus == window || focus == CX11.Window(PointerRoot)
  }

  /// Takes the keyboard focus that was offered with a press, because the press turned out to be a click.
  ///
  /// - Parameter time: The server timestamp of the click.
  public func takeOfferedFocus(at time: UInt32) {
    guard isFocusOffered else { return }
    isFocusOffered = false
    takeFocus(at: time)
  }

  /// Ignores the focus that was offered with a press, because the press became a drag.
  public func declineOfferedFocus() { isFocusOffered = false }

  func focusOffered(at time: UInt32) {
    if isPressed { isFocusOffered = true } else { takeFocus(at: time) }
  }

  /// Whether a button is down over the window. `WM_TAKE_FOCUS` arrives before the press it belongs to, so this asks
  /// the server.
  private var isPressed: Bool {
    guard let display else { return false }
    var at = (root: CX11.Window(), child: CX11.Window(), rootX: Int32(), rootY: Int32(), x: Int32(), y: Int32())
    var mask: UInt32 = 0
    XQueryPointer(display, window, &at.root, &at.child, &at.rootX, &at.rootY, &at.x, &at.y, &mask)
    let isInside = (0..<size.width).contains(Int(at.x)) && (0..<size.height).contains(Int(at.y))
    return isInside && mask & Self.anyButton != 0
  }

  private func takeFocus(at time: UInt32) {
    guard let display else { return }
    // XSetInputFocus on a window that is not viewable is a BadMatch error, which ends the program. The server grab
    // keeps the window from being iconified between the check and the request.
    XGrabServer(display)
    var attributes = XWindowAttributes()
    if XGetWindowAttributes(display, window, &attributes) != 0, attributes.map_state == IsViewable {
      XSetInputFocus(display, window, RevertToParent, Time(time))
    }
    XUngrabServer(display)
    XFlush(display)
  }
}
