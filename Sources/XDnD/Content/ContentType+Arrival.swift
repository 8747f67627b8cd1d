extension ContentType {
  /// Whether a property of some type can hold this content.
  ///
  /// Owners label content in their own ways: tkdnd gives `UTF8_STRING` to lists of URIs, others name another charset. But a
  /// number, an atom or a window is neither a MIME type nor text. Who asks for another target by its name knows what comes.
  func mayArrive(as propertyType: AtomName) -> Bool {
    let isContent = isMIME || PlainText.isForm(self)
    return !isContent || !Self.typesOfNumbers.contains(propertyType)
  }

  /// Types of properties that hold what only the server knows, or numbers: ICCCM section 2.6.2 and its tables of hints.
  private static let typesOfNumbers = Set(
    [
      "ARC", "ATOM", "ATOM_PAIR", "BITMAP", "CARDINAL", "COLORMAP", "CURSOR", "DRAWABLE", "FONT", "INTEGER", "NULL",
      "PIXMAP", "POINT", "RECTANGLE", "RGB_COLOR_MAP", "SPAN", "TIMESTAMP", "VISUALID", "WINDOW", "WM_HINTS",
      "WM_SIZE_HINTS", "WM_STATE",
    ].map { AtomName($0) })

  /// Whether no bytes at all can be this content: no letters are a text, but no picture, and nobody drags no files.
  var canBeEmpty: Bool {
    switch type {
    case "image", "audio", "video", "font": false
    default: self == .data || WireName.of(self).map { $0.role != .content || $0.content == WireName.text } ?? true
    }
  }
}
