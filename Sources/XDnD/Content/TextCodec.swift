/// Decodes text from the bytes of a transfer, and encodes it.
///
/// Peers often ignore the encoding that the type states, so decoding looks at the bytes too. Decoding never repairs or
/// drops a character: bytes that it cannot decode exactly are an error, and the caller still has the bytes. Line ends
/// are kept; text from bridges to Windows has CRLF.
///
/// The first of these rules that applies decides the encoding:
/// 1. A byte order mark.
/// 2. A declared charset; `UTF8_STRING` and `COMPOUND_TEXT` declare theirs, and `text/unicode` is UTF-16 if the bytes
///    are valid UTF-16. UTF-8 may contain surrogates, as Tk 8.6 sends it, and declared ASCII may be UTF-8. Other
///    invalid bytes are an error.
/// 3. In MIME types without a charset, zeros in every second byte mean UTF-16 (`text/html` of older browsers,
///    `text/x-moz-url`), and zeros in three of four bytes UTF-32 (tkdnd).
/// 4. Valid UTF-8 is UTF-8: Firefox and Chromium send it as `STRING`, and nearly all peers as `text/plain`.
/// 5. Everything else is Latin-1, which can decode any bytes.
///
/// One NUL at the end is dropped: several sources include the terminator of a C string.
package enum TextCodec {
  package struct Decoded: Hashable, Sendable {
    package let text: String
    /// The encoding of the bytes.
    package let encoding: TextEncoding
    /// Whether the encoding is certain: declared, marked, or recognised beyond doubt. Otherwise it was assumed because
    /// no other one fits.
    package let isExact: Bool
  }

  /// Decodes text.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - type: The requested type.
  ///   - propertyType: The type of the property that held the bytes, if known.
  /// - Throws: ``ContentError`` if the charset is unknown or the bytes are not valid in it.
  package static func decode(
    _ bytes: [UInt8], as type: ContentType, propertyType: AtomName? = nil
  ) throws(ContentError) -> Decoded {
    let label = TextLabel(type, propertyType: propertyType)
    if let (encoding, markSize) = mark(of: bytes, label) {
      guard let text = encoding.string(from: trimmed(bytes[markSize...], unit: encoding.unitSize)) else {
        throw .malformed(type, "the bytes after the byte order mark are not valid")
      }
      return Decoded(text: text, encoding: encoding, isExact: true)
    }
    switch label.declaration {
    case .unknown(let charset):
      throw ContentError(reason: .unsupportedType, type: type, message: "the charset \(charset) is not known")
    case .declared(.compoundText):
      guard let text = PortableCompoundText.decode(Array(trimmed(bytes[...], unit: 1))) else {
        throw .malformed(type, "these segments cannot be read")
      }
      return Decoded(text: text, encoding: .compoundText, isExact: true)
    case .declared(let encoding):
      guard let decoded = declared(bytes, encoding) else {
        throw .malformed(type, "the bytes are not valid \(encoding)")
      }
      return decoded
    case .customary(let encoding):
      // `text/unicode` is UTF-16 by definition; only the byte order is open.
      if label.base == "text/unicode", let decoded = declared(bytes, .utf16) { return decoded }
      // For `STRING` Latin-1 is the definition, for `text/plain` only the default.
      return undeclared(bytes, label, isLatin1: encoding == .isoLatin1 && label.base != "text/plain")
    }
  }

  /// Encodes text; returns `nil` if characters would be lost.
  ///
  /// The bytes always decode to the same text: `STRING` is also refused for Latin-1 that would be decoded as UTF-8.
  /// `text/plain` without a charset is Latin-1 if the text fits, as XDND v4 specifies and GTK and Chromium decode it.
  /// Other text is encoded as UTF-8 instead of being refused, because SDL 2 accepts text only as `text/plain`. `TEXT`
  /// is UTF-8, and the property's type has to say so.
  package static func encode(_ text: String, as type: ContentType) -> [UInt8]? {
    let label = TextLabel(type)
    let encodings: [TextEncoding]
    switch label.declaration {
    case .unknown: return nil
    case .declared(.compoundText): return PortableCompoundText.encode(text)
    case .declared(let encoding): encodings = [encoding]
    case .customary(.isoLatin1) where label.base == "text/plain": encodings = [.isoLatin1, .utf8]
    case .customary(let encoding): encodings = [encoding]
    }
    for encoding in encodings {
      guard var bytes = encoding.bytes(of: text) else { continue }
      // Decoding drops one NUL at the end.
      if text.utf8.last == 0 { bytes += [UInt8](repeating: 0, count: encoding.unitSize) }
      // RFC 2781 recommends a mark if the charset leaves the byte order open.
      let needsMark = encoding == .utf16 && label.hasCharset
      if !needsMark, isReadBack(bytes, as: type, text) { return bytes }
      bytes = encoding.byteOrderMark + bytes
      if !encoding.byteOrderMark.isEmpty, isReadBack(bytes, as: type, text) { return bytes }
    }
    return nil
  }

  static func encoded(_ text: String, as type: ContentType) throws(ContentError) -> [UInt8] {
    guard let bytes = encode(text, as: type) else { throw .notEncodable(type, "characters would be lost") }
    return bytes
  }

  private static func isReadBack(_ bytes: [UInt8], as type: ContentType, _ text: String) -> Bool {
    guard let decoded = try? decode(bytes, as: type) else { return false }
    // `==` compares by canonical equivalence: a precomposed letter equals a letter with a combining accent.
    return decoded.text.utf8.elementsEqual(text.utf8)
  }

  // MARK: Reading

  /// Returns the encoding of a byte order mark and the mark's length. A type that declares UTF-16 or UTF-32 cannot have
  /// a mark of another unit size: there the same bytes are characters. Declared UTF-8 may have a UTF-16 mark, whose
  /// bytes are invalid in UTF-8.
  private static func mark(of bytes: [UInt8], _ label: TextLabel) -> (TextEncoding, Int)? {
    var possible: [TextEncoding] = [.utf32, .utf8, .utf16LittleEndian, .utf16BigEndian]
    switch label.declaration {
    case .declared(.compoundText): return nil
    case .declared(let encoding) where encoding.unitSize > 1: possible.removeAll { $0.unitSize != encoding.unitSize }
    case .declared(.utf8): possible = [.utf8, .utf16LittleEndian, .utf16BigEndian]
    default: break
    }
    for encoding in possible where bytes.starts(with: encoding.byteOrderMark) {
      let size = encoding.byteOrderMark.count
      // A UTF-16 mark before a NUL looks the same as a UTF-32 mark.
      if encoding == .utf32, encoding.string(from: bytes[size...]) == nil { continue }
      return (encoding, size)
    }
    return nil
  }

  private static func declared(_ bytes: [UInt8], _ encoding: TextEncoding) -> Decoded? {
    let order = encoding == .utf16 ? Self.byteOrder(of: bytes) : nil
    let used = order ?? (encoding == .utf16 ? .utf16Native : encoding)
    let content = trimmed(bytes[...], unit: used.unitSize)
    if let text = used.string(from: content) {
      return Decoded(text: text, encoding: used, isExact: encoding != .utf16 || order != nil)
    }
    switch encoding {
    case .utf8: return TextEncoding.surrogateUTF8(content).map { Decoded(text: $0, encoding: .utf8, isExact: true) }
    // Old mail programs declare any text as ASCII.
    case .ascii:
      return TextEncoding.utf8.string(from: content).map { Decoded(text: $0, encoding: .utf8, isExact: true) }
    default: return nil
    }
  }

  private static func undeclared(_ bytes: [UInt8], _ label: TextLabel, isLatin1: Bool) -> Decoded {
    if label.base.utf8.contains(UInt8(ascii: "/")), let wide = wide(bytes) { return wide }
    let content = trimmed(bytes[...], unit: 1)
    if let text = TextEncoding.utf8.string(from: content) ?? TextEncoding.surrogateUTF8(content) {
      return Decoded(text: text, encoding: .utf8, isExact: true)
    }
    return Decoded(text: TextEncoding.isoLatin1.string(from: content) ?? "", encoding: .isoLatin1, isExact: isLatin1)
  }

  /// Decodes text whose zero bytes reveal units of more than one byte.
  private static func wide(_ bytes: [UInt8]) -> Decoded? {
    guard let order = byteOrder(of: bytes) else { return nil }
    for encoding in [TextEncoding.utf32, order] {
      if let text = encoding.string(from: trimmed(bytes[...], unit: encoding.unitSize)) {
        return Decoded(text: text, encoding: encoding, isExact: true)
      }
    }
    return nil
  }

  /// Returns the byte order in which more of the high bytes are zero; `nil` if undecided. A single zero at the end may
  /// be the terminator of 8-bit text.
  private static func byteOrder(of bytes: [UInt8]) -> TextEncoding? {
    var zeros = (even: 0, odd: 0)
    let count = bytes.count
    guard count.isMultiple(of: 2) || bytes.last == 0 else { return nil }
    bytes.withUnsafeBufferPointer { bytes in
      for index in stride(from: 0, to: count - 1, by: 2) {
        if bytes[index] == 0 { zeros.even += 1 }
        if bytes[index + 1] == 0 { zeros.odd += 1 }
      }
    }
    if zeros.even + zeros.odd == 1, bytes.last == 0, count > 2 { return nil }
    if zeros.even == zeros.odd { return nil }
    return zeros.even < zeros.odd ? .utf16LittleEndian : .utf16BigEndian
  }

  /// Drops one NUL at the end. Some sources terminate UTF-16 by a single byte.
  private static func trimmed(_ bytes: ArraySlice<UInt8>, unit: Int) -> ArraySlice<UInt8> {
    let surplus = bytes.count % unit
    if surplus != 0 { return bytes.suffix(surplus).allSatisfy { $0 == 0 } ? bytes.dropLast(surplus) : bytes }
    guard bytes.count >= unit, bytes.suffix(unit).allSatisfy({ $0 == 0 }) else { return bytes }
    return bytes.dropLast(unit)
  }
}
