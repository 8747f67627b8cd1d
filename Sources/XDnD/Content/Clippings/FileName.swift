/// Names of files: leaves, never paths, and never trusted.
///
/// What comes out is valid UTF-8, not empty, at most 255 bytes (what Linux allows), not hidden, and holds no slash, no
/// control character and nothing that turns the direction of writing round: `photo\u{202E}gpj.exe` is shown as
/// `photoexe.jpg`. Letters that people see as one (an emoji of several, a letter and its accents) are never cut apart.
public enum FileName {
  /// What may be used of a name that a stranger suggests: its last component, without what a name must not hold.
  ///
  /// - Parameter suggestion: Any bytes. What is not UTF-8 is read as Latin-1, because that is what old programs mean by
  ///   `text/plain`.
  /// - Returns: `nil` if nothing is left that can be seen. A name that is too long keeps its extension.
  public static func sanitized(_ suggestion: [UInt8]) -> String? {
    let leaf = suggestion.split(separator: UInt8(ascii: "/")).last ?? []
    let text = TextEncoding.utf8.string(from: leaf) ?? TextEncoding.isoLatin1.string(from: leaf) ?? ""
    let (stem, suffix) = parts(of: cleaned(text))
    return fitted(stem, suffix)
  }

  /// The name that is tried when others are taken: `note.txt` is `note 2.txt`, `a.tar.gz` is `a 2.tar.gz`.
  ///
  /// Different numbers give different names, also where a name has to be cut so that it is not longer than 255 bytes.
  ///
  /// - Parameters:
  ///   - name: A name as ``sanitized(_:)`` gives it.
  ///   - number: Which of them; 1 and less is the name itself.
  public static func numbered(_ name: String, _ number: Int) -> String {
    let (stem, suffix) = parts(of: name)
    guard number > 1 else { return name }
    let tail = " \(number)" + suffix
    var kept = withoutSpacesAtEnd(cut(stem, to: byteLimit - tail.utf8.count))
    // A number may be what was cut off.
    if (kept + tail).utf8.elementsEqual(name.utf8) { kept = withoutSpacesAtEnd(String(kept.dropLast())) }
    return kept.isEmpty ? String(tail.dropFirst()) : kept + tail
  }

  /// What Linux and most file systems allow.
  static let byteLimit = 255

  // MARK: Parts

  /// A name without its extension, and the extension with its dot; that is empty if there is none.
  ///
  /// An extension is short, of ASCII letters and digits, and has a letter: in `Version 1.5` there is none. Before that
  /// of a compressed file `.tar` belongs to it.
  static func parts(of name: String) -> (stem: String, suffix: String) {
    let bytes = Array(name.utf8)
    guard let dot = dot(in: bytes[...]) else { return (name, "") }
    let inner = Self.dot(in: bytes[..<dot])
    let isArchive = inner.map { bytes[$0..<dot].map(MIMESyntax.lowercased) == Array(".tar".utf8) } ?? false
    let start = isArchive ? inner ?? dot : dot
    return (String(decoding: bytes[..<start], as: UTF8.self), String(decoding: bytes[start...], as: UTF8.self))
  }

  /// Where the extension begins. A name that has nothing before it has none.
  private static func dot(in bytes: ArraySlice<UInt8>) -> Int? {
    guard let dot = bytes.suffix(extensionLimit + 1).lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else {
      return nil
    }
    let letters = bytes[(dot + 1)...]
    let isWord = letters.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_") }
    return isWord && letters.contains(where: isLetter) ? dot : nil
  }

  /// The longest of the MIME database has 15 letters.
  private static let extensionLimit = 16

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= MIMESyntax.lowercased(byte)
  }

  // MARK: Length

  /// A name of two parts, the first of them cut as far as it must be; `nil` if nothing of it is left.
  static func fitted(_ stem: String, _ suffix: String) -> String? {
    let kept = trimmed(cut(stem, to: byteLimit - suffix.utf8.count))
    guard kept.unicodeScalars.contains(where: isVisible) else { return nil }
    return kept + suffix
  }

  /// As many whole letters from the start as there is room for.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.startIndex
    var count = 0
    for index in text.indices {
      count += text[index].utf8.count
      if count > limit { break }
      end = text.index(after: index)
    }
    return String(text[..<end])
  }

  // MARK: Letters

  /// Without what a name must not hold; spaces of any kind are single ones.
  ///
  /// - Parameter isSeparator: What else becomes a space.
  static func cleaned(_ text: some StringProtocol, isSeparator: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace || isSeparator(scalar) {
        if let last = result.last, last != " " { result.append(" ") }
      } else if !isForbidden(scalar) {
        result.append(scalar)
      }
    }
    return trimmed(String(result))
  }

  /// Without spaces at the ends, and without dots at the start: they would hide the file, or be `.` and `..`.
  static func trimmed(_ text: String) -> String {
    var rest = text.unicodeScalars[...]
    while let first = rest.first, first == "." || first.properties.isWhitespace { rest.removeFirst() }
    return withoutSpacesAtEnd(String(rest))
  }

  private static func withoutSpacesAtEnd(_ text: String) -> String {
    var rest = text.unicodeScalars[...]
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    return String(rest)
  }

  /// What is shown as something, so that a name of such is one that people can read and point at.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && !isForbidden(scalar)
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/": return true
    // Not seen, and no part of how anything is written, as joiners are that look like them.
    case "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{FFFD}": return true
    default:
      let properties = scalar.properties
      return properties.generalCategory == .control || properties.isBidiControl
        || properties.isNoncharacterCodePoint
    }
  }
}
