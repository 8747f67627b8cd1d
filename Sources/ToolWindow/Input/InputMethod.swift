internal import XDnDX11
internal import Glibc

/// An X input method (XIM) and its context: composes characters from several key presses.
///
/// Opened when the first key is typed into a field, because opening reads tables and may contact an input method
/// server.
final class InputMethod {
  private let display: OpaquePointer
  private let window: XDnDX11.Window
  private var opened: (method: XIM, context: XIC)?

  init(_ display: OpaquePointer, window: XDnDX11.Window) {
    self.display = display
    self.window = window
  }

  /// Closes the input method. Not called from a `deinit`, because it must not be called after the connection is lost.
  func close() {
    guard let opened else { return }
    XDestroyIC(opened.context)
    XCloseIM(opened.method)
    self.opened = nil
  }

  /// Whether the input method consumes an event (`XFilterEvent`): one of its own windows, or a key press that it
  /// composes.
  func filter(_ event: inout XEvent) -> Bool { opened != nil && XFilterEvent(&event, XDnDX11.Window(None)) != 0 }

  /// Converts a key press; `nil` if the input method consumes it.
  ///
  /// - Parameter isText: Whether the key is typed into a field; it then has the input method's text.
  func key(of event: inout XEvent, isText: Bool) -> KeyEvent? {
    guard isText else { return KeyEvent(&event.xkey) }
    if opened == nil {
      opened = open()
      if filter(&event) { return nil }
    }
    var key = KeyEvent(&event.xkey)
    // Composed text arrives as a key event with keycode 0.
    if let text = opened.map({ text(of: &event.xkey, in: $0.context) }), !text.isEmpty { key.text = text }
    return key
  }

  /// Returns `nil` if no input method can be opened; keys then produce the text of their keysyms.
  private func open() -> (method: XIM, context: XIC)? {
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
    XSetICFocus(context)
    return (method, context)
  }

  /// Returns the text that a key press, or a sequence of them, produces.
  private func text(of event: inout XKeyEvent, in context: XIC) -> String {
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
