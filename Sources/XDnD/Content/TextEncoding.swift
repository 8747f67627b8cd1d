/// An encoding of characters as bytes.
package enum TextEncoding: Hashable, Sendable, CaseIterable {
  case utf8
  /// UTF-16 without a stated byte order. ``TextCodec`` finds it by the byte order mark or the zero bytes; otherwise
  /// it is the machine's.
  case utf16
  case utf16LittleEndian
  case utf16BigEndian
  /// UTF-32 in the machine's byte order. tkdnd sends text in properties of format 32, which arrives like this.
  case utf32
  case ascii
  /// ISO-8859-1: each byte is the code point of the same number. The ICCCM's `STRING`.
  case isoLatin1
  /// Windows-1252: Latin-1 with punctuation and letters instead of the C1 control characters. The five undefined bytes
  /// stay control characters, as on the Web.
  case windows1252
  /// The ICCCM's `COMPOUND_TEXT`: segments in many character sets, whose tables are in Xlib.
  case compoundText

  /// Creates the encoding for an IANA name or a common alias, ignoring case; `nil` if the name is unknown.
  package init?(charset: String) {
    switch charset.lowercased() {
    case "utf-8", "utf8", "csutf8", "unicode-1-1-utf-8", "x-unicode20utf8": self = .utf8
    case "utf-16", "utf16", "csutf16", "unicode", "csunicode", "ucs-2", "ucs2", "iso-10646-ucs-2": self = .utf16
    case "utf-16le", "utf16le", "csutf16le", "ucs-2le", "unicodefeff": self = .utf16LittleEndian
    case "utf-16be", "utf16be", "csutf16be", "ucs-2be", "unicodefffe": self = .utf16BigEndian
    case "utf-32", "utf32", "csutf32", "ucs-4", "ucs4", "iso-10646-ucs-4": self = .utf32
    case "us-ascii", "ascii", "us", "csascii", "646", "iso646-us", "iso_646.irv:1991", "ansi_x3.4-1968",
      "ansi_x3.4-1986", "iso-ir-6", "cp367", "ibm367":
      self = .ascii
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "iso_8859-1:1987", "latin1", "latin-1", "l1",
      "csisolatin1", "iso-ir-100", "cp819", "ibm819":
      self = .isoLatin1
    case "windows-1252", "cp1252", "x-cp1252", "cswindows1252", "windows1252": self = .windows1252
    case "compound_text", "compound-text", "x-compound-text", "ctext", "x-ctext": self = .compoundText
    default: return nil
    }
  }

  /// Creates the encoding of a type's charset, or the customary one without a charset; `nil` if the charset is unknown.
  ///
  /// Decoding also looks at the bytes: see ``TextCodec``.
  package init?(impliedBy type: ContentType) {
    switch TextLabel(type).declaration {
    case .declared(let encoding), .customary(let encoding): self = encoding
    case .unknown: return nil
    }
  }

  /// UTF-16 in the machine's byte order.
  static var utf16Native: TextEncoding { isLittleEndianMachine ? .utf16LittleEndian : .utf16BigEndian }

  static var isLittleEndianMachine: Bool { UInt16(1).littleEndian == 1 }

  /// The size of a code unit, in bytes.
  var unitSize: Int {
    switch self {
    case .utf16, .utf16LittleEndian, .utf16BigEndian: 2
    case .utf32: 4
    case .utf8, .ascii, .isoLatin1, .windows1252, .compoundText: 1
    }
  }

  /// The byte order mark; empty if the encoding has none.
  var byteOrderMark: [UInt8] {
    switch self {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16: Self.utf16Native.byteOrderMark
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .utf32: Self.isLittleEndianMachine ? [0xFF, 0xFE, 0, 0] : [0, 0, 0xFE, 0xFF]
    case .ascii, .isoLatin1, .windows1252, .compoundText: []
    }
  }
}

/// The encoding that the name of a type states or implies.
struct TextLabel {
  /// The type without parameters. A MIME type is in lower case.
  let base: String
  let declaration: Declaration
  /// Whether the type has a charset parameter.
  let hasCharset: Bool

  enum Declaration: Hashable {
    /// The type states the encoding; invalid bytes are an error.
    case declared(TextEncoding)
    /// The encoding is customary, but the bytes decide.
    case customary(TextEncoding)
    /// An unknown charset.
    case unknown(String)
  }

  /// - Parameter propertyType: The type of the property that held the bytes. For `TEXT`, whose encoding the owner
  ///   chooses, only this tells the encoding. An owner may also answer any other request with compound text.
  init(_ type: ContentType, propertyType: AtomName? = nil) {
    let isMIME = type.isMIME
    base = type.essence.canonical
    // Some peers write single quotes, which RFC 2045 makes part of the name.
    let charset = type.parameter("charset").map { $0.filter { $0 != "'" } }
    hasCharset = charset != nil
    if let charset {
      declaration = TextEncoding(charset: charset).map { .declared($0) } ?? .unknown(charset)
    } else if let propertyType, !isMIME || propertyType.rawValue == "COMPOUND_TEXT",
      let known = Self.declaration(ofTarget: propertyType.rawValue)
    {
      declaration = known
    } else {
      declaration = Self.declaration(ofTarget: base) ?? .customary(Self.custom(of: base))
    }
  }

  /// ICCCM §2.6.2, and the X.Org registry for `UTF8_STRING`.
  private static func declaration(ofTarget name: String) -> Declaration? {
    switch name {
    case "UTF8_STRING": .declared(.utf8)
    case "COMPOUND_TEXT": .declared(.compoundText)
    // Firefox and Chromium send UTF-8.
    case "STRING": .customary(.isoLatin1)
    default: nil
    }
  }

  private static func custom(of base: String) -> TextEncoding {
    switch base {
    // The default charset of XDND v4, which GTK follows.
    case "text/plain": .isoLatin1
    case "text/unicode", "text/x-moz-url", "text/x-moz-url-data", "text/x-moz-url-desc": .utf16
    default: .utf8
    }
  }
}
