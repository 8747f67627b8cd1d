/// A link: where it leads, and what it is called.
public struct Link: Hashable, Sendable {
  /// Where it leads.
  public var url: String
  /// What it is called, in one line; `nil` if it has no other name than its URL.
  public var title: String?

  /// - Parameters:
  ///   - url: Where it leads.
  ///   - title: What it is called.
  public init(url: String, title: String? = nil) {
    self.url = url
    self.title = title
  }

  /// The types that can be read, best first.
  public static let importableTypes: [ContentType] =
    ["text/x-moz-url", "_NETSCAPE_URL", .uriList, "text/x-moz-url-data", .html] + PlainText.importableTypes

  /// The types to offer, best first.
  public static let exportableTypes: [ContentType] =
    ["text/x-moz-url", "_NETSCAPE_URL", "text/x-moz-url-data", "text/x-moz-url-desc", .uriList, .html]
    + PlainText.exportableTypes

  /// Reads the first link.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard let first = try Self.all(decoding: bytes, as: type).first else { throw .malformed(type, "there is no link") }
    self = first
  }

  /// Reads all links: `text/x-moz-url` holds pairs of lines, `text/uri-list` and plain text one URL a line. HTML has
  /// one, that of its first `<a href="…">`.
  ///
  /// - Throws: If there is something, but no link.
  public static func all(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) -> [Link] {
    switch form(of: type) {
    case .pairs: return pairs(lines(try TextCodec.decode(bytes, as: type).text))
    case .pair:
      let lines = lines(try TextCodec.decode(bytes, as: type).text)
      return pairs(Array(lines.prefix(2)))
    case .addresses:
      return lines(try TextCodec.decode(bytes, as: type).text).filter { !$0.isEmpty }.map { Link(url: $0) }
    case .uris: return try URIList.decode(bytes, as: type).filter(hasScheme).map { Link(url: $0) }
    case .html: return try anchor(in: StyledText(decoding: bytes, as: type).html, type)
    case .plain:
      let lines = lines(try PlainText(decoding: bytes, as: type).text).map(collapsed).filter { !$0.isEmpty }
      guard lines.allSatisfy({ hasScheme($0) && !$0.utf8.contains(0x20) }) else {
        throw .malformed(type, "the text is more than a URL")
      }
      return lines.map { Link(url: $0) }
    case .title, nil: throw .unsupported(type, for: "a link")
    }
  }

  /// The bytes under one of the names of links.
  ///
  /// What cannot stand in a URL is percent-encoded; a title is written in one line.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    let address = URIList.escaped(url)
    guard !address.isEmpty else { throw .notEncodable(type, "the URL is empty") }
    let name = title.map(Self.collapsed) ?? ""
    let text: String
    switch Self.form(of: type) {
    // ROX fails without the line end.
    case .pairs: text = address + "\n" + name
    // Thunar wants two lines, and takes the second for the name of a file.
    case .pair: text = address + "\n" + (name.isEmpty ? address : name)
    case .addresses, .plain: text = address
    case .title: text = name.isEmpty ? address : name
    case .uris: return URIList.encode([address])
    case .html:
      let visible = HTMLReference.escaped(name.isEmpty ? address : name)
      return try StyledText(html: "<a href=\"\(HTMLReference.escaped(address))\">\(visible)</a>").encoded(as: type)
    case nil: throw .unsupported(type, for: "a link")
    }
    guard let bytes = TextCodec.encode(text, as: type) else { throw .notEncodable(type, "characters would be lost") }
    return bytes
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
      return link(to: lines[index], title: title)
    }
  }

  /// A title that only repeats the URL is none: Firefox and we write it where a form wants two lines.
  private static func link(to url: String, title: String) -> Link? {
    let (url, title) = (collapsed(url), collapsed(title))
    return url.isEmpty ? nil : Link(url: url, title: title.isEmpty || title == url ? nil : title)
  }

  private static func anchor(in html: String, _ type: ContentType) throws(ContentError) -> [Link] {
    var reader = HTMLReader(html)
    while let token = reader.next() {
      guard case .open("a", let attributes) = token, let url = reader.attribute("href", in: attributes) else {
        continue
      }
      var title = ""
      while let token = reader.next() {
        if case .close("a") = token { break }
        if case .text(let range) = token { title += reader.text(in: range) }
      }
      return link(to: url, title: title).map { [$0] } ?? []
    }
    throw .malformed(type, "there is no link in it")
  }

  // MARK: Lines

  /// Lines without their ends, empty ones too, but not one after the last end.
  private static func lines(_ text: String) -> [String] {
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { collapsed(String(decoding: $0, as: UTF8.self)) }
  }

  /// In one line, with single spaces, none at the ends.
  static func collapsed(_ text: String) -> String {
    guard text.utf8.contains(where: HTMLReader.isSpace) else { return text }
    let words = text.utf8.split(whereSeparator: HTMLReader.isSpace)
    return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  private static func hasScheme(_ text: String) -> Bool { FileURI.schemeEnd(of: Array(text.utf8)) != nil }
}
