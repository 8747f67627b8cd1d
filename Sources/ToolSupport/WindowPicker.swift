internal import XDnDX11
internal import Glibc
import XDnD

/// Lets the user choose a window with a click, by a grab of pointer and keyboard.
struct WindowPicker {
  private let display: OpaquePointer
  private let root: XDnDX11.Window
  private let clients: ClientWindows

  init(_ display: OpaquePointer, _ clients: ClientWindows) {
    self.display = display
    root = XDefaultRootWindow(display)
    self.clients = clients
  }

  /// Waits for a click with the first button. Any other button and Escape cancel.
  func pick() throws(WindowChoice.Failure) -> WindowID {
    // 34 is `XC_crosshair` of the cursor font.
    let cursor = XCreateFontCursor(display, 34)
    defer {
      XUngrabKeyboard(display, XDnDX11.Time(CurrentTime))
      XUngrabPointer(display, XDnDX11.Time(CurrentTime))
      XFreeCursor(display, cursor)
      XSync(display, 0)
    }
    guard grab(with: cursor) else {
      throw WindowChoice.Failure(
        "cannot pick a window: another program holds the pointer or the keyboard", .cancelled)
    }
    while true {
      var event = XEvent()
      XMaskEvent(display, ButtonPressMask | KeyPressMask, &event)
      if event.type == ButtonPress {
        let press = event.xbutton
        // Waits for the release, which would otherwise go to the chosen window without its press.
        while event.type != ButtonRelease || event.xbutton.button != press.button {
          XMaskEvent(display, ButtonReleaseMask, &event)
        }
        return try window(clickedBy: press)
      }
      if XLookupKeysym(&event.xkey, 0) == XK_Escape { throw .cancelled }
    }
  }

  private func window(clickedBy press: XButtonEvent) throws(WindowChoice.Failure) -> WindowID {
    guard press.button == 1 else { throw .cancelled }
    guard press.subwindow != 0 else { throw WindowChoice.Failure("no window at the pointer", .noTarget) }
    return clients.client(in: WindowID(press.subwindow))
  }

  /// Retries for a second: the shortcut or menu that started the tool may still hold a grab.
  private func grab(with cursor: XDnDX11.Cursor) -> Bool {
    for _ in 0..<50 {
      // The keyboard first, so that Escape works as soon as the cursor changes.
      let keyboard = XGrabKeyboard(display, root, 0, GrabModeAsync, GrabModeAsync, XDnDX11.Time(CurrentTime))
      if keyboard == GrabSuccess {
        let pointer = XGrabPointer(
          display, root, 0, UInt32(ButtonPressMask | ButtonReleaseMask), GrabModeAsync, GrabModeAsync, 0, cursor,
          XDnDX11.Time(CurrentTime))
        if pointer == GrabSuccess { return true }
        // Both grabs or none: otherwise, two programs could each wait for the other's grab.
        XUngrabKeyboard(display, XDnDX11.Time(CurrentTime))
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
