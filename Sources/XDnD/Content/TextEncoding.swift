/// How characters are written as bytes.
public enum TextEncoding: Hashable, Sendable, CaseIterable {
  /// UTF-8.
  case utf8
  /// UTF-16 in the order that its byte order mark says, or in the machine's.
  case utf16
  /// UTF-16, the low byte first.
  case utf16LittleEndian
  /// UTF-16, the high byte first.
  case utf16BigEndian
  /// UTF-32 in the machine's order: tkdnd gives text so that it puts into properties of format 32.
  case utf32
  /// Seven bits.
  case ascii
  /// ISO-8859-1: each byte is the scalar of its number, which is what ICCCM calls `STRING`.
  case isoLatin1
  /// Latin-1 with letters in place of the second set of control characters. The five holes stay control characters,
  /// as on the Web.
  case windows1252
  /// What ICCCM calls `COMPOUND_TEXT`: segments in many character sets. The tables for it are Xlib's.
  case compoundText

  /// The encoding that goes by a name of the IANA registry, or by a common other name; case does not matter.
  public init?(charset: String) {
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

  /// The encoding that a type has by its charset, or by convention where it has none; `nil` if the charset is unknown.
  ///
  /// This is what is written. What is read also looks at the bytes: see ``TextCodec``.
  public init?(impliedBy type: ContentType) {
    switch TextLabel(type).declaration {
    case .declared(let encoding), .customary(let encoding): self = encoding
    case .unknown: return nil
    }
  }

  /// UTF-16 in the order of this machine.
  static var utf16Native: TextEncoding { isLittleEndianMachine ? .utf16LittleEndian : .utf16BigEndian }

  static var isLittleEndianMachine: Bool { UInt16(1).littleEndian == 1 }

  /// Bytes of one code unit.
  var unitSize: Int {
    switch self {
    case .utf16, .utf16LittleEndian, .utf16BigEndian: 2
    case .utf32: 4
    case .utf8, .ascii, .isoLatin1, .windows1252, .compoundText: 1
    }
  }

  /// What says at the start of a text that it is in this encoding.
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

/// What the name of a type says about the characters in it.
struct TextLabel {
  /// The type without parameters; of a MIME type in lower case.
  let base: String
  let declaration: Declaration
  /// Whether a charset parameter stands in the name.
  let hasCharset: Bool

  enum Declaration: Hashable {
    /// The type says so, and then it is an error if it is not so.
    case declared(TextEncoding)
    /// It is usual, but the bytes have the last word.
    case customary(TextEncoding)
    /// A charset that we do not know.
    case unknown(String)
  }

  /// - Parameter propertyType: The type of the property that the bytes came in. Of `TEXT`, which leaves the encoding to
  ///   the owner, it alone says what it is; and an owner may answer with compound text whatever was asked for.
  init(_ type: ContentType, propertyType: AtomName? = nil) {
    let isMIME = type.isMIME
    base = type.essence.canonical
    // Some write it in single quotes, which are part of a name by RFC 2045.
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

  /// ICCCM, section 2.6.2, and the X.Org registry for `UTF8_STRING`.
  private static func declaration(ofTarget name: String) -> Declaration? {
    switch name {
    case "UTF8_STRING": .declared(.utf8)
    case "COMPOUND_TEXT": .declared(.compoundText)
    // Both browsers put UTF-8 there.
    case "STRING": .customary(.isoLatin1)
    default: nil
    }
  }

  private static func custom(of base: String) -> TextEncoding {
    switch base {
    // The specification of XDND has it, and GTK reads it so.
    case "text/plain": .isoLatin1
    case "text/unicode", "text/x-moz-url", "text/x-moz-url-data", "text/x-moz-url-desc": .utf16
    default: .utf8
    }
  }
}
