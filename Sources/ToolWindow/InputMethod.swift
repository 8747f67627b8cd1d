internal import CX11
internal import Glibc

/// What makes characters of keys, for scripts that have more of them than a keyboard has keys, and for accents.
///
/// Opened when the first key is typed into a field: it reads tables, and may talk to another program.
final class InputMethod {
  private let method: XIM
  private let context: XIC

  /// `nil` if there is none; then keys type what their symbols say.
  init?(_ display: OpaquePointer, window: CX11.Window) {
    // Xlib makes of characters what the locale can hold.
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(CInt(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    XSetLocaleModifiers("")
    var method = XOpenIM(display, nil, nil, nil)
    if method == nil {
      // The one that the user has set does not run; Xlib has one for accents.
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

  /// Gives it back. Not called from a `deinit`, since with a lost server it must not be called.
  func close() {
    XDestroyIC(context)
    XCloseIM(method)
  }

  /// Whether an event is the input method's, and nobody else's.
  func filter(_ event: inout XEvent) -> Bool { XFilterEvent(&event, CX11.Window(None)) != 0 }

  /// What a key, or the last of several, types.
  func text(of event: inout XKeyEvent) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    var keysym = KeySym()
    var status: Int32 = 0
    let count = Xutf8LookupString(context, &event, &bytes, Int32(bytes.count), &keysym, &status)
    // Nothing types more than that at once; what does is not understood.
    guard status == XLookupChars || status == XLookupBoth, count > 0 else { return "" }
    let text = String(decoding: bytes[..<Int(count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Control characters are keys, and no text.
    return text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? "" : text
  }
}

extension ToolWindow {
  /// Whether a key is for the input method, which is opened if somebody types into the field.
  func isForInputMethod(_ event: inout XEvent) -> Bool {
    guard let display, scene.field?.isFocused == true, inputMethod == nil else { return false }
    inputMethod = InputMethod(display, window: window)
    return inputMethod?.filter(&event) == true
  }

  /// A key, with what it types.
  func key(of event: inout XKeyEvent) -> KeyEvent {
    var key = KeyEvent(&event)
    // What an input method has put together comes as a key without a code.
    guard scene.field?.isFocused == true, let inputMethod else { return key }
    let text = inputMethod.text(of: &event)
    if !text.isEmpty { key.text = text }
    return key
  }
}
