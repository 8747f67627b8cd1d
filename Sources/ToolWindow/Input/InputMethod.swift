internal import CX11
internal import Glibc

/// An X input method (XIM) and its context: composes characters from several key presses.
///
/// Opened when the first key is typed into a field, because opening reads tables and may contact an input method
/// server.
final class InputMethod {
  private let method: XIM
  private let context: XIC

  /// Returns `nil` if no input method can be opened; keys then produce the text of their keysyms.
  init?(_ display: OpaquePointer, window: CX11.Window) {
    // Xlib converts text to the encoding of the locale.
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(CInt(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    XSetLocaleModifiers("")
    var method = XOpenIM(display, nil, nil, nil)
    if method == nil {
      // The configured input method is not running; Xlib's built-in one handles dead keys and the Compose key.
      XSetLocaleModifiers("@im=none")
      method = XOpenIM(display, nil, nil, nil)
    }
    guard let method else { return nil }
    guard let context = xdnd_create_input_context(method, window) else {
      XCloseIM(method)
      return nil
    }
    self.method = method
    self.context = context
    XSetICFocus(context)
  }

  /// Closes the input method. Not called from a `deinit`, because it must not be called after the connection is lost.
  func close() {
    XDestroyIC(context)
    XCloseIM(method)
  }

  /// Whether the input method consumes an event (`XFilterEvent`).
  func filter(_ event: inout XEvent) -> Bool { XFilterEvent(&event, CX11.Window(None)) != 0 }

  /// Returns the text that a key press, or a sequence of them, produces.
  func text(of event: inout XKeyEvent) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    var keysym = KeySym()
    var status: Int32 = 0
    let count = Xutf8LookupString(context, &event, &bytes, Int32(bytes.count), &keysym, &status)
    // Longer text (`XBufferOverflow`) is ignored.
    guard status == XLookupChars || status == XLookupBoth, count > 0 else { return "" }
    let text = String(decoding: bytes[..<Int(count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Control characters are keys such as Return, not text.
    return text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? "" : text
  }
}

extension ToolWindow {
  /// Whether the input method consumes this key. Opens it when the first key is typed into the field.
  func isForInputMethod(_ event: inout XEvent) -> Bool {
    guard let display, scene.field?.isFocused == true, inputMethod == nil else { return false }
    inputMethod = InputMethod(display, window: window)
    return inputMethod?.filter(&event) == true
  }

  /// Converts a key event, with the input method's text if the field has the focus.
  func key(of event: inout XKeyEvent) -> KeyEvent {
    var key = KeyEvent(&event)
    // Composed text arrives as a key event with keycode 0.
    guard scene.field?.isFocused == true, let inputMethod else { return key }
    let text = inputMethod.text(of: &event)
    if !text.isEmpty { key.text = text }
    return key
  }
}
