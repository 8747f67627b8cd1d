/// `text/uri-list`: one URI per line (RFC 2483, §5).
///
/// Encoding is strict, with CRLF after every line including the last: FLTK requires one, and some readers lose an
/// unterminated last line. Decoding is lenient: Chromium separates lines by LF alone, and some peers append a NUL.
enum URIList {
  static func encode(_ uris: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for uri in uris where !uri.isEmpty {
      bytes += escaped(uri).utf8
      bytes += [0x0D, 0x0A]
    }
    return bytes
  }

  /// Decodes a list of a type that may name a charset. Only charsets with units of more than one byte differ from ASCII
  /// in the characters of URIs.
  static func decode(_ bytes: [UInt8], as type: ContentType) throws(ContentError) -> [String] {
    guard let encoding = TextEncoding(impliedBy: type), encoding.unitSize > 1 else { return decode(bytes) }
    return decode(Array(try TextCodec.decode(bytes, as: type).text.utf8))
  }

  /// Returns the URIs, without comments and empty lines. Bytes that are not UTF-8 are percent-encoded, so that none is
  /// lost.
  static func decode(_ bytes: [UInt8]) -> [String] {
    let content = bytes.starts(with: TextEncoding.utf8.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    return lines(content).filter { $0.first != UInt8(ascii: "#") }.map { line in
      String(validating: line, as: UTF8.self) ?? escaping(line) { $0 >= 0x80 }
    }
  }

  /// Percent-encodes characters that a URI cannot contain, above all line ends, which would split it in two. A URI that
  /// follows RFC 3986 is returned unchanged.
  static func escaped(_ uri: String) -> String {
    let isComment = uri.utf8.first == UInt8(ascii: "#")
    guard isComment || uri.utf8.contains(where: isForbidden) else { return uri }
    return (isComment ? "%23" : "") + escaping(Array(uri.utf8)[(isComment ? 1 : 0)...], isForbidden)
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
  }

  /// Percent-encodes the bytes for which `mustEscape` returns `true`.
  static func escaping(_ bytes: some Sequence<UInt8>, _ mustEscape: (UInt8) -> Bool) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      if mustEscape(byte) {
        result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Returns the non-empty lines, without surrounding spaces.
  private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split { $0 == 0x0D || $0 == 0x0A || $0 == 0 }.compactMap { line in
      var line = line
      while let first = line.first, first == 0x20 || first == 0x09 { line = line.dropFirst() }
      while let last = line.last, last == 0x20 || last == 0x09 { line = line.dropLast() }
      return line.isEmpty ? nil : line
    }
  }
}
