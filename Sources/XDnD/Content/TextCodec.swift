/// Text out of the bytes of a transfer, and the other way round.
///
/// What a type says of its characters, and what peers put there, are different things; so the bytes have a say.
/// Reading never repairs and never drops a character: what cannot be read exactly is an error, and the caller still
/// has the bytes. Line ends stay as they came; text from bridges to Windows has CRLF.
///
/// Reading goes by these rules, first match:
/// 1. A byte order mark says what follows.
/// 2. A charset that is declared counts. `UTF8_STRING` and `COMPOUND_TEXT` declare theirs. UTF-8 may be written with
///    surrogates, as Tk 8.6 does; other bytes that are not valid are an error.
/// 3. MIME types without a charset: zeros on every second byte are UTF-16 (`text/html` of older browsers,
///    `text/x-moz-url`), three of four are UTF-32 (tkdnd).
/// 4. What is valid UTF-8 is UTF-8: both browsers put it into `STRING`, nearly all peers into `text/plain`.
/// 5. The rest is Latin-1, which loses nothing.
///
/// One NUL at the end is dropped: several sources count the terminator of a C string.
public enum TextCodec {
  /// Text that was read.
  public struct Decoded: Hashable, Sendable {
    /// The characters.
    public let text: String
    /// How they were written.
    public let encoding: TextEncoding
    /// Whether the encoding is known: declared, marked, or recognised beyond doubt. If not, it was assumed because
    /// nothing else fits.
    public let isExact: Bool
  }

  /// Reads text.
  ///
  /// - Parameters:
  ///   - bytes: What came.
  ///   - type: The type that was asked for.
  ///   - propertyType: The type of the property that the bytes came in, if it is known.
  public static func decode(
    _ bytes: [UInt8], as type: ContentType, propertyType: AtomName? = nil
  ) throws(ContentError) -> Decoded {
    try decode(bytes, as: type, propertyType: propertyType, compoundText: PortableCompoundText.decode)
  }

  /// - Parameter compoundText: Who knows the tables for `COMPOUND_TEXT`.
  static func decode(
    _ bytes: [UInt8], as type: ContentType, propertyType: AtomName?, compoundText: ([UInt8]) -> String?
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
      guard let text = compoundText(Array(trimmed(bytes[...], unit: 1))) else {
        throw .malformed(type, "these segments cannot be read")
      }
      return Decoded(text: text, encoding: .compoundText, isExact: true)
    case .declared(let encoding):
      guard let decoded = declared(bytes, encoding) else {
        throw .malformed(type, "the bytes are not valid \(encoding)")
      }
      return decoded
    case .customary(let encoding):
      // A name in which there is no ASCII for certain: only the order of the bytes is open.
      if label.base == "text/unicode", let decoded = declared(bytes, .utf16) { return decoded }
      // Of `STRING` Latin-1 is the definition, of `text/plain` only the default.
      return undeclared(bytes, label, isLatin1: encoding == .isoLatin1 && label.base != "text/plain")
    }
  }

  /// Writes text; `nil` if characters would be lost.
  ///
  /// What is written is what ``decode(_:as:propertyType:)`` reads back: a text is refused under `STRING` also if its
  /// Latin-1 would pass for UTF-8. `text/plain` without a charset is Latin-1 if the text fits, as the specification
  /// has it and GTK and Chromium read it, and UTF-8 otherwise, for SDL 2 looks for nothing else. `TEXT` is UTF-8, and
  /// its property has to say so.
  public static func encode(_ text: String, as type: ContentType) -> [UInt8]? {
    encode(text, as: type, compoundText: PortableCompoundText.encode)
  }

  /// - Parameter compoundText: Who knows the tables for `COMPOUND_TEXT`.
  static func encode(_ text: String, as type: ContentType, compoundText: (String) -> [UInt8]?) -> [UInt8]? {
    let label = TextLabel(type)
    let encodings: [TextEncoding]
    switch label.declaration {
    case .unknown: return nil
    // Xlib refuses combining marks and carriage returns; a segment of UTF-8 holds them.
    case .declared(.compoundText): return compoundText(text) ?? PortableCompoundText.encode(text)
    case .declared(let encoding): encodings = [encoding]
    case .customary(.isoLatin1) where label.base == "text/plain": encodings = [.isoLatin1, .utf8]
    case .customary(let encoding): encodings = [encoding]
    }
    for encoding in encodings {
      guard var bytes = encoding.bytes(of: text) else { continue }
      // One NUL at the end will be dropped.
      if text.utf8.last == 0 { bytes += [UInt8](repeating: 0, count: encoding.unitSize) }
      // RFC 2781 wants a mark where the name leaves the order open.
      let needsMark = encoding == .utf16 && label.hasCharset
      if !needsMark, isReadBack(bytes, as: type, text) { return bytes }
      bytes = encoding.byteOrderMark + bytes
      if !encoding.byteOrderMark.isEmpty, isReadBack(bytes, as: type, text) { return bytes }
    }
    return nil
  }

  private static func isReadBack(_ bytes: [UInt8], as type: ContentType, _ text: String) -> Bool {
    guard let decoded = try? decode(bytes, as: type) else { return false }
    // Not `==`, to which a letter with an accent and a letter followed by one are the same.
    return decoded.text.utf8.elementsEqual(text.utf8)
  }

  // MARK: Reading

  /// The encoding that a byte order mark says, and how long the mark is. A type that declares a Unicode form of one
  /// size of unit can have no mark of another: there these bytes are letters.
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
      // UTF-16 that begins with a NUL looks the same.
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
    // Old mail programs call everything ASCII.
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

  /// Text in which zeros show that a unit has more than one byte.
  private static func wide(_ bytes: [UInt8]) -> Decoded? {
    guard let order = byteOrder(of: bytes) else { return nil }
    for encoding in [TextEncoding.utf32, order] {
      if let text = encoding.string(from: trimmed(bytes[...], unit: encoding.unitSize)) {
        return Decoded(text: text, encoding: encoding, isExact: true)
      }
    }
    return nil
  }

  /// Which half of the units is zero more often; `nil` if that says nothing. A single zero at the end may be the
  /// terminator of a text in single bytes.
  private static func byteOrder(of bytes: [UInt8]) -> TextEncoding? {
    var zeros = (even: 0, odd: 0)
    let count = bytes.count
    guard count.isMultiple(of: 2) || bytes.last == 0 else { return nil }
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < count - 1 {
        if bytes[index] == 0 { zeros.even += 1 }
        if bytes[index + 1] == 0 { zeros.odd += 1 }
        index += 2
      }
    }
    if zeros.even + zeros.odd == 1, bytes.last == 0, count > 2 { return nil }
    if zeros.even == zeros.odd { return nil }
    return zeros.even < zeros.odd ? .utf16LittleEndian : .utf16BigEndian
  }

  /// Without one NUL at the end. After UTF-16 some put a single byte.
  private static func trimmed(_ bytes: ArraySlice<UInt8>, unit: Int) -> ArraySlice<UInt8> {
    let surplus = bytes.count % unit
    if surplus != 0 { return bytes.suffix(surplus).allSatisfy { $0 == 0 } ? bytes.dropLast(surplus) : bytes }
    guard bytes.count >= unit, bytes.suffix(unit).allSatisfy({ $0 == 0 }) else { return bytes }
    return bytes.dropLast(unit)
  }
}
