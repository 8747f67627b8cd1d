internal import XDnDX11

/// Whether typed keys go to a window, as its focus and crossing events tell. Costs no round trip.
///
/// Grabs do not count (`NotifyGrab`, `NotifyUngrab`): while a drag has the keyboard, the window still looks active.
struct FocusTracker: Equatable {
  private var isFocusWindow = false
  /// Whether the focus is the window's ancestor or follows the pointer (`PointerRoot`), and the pointer is over the
  /// window. Without a window manager it usually is so.
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
    // The focus moves between the window and a window inside it, or this is about the root.
    default: break
    }
  }

  /// Handles `EnterNotify` or `LeaveNotify`, which tell whether the focus is the window or an ancestor.
  mutating func receive(_ event: XCrossingEvent) {
    guard event.detail != NotifyInferior else { return }
    isUnderPointer = event.type == EnterNotify && event.focus != 0 && !isFocusWindow
  }
}
