/// Text with markup: HTML and its plain text. The counterpart of an attributed string on Apple's pasteboards.
public struct StyledText: Hashable, Sendable {
  /// An HTML page or fragment.
  public var html: String
  /// The plain text of the HTML, for targets that accept no HTML; `nil` to derive it from the HTML.
  public var plain: String?

  /// Creates styled text.
  ///
  /// - Parameters:
  ///   - html: An HTML page or fragment.
  ///   - plain: Its plain text; `nil` to derive it from the HTML.
  public init(html: String, plain: String? = nil) {
    self.html = html
    self.plain = plain
  }

  /// ``plain``, or the text derived from the HTML.
  public var plainText: String { plain ?? HTMLPlainText.text(of: html) }

  /// The types that can be decoded, best first.
  package static let importableTypes: [ContentType] = [
    .html, "text/html;charset=utf-8", "text/html;charset=utf-16", "text/html;charset=utf-16le",
    "text/html;charset=utf-16be", "application/xhtml+xml",
  ]

  /// The types to offer, best first.
  package static let exportableTypes: [ContentType] = [.html] + PlainText.exportableTypes

  /// Whether a type can be decoded: HTML or XHTML, with any parameters.
  package static func reads(_ type: ContentType) -> Bool {
    let base = TextLabel(type).base
    return base == "text/html" || base == "application/xhtml+xml"
  }

  /// The prefix that Firefox puts before UTF-8. Firefox trusts only HTML with this prefix or a byte order mark; other
  /// programs that guess the encoding see it too. It describes the bytes and is not part of the text, so decoding
  /// removes it.
  private static let mark = "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">"

  /// Decodes HTML.
  ///
  /// Comments such as `<!--StartFragment-->` are kept. The header of Windows' clipboard format for HTML, which some
  /// bridges pass on, is removed.
  ///
  /// - Throws: ``ContentError`` if `type` is not HTML, if its charset is unknown, or if the bytes are not valid in it.
  package init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard Self.reads(type) else { throw .unsupported(type, for: "styled text") }
    let decoded = try TextCodec.decode(bytes, as: type)
    var text = decoded.text.utf8[...]
    let (mark, header) = (Self.mark.utf8, "Version:".utf8)
    if decoded.encoding == .utf8, text.starts(with: mark) {
      text = text.dropFirst(mark.count)
    } else if text.starts(with: header), let start = text.firstIndex(of: UInt8(ascii: "<")),
      String(decoding: text[..<start], as: UTF8.self).contains("StartHTML:")
    {
      text = text[start...]
    }
    html = String(decoding: text, as: UTF8.self)
    plain = nil
  }

  /// Encodes the HTML, or its plain text, as `type`.
  ///
  /// - Throws: ``ContentError`` if `type` is neither HTML nor plain text, or if its charset is unknown or would lose
  ///   characters.
  package func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    if PlainText.isForm(type) { return try PlainText(plainText).encoded(as: type) }
    guard Self.reads(type) else { throw .unsupported(type, for: "styled text") }
    let mark = TextEncoding(impliedBy: type) == .utf8 ? Self.mark : ""
    return try TextCodec.encoded(mark + html, as: type)
  }
}
