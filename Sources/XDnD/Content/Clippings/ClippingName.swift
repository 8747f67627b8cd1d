/// Names for clippings, derived from their content.
///
/// Besides characters that no file name can contain, the names avoid characters that FAT and Windows reject, because
/// users copy files to USB sticks.
enum ClippingName {
  /// Roughly the width of a name in a file manager. Titles are meant as names, so they may be longer.
  private static let textLimit = 40
  private static let titleLimit = 80
  /// The number of code points to examine. A character may have any number of combining marks.
  private static let scalarLimit = 2000

  /// Returns the first words of the first line that has any.
  static func words(of text: String) -> String? { words(of: text, limit: textLimit) }

  /// Returns the title of a page, its first heading, or its first words.
  static func words(of text: StyledText) -> String? {
    var reader = HTMLReader(text.html)
    var heading: String?
    while let token = reader.next() {
      guard case .open(let name, _) = token else { continue }
      if name == "title", let range = reader.rawText(), let title = title(reader.text(in: range)) { return title }
      if heading == nil, ["h1", "h2", "h3", "h4", "h5", "h6"].contains(name) {
        heading = title(reader.textToEnd(of: name, limit: 4 * scalarLimit))
      }
    }
    return heading ?? words(of: text.plainText)
  }

  /// Returns the title of a link, or the readable parts of its URL: the host and the last path component.
  static func words(of link: Link) -> String? {
    if let title = link.title.flatMap(title) { return title }
    let url = Array(link.url.utf8)
    guard let colon = FileURI.schemeEnd(of: url) else { return title(link.url) }
    let rest = url[(colon + 1)...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard rest.starts(with: "//".utf8) else { return title(unescaped(rest)) }
    let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
    let path = rest[authority.endIndex...]
    let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
    let name = host.prefix { $0 != UInt8(ascii: ":") }
    var parts = [unescaped(name)]
    if let last = path.split(separator: UInt8(ascii: "/")).last, !last.starts(with: "index.".utf8) {
      parts.append(unescaped(last))
    }
    return title(parts.joined(separator: " "))
  }

  /// Returns the CSS notation with 8 bits per component: `#3584e4`, with two more digits if the colour is not opaque.
  static func words(of color: Color) -> String {
    var rounded = color
    for unit in [\Color.red, \.green, \.blue, \.alpha] {
      rounded[keyPath: unit] = Palette.byte(color[keyPath: unit]) * 257
    }
    return ColorNotation.write(rounded)
  }

  /// Returns the name of a contact; `nil` for other content.
  static func words(of bytes: [UInt8], as type: ContentType) -> String? {
    guard ContactCard.reads(type) else { return nil }
    return (try? ContactCard(decoding: bytes, as: type)).flatMap { title($0.name) }
  }

  /// Returns the complete file name.
  ///
  /// - Parameter fallback: Used if there are no words, or none that fit.
  static func name(_ words: String?, fallback: String, suffix: String) -> String {
    let stems = [words, FileName.sanitized(Array(fallback.utf8)), "Clipping"]
    return stems.lazy.compactMap { stem in stem.flatMap { FileName.fitted($0, suffix) } }.first ?? "Clipping"
  }

  // MARK: Words

  private static func title(_ text: String) -> String? { words(of: Link.collapsed(text), limit: titleLimit) }

  /// Returns the first words of a text, up to `limit` characters. A word that would fill more than half of them is cut,
  /// because some scripts have no spaces.
  private static func words(of text: String, limit: Int) -> String? {
    let start = text.unicodeScalars.drop { !FileName.isVisible($0) || isSeparator($0) || isPoint($0) }
    // Drop a character that may have been cut off in the middle.
    let head = start.prefix(scalarLimit)
    let isWhole = head.endIndex == start.endIndex
    let line = head.prefix { !isLineEnd($0) }
    let letters = line.endIndex == head.endIndex && !isWhole ? Substring(line).dropLast() : Substring(line)
    let clean = FileName.cleaned(letters, isSeparator: isSeparator)
    var kept = clean.prefix(limit)
    if kept.endIndex != clean.endIndex, clean[kept.endIndex] != " ", let space = kept.lastIndex(of: " "),
      kept[..<space].count >= limit / 2
    {
      kept = kept[..<space]
    }
    while let last = kept.unicodeScalars.last, last == " " || isPoint(last) { kept.unicodeScalars.removeLast() }
    return kept.isEmpty ? nil : String(kept)
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  /// Punctuation that a name should not begin or end with: the dash of a list item, an ellipsis, the comma of a
  /// salutation.
  private static func isPoint(_ scalar: Unicode.Scalar) -> Bool { [".", ",", ";", "-"].contains(scalar) }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"].contains(scalar)
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: FileURI.percentDecoded(bytes), as: UTF8.self) ?? String(decoding: bytes, as: UTF8.self)
  }
}
