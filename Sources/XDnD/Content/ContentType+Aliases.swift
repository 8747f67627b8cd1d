extension ContentType {
  /// The names under which the same content is offered and asked for, best first; the type itself is the first.
  ///
  /// What each row is worth was measured: `text/plain;charset=utf-8` and `UTF8_STRING` were read right by all of
  /// GTK 3 and 4, Qt 5 and 6, Tk, Java, wxWidgets, Firefox and Chromium. SDL 2 takes `text/plain` and nothing else.
  /// `STRING` is Latin-1 by ICCCM, but both browsers put UTF-8 there; `TEXT` is whatever the owner likes best.
  var synonyms: [ContentType] {
    guard self == .plainText else { return [self] }
    return [.plainText, "UTF8_STRING", "text/plain", "TEXT", "STRING"]
  }
}
