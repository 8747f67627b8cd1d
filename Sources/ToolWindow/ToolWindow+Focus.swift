internal import CX11

/// The keyboard focus.
extension ToolWindow {
  /// Who decides that the window gets the focus; the input models of ICCCM, section 4.1.7.
  public enum FocusModel: Hashable, Sendable {
    /// The window manager.
    case passive
    /// The window itself, when the window manager offers it: a window that is dragged from while another one is active
    /// must not become active by that, and at the press nobody knows yet that it will be a drag.
    ///
    /// An offer that a press has brought waits for ``ToolWindow/takeOfferedFocus(at:)``; others are taken at once.
    case globallyActive
  }

  /// Whether what is typed goes to this window: one round trip.
  ///
  /// Without a window manager the focus mostly follows the pointer, and who is pressed on is active.
  public var isActive: Bool {
    guard let display else { return false }
    var focus: CX11.Window = 0
    var revertTo: Int32 = 0
    XGetInputFocus(display, &focus, &revertTo)
    return focus == window || focus == CX11.Window(PointerRoot)
  }

  /// Takes the focus that a press has brought the offer of: the press was a click.
  ///
  /// - Parameter time: The server's time of the click.
  public func takeOfferedFocus(at time: UInt32) {
    guard isFocusOffered else { return }
    isFocusOffered = false
    takeFocus(at: time)
  }

  /// Leaves the focus where it is: the press was no click.
  public func declineOfferedFocus() { isFocusOffered = false }

  func focusOffered(at time: UInt32) {
    if isPressed { isFocusOffered = true } else { takeFocus(at: time) }
  }

  /// Whether a button is down over the window. The offer comes before the press that it is for, so the server is asked.
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
    // A window that is not on the screen cannot have the focus, and to try is an error that ends the program. It may
    // be iconified at any moment, but not while nobody else is served.
    XGrabServer(display)
    var attributes = XWindowAttributes()
    if XGetWindowAttributes(display, window, &attributes) != 0, attributes.map_state == IsViewable {
      XSetInputFocus(display, window, RevertToParent, Time(time))
    }
    XUngrabServer(display)
    XFlush(display)
  }
}
