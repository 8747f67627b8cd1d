/// Text without form.
public struct PlainText: Hashable, Sendable {
  /// The characters.
  public var text: String

  /// Wraps text.
  public init(_ text: String) {
    self.text = text
  }

  /// The types that can be read, best first.
  public static let importableTypes: [ContentType] = [
    .plainText, "UTF8_STRING", "text/plain;charset=utf-16", "text/plain;charset=utf-16le",
    "text/plain;charset=utf-16be",
    "text/unicode", "text/plain", "COMPOUND_TEXT", "TEXT", "text/plain;charset=iso-8859-1",
    "text/plain;charset=windows-1252", "text/plain;charset=us-ascii", "STRING",
  ]

  /// The types to offer, best first.
  ///
  /// Without `COMPOUND_TEXT`, which can be written too: Chromium asks for it before everything else, and nobody reads
  /// it better than UTF-8.
  public static let exportableTypes: [ContentType] = [.plainText, "UTF8_STRING", "text/plain", "TEXT", "STRING"]

  /// Whether a type can be read, whatever its parameters: text in a charset that is known.
  public static func reads(_ type: ContentType) -> Bool { isForm(type) && TextEncoding(impliedBy: type) != nil }

  /// Reads text, as ``TextCodec`` does.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard Self.isForm(type) else { throw .unsupported(type, for: "plain text") }
    text = try TextCodec.decode(bytes, as: type).text
  }

  /// The bytes under one of the names of plain text.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    guard Self.isForm(type) else { throw .unsupported(type, for: "plain text") }
    guard let bytes = TextCodec.encode(text, as: type) else { throw .notEncodable(type, "characters would be lost") }
    return bytes
  }

  /// Whether a type is plain text, in whatever encoding.
  static func isForm(_ type: ContentType) -> Bool {
    switch TextLabel(type).base {
    case "text/plain", "text/unicode", "UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING": true
    default: false
    }
  }
}
