internal import XDnDX11

/// A window's ICCCM input model (ICCCM §4.1.7).
package enum FocusModel: Hashable, Sendable {
  /// Passive: the window manager sets the focus.
  case passive
  /// Globally active: the window itself sets the focus when it receives `WM_TAKE_FOCUS`. A drag that starts in an
  /// inactive window must not activate it, and at the press it is not yet known whether a drag will follow.
  ///
  /// An offer that comes with a press waits for ``ToolWindow/takeOfferedFocus(at:)`` or
  /// ``ToolWindow/declineOfferedFocus()``. Other offers are taken at once.
  case globallyActive
}

/// The keyboard focus, and the window manager's offers of it.
final class KeyboardFocus {
  private let display: OpaquePointer
  private let window: XDnDX11.Window
  /// Whether the window manager sent `WM_TAKE_FOCUS` for a press that is still held.
  private var isOffered = false

  init(_ display: OpaquePointer, window: XDnDX11.Window) {
    self.display = display
    self.window = window
  }

  /// Whether keyboard input goes to this window. Costs one round trip.
  var isActive: Bool {
    var focus: XDnDX11.Window = 0
    var revertTo: Int32 = 0
    XGetInputFocus(display, &focus, &revertTo)
    return focus == window || focus == XDnDX11.Window(PointerRoot)
  }

  /// Handles an offer of the window manager.
  func offer(at time: UInt32, size: PixelSize) {
    if isPressed(in: size) { isOffered = true } else { take(at: time) }
  }

  func takeOffered(at time: UInt32) {
    guard isOffered else { return }
    isOffered = false
    take(at: time)
  }

  func declineOffered() { isOffered = false }

  /// Whether a button is down over the window. `WM_TAKE_FOCUS` arrives before the press it belongs to, so this asks
  /// the server.
  private func isPressed(in size: PixelSize) -> Bool {
    var at = (root: XDnDX11.Window(), child: XDnDX11.Window(), rootX: Int32(), rootY: Int32(), x: Int32(), y: Int32())
    var mask: UInt32 = 0
    XQueryPointer(display, window, &at.root, &at.child, &at.rootX, &at.rootY, &at.x, &at.y, &mask)
    let isInside = (0..<size.width).contains(Int(at.x)) && (0..<size.height).contains(Int(at.y))
    return isInside && mask & PointerEvent.anyButton != 0
  }

  private func take(at time: UInt32) {
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

/// Whether typed keys go to a window, according to its focus and crossing events. Costs no round trip.
///
/// Focus events of grabs (`NotifyGrab`, `NotifyUngrab`) are ignored: while a drag has the keyboard, the window still
/// looks active.
struct FocusTracker: Equatable {
  private var isFocusWindow = false
  /// Whether the focus is on an ancestor of the window or follows the pointer (`PointerRoot`), and the pointer is over
  /// the window. This is usual without a window manager.
  private var isUnderPointer = false

  var hasKeyboard: Bool { isFocusWindow || isUnderPointer }

  /// Handles `FocusIn` or `FocusOut`.
  mutating func receive(_ event: XFocusChangeEvent) {
    guard event.mode == NotifyNormal || event.mode == NotifyWhileGrabbed else { return }
    let isIn = event.type == FocusIn
    switch event.detail {
    case NotifyAncestor, NotifyVirtual, NotifyNonlinear, NotifyNonlinearVirtual:
      isFocusWindow = isIn
      if isIn { isUnderPointer = false }
    case NotifyPointer: isUnderPointer = isIn
    // The focus moves between the window and a window inside it, or the event concerns the root.
    default: break
    }
  }

  /// Handles `EnterNotify` or `LeaveNotify`, which report whether the focus is on the window or an ancestor.
  mutating func receive(_ event: XCrossingEvent) {
    guard event.detail != NotifyInferior else { return }
    isUnderPointer = event.type == EnterNotify && event.focus != 0 && !isFocusWindow
  }
}

/// When the user last acted in a window, for `_NET_WM_USER_TIME` (EWMH).
///
/// A key press is an action at once, a button press only if it becomes a click: a drag takes content out of the window,
/// which is no reason to activate it.
struct UserActivity: Equatable {
  /// The server timestamp; `nil` before the first action.
  private(set) var time: UInt32?
  /// Whether a press has not yet become a click or a drag.
  private var isUndecided = false

  /// - Parameter time: 0 for a synthetic event of another client or an input method; it does not change ``time``.
  mutating func act(at time: UInt32) {
    isUndecided = false
    if time != 0 { self.time = time }
  }

  mutating func press() { isUndecided = true }

  mutating func release(at time: UInt32) {
    if isUndecided { act(at: time) }
  }

  /// The press has become a drag.
  mutating func drag() { isUndecided = false }
}
