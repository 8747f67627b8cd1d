/// Safe file names from untrusted input: single path components, never paths.
///
/// A result is valid UTF-8, visible, not hidden, and at most 255 bytes long (the limit on Linux). It contains no slash,
/// control character or bidirectional control: `photo\u{202E}gpj.exe` would be displayed as `photoexe.jpg`. Grapheme
/// clusters, such as a letter with its accents or an emoji sequence, are never split.
package enum FileName {
  /// Returns a safe name made from the last path component of an untrusted suggestion.
  ///
  /// - Parameter suggestion: Any bytes. Bytes that are not UTF-8 are decoded as Latin-1, the encoding of
  ///   `text/plain` in old programs.
  /// - Returns: `nil` if no visible character is left. A name that is too long keeps its extension.
  package static func sanitized(_ suggestion: [UInt8]) -> String? {
    let leaf = suggestion.split(separator: UInt8(ascii: "/")).last ?? []
    let text = TextEncoding.utf8.string(from: leaf) ?? TextEncoding.isoLatin1.string(from: leaf) ?? ""
    let (stem, suffix) = parts(of: cleaned(text))
    return fitted(stem, suffix)
  }

  /// Returns a variant of a name for use when earlier ones are taken: `note.txt` becomes `note 2.txt`, and `a.tar.gz`
  /// becomes `a 2.tar.gz`.
  ///
  /// Different numbers give different names, even where the name is shortened to 255 bytes.
  ///
  /// - Parameters:
  ///   - name: A name returned by ``sanitized(_:)``.
  ///   - number: The number of the variant. Numbers below 2 keep the name.
  package static func numbered(_ name: String, _ number: Int) -> String {
    let (stem, suffix) = parts(of: name)
    guard number > 1 else { return name }
    let tail = " \(number)" + suffix
    var kept = withoutSpacesAtEnd(cut(stem, to: byteLimit - tail.utf8.count))
    // The cut may have removed this very number: then the result would be the name itself.
    if (kept + tail).utf8.elementsEqual(name.utf8) { kept = withoutSpacesAtEnd(String(kept.dropLast())) }
    return kept.isEmpty ? String(tail.dropFirst()) : kept + tail
  }

  /// The limit of Linux and of most file systems, in bytes.
  static let byteLimit = 255

  // MARK: Parts

  /// Splits a name into its stem and its extension with the dot, which is empty if there is none.
  ///
  /// An extension is short, consists of ASCII letters, digits and underscores, and has at least one letter:
  /// `Version 1.5` has none. A preceding `.tar` is part of it.
  static func parts(of name: String) -> (stem: String, suffix: String) {
    let bytes = Array(name.utf8)
    guard let dot = dot(in: bytes[...]) else { return (name, "") }
    let inner = Self.dot(in: bytes[..<dot])
    let isArchive = inner.map { bytes[$0..<dot].map(\.asciiLowercased) == Array(".tar".utf8) } ?? false
    let start = isArchive ? inner ?? dot : dot
    return (String(decoding: bytes[..<start], as: UTF8.self), String(decoding: bytes[start...], as: UTF8.self))
  }

  /// Returns the index of the extension's dot. A leading dot begins no extension.
  private static func dot(in bytes: ArraySlice<UInt8>) -> Int? {
    guard let dot = bytes.suffix(extensionLimit + 1).lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else {
      return nil
    }
    let letters = bytes[(dot + 1)...]
    let isWord = letters.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    return isWord && letters.contains(where: \.isASCIILetter) ? dot : nil
  }

  /// Longer than any extension in the shared MIME-info database.
  private static let extensionLimit = 16

  // MARK: Length

  /// Joins a stem and an extension, and shortens the stem to fit; `nil` if nothing visible of it is left.
  static func fitted(_ stem: String, _ suffix: String) -> String? {
    guard let name = joined(trimmed(cut(stem, to: byteLimit - suffix.utf8.count)), suffix) else { return nil }
    // Split again: a stem that was cut may end in an extension, and `.tar` belongs to the extension after it.
    let (newStem, newSuffix) = parts(of: name)
    return joined(trimmed(newStem), newSuffix)
  }

  private static func joined(_ stem: String, _ suffix: String) -> String? {
    stem.unicodeScalars.contains(where: isVisible) ? stem + suffix : nil
  }

  /// Returns the longest prefix of whole characters that fits.
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

  /// Removes characters that a name must not contain, and replaces runs of white space with single spaces.
  ///
  /// - Parameter isSeparator: Additional characters to replace with a space.
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

  /// Removes surrounding spaces and leading dots: a leading dot would hide the file, or yield `.` or `..`.
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

  /// Whether a character is visible, so that users can read the name and point at it.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && !isForbidden(scalar)
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/": return true
    // Invisible, and needed by no script, unlike U+200C and U+200D; and U+FFFD, which stands for undecodable text.
    case "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{FFFD}": return true
    default:
      let properties = scalar.properties
      return properties.generalCategory == .control || properties.isBidiControl
        || properties.isNoncharacterCodePoint
    }
  }
}
