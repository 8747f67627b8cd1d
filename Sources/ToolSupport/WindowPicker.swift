internal import CX11
internal import Glibc
import XDnD

/// Has the user click on a window.
struct WindowPicker {
  private let display: OpaquePointer
  private let root: CX11.Window

  init(_ display: OpaquePointer) {
    self.display = display
    root = XDefaultRootWindow(display)
  }

  /// Waits for a click with the first button; any other button, and Escape, end the waiting without a window.
  func pick() throws(WindowChoice.Failure) -> WindowID {
    // 34 is XC_crosshair of the cursor font.
    let cursor = XCreateFontCursor(display, 34)
    defer {
      XUngrabKeyboard(display, CX11.Time(CurrentTime))
      XUngrabPointer(display, CX11.Time(CurrentTime))
      XFreeCursor(display, cursor)
      XSync(display, 0)
    }
    guard grab(with: cursor) else {
      throw WindowChoice.Failure(
        "another program holds the pointer or the keyboard: no window can be picked", .cancelled)
    }
    while true {
      var event = XEvent()
      XMaskEvent(display, ButtonPressMask | KeyPressMask, &event)
      if event.type == ButtonPress {
        let press = event.xbutton
        // Or the button would go up over the window that was picked, which has not seen it go down.
        while event.type != ButtonRelease || event.xbutton.button != press.button {
          XMaskEvent(display, ButtonReleaseMask, &event)
        }
        return try window(clickedBy: press)
      }
      // XK_Escape
      if XLookupKeysym(&event.xkey, 0) == 0xFF1B { throw .cancelled }
    }
  }

  private func window(clickedBy press: XButtonEvent) throws(WindowChoice.Failure) -> WindowID {
    guard press.button == 1 else { throw .cancelled }
    guard press.subwindow != 0 else { throw WindowChoice.Failure("there is no window there", .noTarget) }
    return ClientWindows(display).client(in: press.subwindow)
  }

  /// Key and menu that have started the tool may hold the pointer and the keyboard for a moment more.
  private func grab(with cursor: CX11.Cursor) -> Bool {
    for _ in 0..<50 {
      // The keyboard first: who sees the cursor can rely on Escape.
      let keyboard = XGrabKeyboard(display, root, 0, GrabModeAsync, GrabModeAsync, CX11.Time(CurrentTime))
      if keyboard == GrabSuccess {
        let pointer = XGrabPointer(
          display, root, 0, UInt32(ButtonPressMask | ButtonReleaseMask), GrabModeAsync, GrabModeAsync, 0, cursor,
          CX11.Time(CurrentTime))
        if pointer == GrabSuccess { return true }
        // Both or none: two who wait for each other would wait for ever.
        XUngrabKeyboard(display, CX11.Time(CurrentTime))
        XFlush(display)
      }
      usleep(20_000)
    }
    return false
  }
}

extension WindowChoice.Failure {
  fileprivate static let cancelled = WindowChoice.Failure("no window was picked", .cancelled)
}
