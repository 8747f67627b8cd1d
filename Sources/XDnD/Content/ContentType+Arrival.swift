extension ContentType {
  /// Whether a property of the given type can hold this content.
  ///
  /// Owners label content differently: tkdnd labels URI lists `UTF8_STRING`, others name another charset. But a
  /// property of numbers, atoms or windows holds neither a MIME type nor text. For any other X target, every property
  /// type is accepted.
  func mayArrive(as propertyType: AtomName) -> Bool {
    let isContent = isMIME || PlainText.isForm(self)
    return !isContent || !Self.typesOfNumbers.contains(propertyType)
  }

  /// Whether a property of the given format can hold this content. Text is bytes, or the code units of the encoding
  /// that its type states: LibreOffice gives UTF-16 in format 16.
  func mayArrive(inFormat format: Int) -> Bool {
    guard format != 8, type == "text" || PlainText.isForm(self) else { return true }
    let label = TextLabel(self)
    if label.base == "text/unicode" { return format == 16 }
    if case .declared(let encoding) = label.declaration { return format == 8 * encoding.unitSize }
    // tkdnd 2.6 sends the characters of types that it does not know as numbers.
    return format == 32 && isMIME && label.base != "text/plain" && label.base != "text/uri-list"
  }

  /// Property types for numbers and server resources (ICCCM §2.6.2, and the types of window manager hints).
  private static let typesOfNumbers = Set(
    [
      "ARC", "ATOM", "ATOM_PAIR", "BITMAP", "CARDINAL", "COLORMAP", "CURSOR", "DRAWABLE", "FONT", "INTEGER", "NULL",
      "PIXMAP", "POINT", "RECTANGLE", "RGB_COLOR_MAP", "SPAN", "TIMESTAMP", "VISUALID", "WINDOW", "WM_HINTS",
      "WM_SIZE_HINTS", "WM_STATE",
    ].map { AtomName($0) })

  /// Whether the content may be empty. Text may be; images, media and URI lists may not.
  var canBeEmpty: Bool {
    switch type {
    case "image", "audio", "video", "font": false
    default: self == .data || WireName.of(self).map { $0.role != .content || $0.content == WireName.text } ?? true
    }
  }
}
