/// Text with form: HTML, and what it is without.
public struct StyledText: Hashable, Sendable {
  /// A page or a fragment of one.
  public var html: String
  /// The same for who takes no HTML; `nil` to have it made.
  public var plain: String?

  /// - Parameters:
  ///   - html: A page or a fragment of one.
  ///   - plain: The same without form; `nil` to have it made of the HTML.
  public init(html: String, plain: String? = nil) {
    self.html = html
    self.plain = plain
  }

  /// ``plain``, or the HTML without its tags.
  public var plainText: String { plain ?? HTMLPlainText.text(of: html) }

  /// The types that can be read, best first.
  public static let importableTypes: [ContentType] = [
    .html, "text/html;charset=utf-8", "text/html;charset=utf-16", "text/html;charset=utf-16le",
    "text/html;charset=utf-16be", "application/xhtml+xml",
  ]

  /// The types to offer, best first.
  public static let exportableTypes: [ContentType] = [.html] + PlainText.exportableTypes

  /// Whether a type can be read, whatever its parameters: HTML, in any charset.
  public static func reads(_ type: ContentType) -> Bool { isForm(type) }

  /// Firefox begins its UTF-8 with this, and believes only HTML that has it or a byte order mark; others that guess
  /// see it too. It is about the bytes and not part of the text, so it goes when they are read.
  private static let mark = "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">"

  /// Reads HTML.
  ///
  /// Comments such as `<!--StartFragment-->` stay. The header that Windows puts in front of HTML, and that comes
  /// through some bridges, goes.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard Self.isForm(type) else { throw .unsupported(type, for: "styled text") }
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

  /// The HTML, or the text without form, under one of their names.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    if PlainText.isForm(type) { return try PlainText(plainText).encoded(as: type) }
    guard Self.isForm(type) else { throw .unsupported(type, for: "styled text") }
    let mark = TextEncoding(impliedBy: type) == .utf8 ? Self.mark : ""
    guard let bytes = TextCodec.encode(mark + html, as: type) else {
      throw .notEncodable(type, "characters would be lost")
    }
    return bytes
  }

  private static func isForm(_ type: ContentType) -> Bool {
    let base = TextLabel(type).base
    return base == "text/html" || base == "application/xhtml+xml"
  }
}
