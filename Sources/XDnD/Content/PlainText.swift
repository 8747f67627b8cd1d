/// Text without markup.
package struct PlainText: Hashable, Sendable {
  package var text: String

  package init(_ text: String) {
    self.text = text
  }

  /// The types that can be decoded, best first.
  package static let importableTypes: [ContentType] = [
    .plainText, "UTF8_STRING", "text/plain;charset=utf-16", "text/plain;charset=utf-16le",
    "text/plain;charset=utf-16be",
    "text/unicode", "text/plain", "COMPOUND_TEXT", "TEXT", "text/plain;charset=iso-8859-1",
    "text/plain;charset=windows-1252", "text/plain;charset=us-ascii", "STRING",
  ]

  /// The types to offer, best first.
  ///
  /// Excludes `COMPOUND_TEXT`, although it can be encoded: Chromium requests it before all others, and no peer decodes
  /// it better than UTF-8.
  package static let exportableTypes: [ContentType] = [.plainText, "UTF8_STRING", "text/plain", "TEXT", "STRING"]

  /// Whether a type can be decoded: text in a known charset, with any other parameters.
  package static func reads(_ type: ContentType) -> Bool { isForm(type) && TextEncoding(impliedBy: type) != nil }

  /// Decodes text by the rules of ``TextCodec``.
  ///
  /// - Throws: ``ContentError`` if `type` is not plain text, if its charset is unknown, or if the bytes are not valid
  ///   in it.
  package init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard Self.isForm(type) else { throw .unsupported(type, for: "plain text") }
    text = try TextCodec.decode(bytes, as: type).text
  }

  /// Encodes the text as `type`.
  ///
  /// - Throws: ``ContentError`` if `type` is not plain text, or if its charset is unknown or would lose characters.
  package func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    guard Self.isForm(type) else { throw .unsupported(type, for: "plain text") }
    return try TextCodec.encoded(text, as: type)
  }

  /// Whether a type is plain text, in any encoding.
  static func isForm(_ type: ContentType) -> Bool {
    switch TextLabel(type).base {
    case "text/plain", "text/unicode", "UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING": true
    default: false
    }
  }
}
