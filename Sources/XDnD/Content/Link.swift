/// A URL with an optional title.
public struct Link: Hashable, Sendable {
  /// The URL.
  public var url: String
  /// The title, in one line; `nil` if there is none.
  public var title: String?

  /// Creates a link.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - title: The title.
  public init(url: String, title: String? = nil) {
    self.url = url
    self.title = title
  }

  /// The types that can be decoded, best first.
  package static let importableTypes: [ContentType] =
    ["text/x-moz-url", "_NETSCAPE_URL", .uriList, "text/x-moz-url-data", .html] + PlainText.importableTypes

  /// The types to offer, best first.
  package static let exportableTypes: [ContentType] =
    ["text/x-moz-url", "_NETSCAPE_URL", "text/x-moz-url-data", "text/x-moz-url-desc", .uriList, .html]
    + PlainText.exportableTypes

  /// Decodes the first link.
  ///
  /// - Throws: ``ContentError`` if the content holds no link, or if ``all(decoding:as:)`` throws.
  package init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard let first = try Self.all(decoding: bytes, as: type).first else { throw .malformed(type, "there is no link") }
    self = first
  }

  /// Decodes all links. `text/x-moz-url` holds pairs of lines; `text/uri-list` and plain text hold one URL per line;
  /// HTML yields only its first `<a href="…">`.
  ///
  /// The list may be empty, for example for empty text.
  ///
  /// - Throws: ``ContentError`` if `type` cannot hold links, if the bytes are not valid, if HTML holds no link, or if
  ///   plain text holds anything but URLs.
  package static func all(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) -> [Link] {
    switch form(of: type) {
    case .pairs: return pairs(try lines(bytes, as: type))
    case .pair: return pairs(Array(try lines(bytes, as: type).prefix(2)))
    case .addresses: return try lines(bytes, as: type).filter { !$0.isEmpty }.map { Link(url: $0) }
    case .uris: return try URIList.decode(bytes, as: type).filter(hasScheme).map { Link(url: $0) }
    case .html: return try anchor(in: StyledText(decoding: bytes, as: type).html, type)
    case .plain:
      let lines = try lines(bytes, as: type).filter { !$0.isEmpty }
      guard lines.allSatisfy({ hasScheme($0) && !$0.utf8.contains(0x20) }) else {
        throw .malformed(type, "the text is more than a URL")
      }
      return lines.map { Link(url: $0) }
    case .title, nil: throw .unsupported(type, for: "a link")
    }
  }

  /// Encodes the link as `type`. Percent-encodes characters that a URL cannot contain, and writes the title in one
  /// line.
  ///
  /// - Throws: ``ContentError`` if the URL is empty, if `type` cannot hold a link, or if its charset is
  ///   unknown or would lose characters.
  package func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    let address = URIList.escaped(url)
    guard !address.isEmpty else { throw .notEncodable(type, "the URL is empty") }
    let name = title.map(Self.collapsed) ?? ""
    let text: String
    switch Self.form(of: type) {
    // ROX-Filer fails without the line end.
    case .pairs: text = address + "\n" + name
    // Thunar requires two lines, and uses the second as a file name.
    case .pair: text = address + "\n" + (name.isEmpty ? address : name)
    case .addresses, .plain: text = address
    case .title: text = name.isEmpty ? address : name
    case .uris: return URIList.encode([address])
    case .html:
      let visible = HTMLReference.escaped(name.isEmpty ? address : name)
      return try StyledText(html: "<a href=\"\(HTMLReference.escaped(address))\">\(visible)</a>").encoded(as: type)
    case nil: throw .unsupported(type, for: "a link")
    }
    return try TextCodec.encoded(text, as: type)
  }

  // MARK: Forms

  private enum Form {
    case pairs, pair, addresses, title, uris, html, plain
  }

  private static func form(of type: ContentType) -> Form? {
    switch TextLabel(type).base {
    case "text/x-moz-url": .pairs
    case "_NETSCAPE_URL": .pair
    case "text/x-moz-url-data": .addresses
    case "text/x-moz-url-desc": .title
    case "text/uri-list": .uris
    case "text/html": .html
    default: PlainText.isForm(type) ? .plain : nil
    }
  }

  private static func pairs(_ lines: [String]) -> [Link] {
    stride(from: 0, to: lines.count, by: 2).compactMap { index in
      let title = index + 1 < lines.count ? lines[index + 1] : ""
      return Link(to: lines[index], titled: title)
    }
  }

  /// Creates a link; `nil` for an empty URL. Drops a title that repeats the URL: Firefox and this library write one
  /// where a format needs two lines.
  init?(to url: String, titled title: String) {
    let (url, title) = (Self.collapsed(url), Self.collapsed(title))
    guard !url.isEmpty else { return nil }
    self.init(url: url, title: title.isEmpty || title == url ? nil : title)
  }

  private static func anchor(in html: String, _ type: ContentType) throws(ContentError) -> [Link] {
    var reader = HTMLReader(html)
    while let token = reader.next() {
      guard case .open("a", let attributes) = token, let url = reader.attribute("href", in: attributes) else {
        continue
      }
      return Link(to: url, titled: reader.textToEnd(of: "a")).map { [$0] } ?? []
    }
    throw .malformed(type, "there is no link in it")
  }

  // MARK: Lines

  /// Decodes text as lines without their ends. Keeps empty lines, but adds none after the last line end.
  private static func lines(_ bytes: [UInt8], as type: ContentType) throws(ContentError) -> [String] {
    var lines = try TextCodec.decode(bytes, as: type).text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { collapsed(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns the text in one line, with single spaces and without surrounding ones.
  static func collapsed(_ text: String) -> String {
    guard text.utf8.contains(where: \.isASCIISpace) else { return text }
    let words = text.utf8.split(whereSeparator: \.isASCIISpace)
    return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  private static func hasScheme(_ text: String) -> Bool { FileURI.schemeEnd(of: Array(text.utf8)) != nil }
}
