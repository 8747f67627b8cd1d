/// An `.html` file in UTF-8. A first line declares the charset, unless the HTML does and came without plain text.
///
/// Browsers decode a file as Windows-1252 unless its first 1024 bytes declare another charset, and the first
/// declaration wins. Dragged HTML rarely declares one, or declares its page's, which may not be UTF-8. The line
/// includes a doctype, because a doctype after it would be ignored. It also stores the plain text, which the HTML
/// does not always yield.
enum HTMLFile {
  private static let head = Array("<!DOCTYPE html><meta charset=\"utf-8\">".utf8)
  private static let plainStart = Array("<meta name=\"xdnd-plain-text\" content=\"".utf8)
  private static let plainEnd = Array("\">".utf8)

  static func write(_ text: StyledText) -> [UInt8] {
    let html = Array(text.html.utf8)
    guard text.plain != nil || !speaksForItself(html) else { return html }
    var bytes = head
    if let plain = text.plain { bytes += plainStart + HTMLReference.escaped(plain).utf8 + plainEnd }
    return bytes + [0x0A] + html
  }

  /// Reads the HTML, without a line that ``write(_:)`` has added. Without a known charset the bytes are read as UTF-8.
  /// Bytes that are not valid in their charset are read as Windows-1252.
  static func read(_ bytes: [UInt8]) -> StyledText {
    if let (plain, html) = split(bytes), let html = TextEncoding.utf8.string(from: html) {
      return StyledText(html: html, plain: plain)
    }
    for encoding in [TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian]
    where bytes.starts(with: encoding.byteOrderMark) {
      if let html = encoding.string(from: bytes.dropFirst(encoding.byteOrderMark.count)) {
        return StyledText(html: html)
      }
    }
    let html = (charset(of: bytes) ?? .utf8).string(from: bytes[...])
    return StyledText(html: html ?? TextEncoding.windows1252.string(from: bytes[...]) ?? "")
  }

  /// Whether the HTML declares UTF-8 itself and would be read back unchanged.
  private static func speaksForItself(_ html: [UInt8]) -> Bool {
    charset(of: html) == .utf8 && split(html) == nil && !html.starts(with: TextEncoding.utf8.byteOrderMark)
  }

  /// Returns the HTML after the first line, and the plain text in the line; `nil` if the file has no such line.
  private static func split(_ bytes: [UInt8]) -> (plain: String?, html: ArraySlice<UInt8>)? {
    guard bytes.starts(with: head) else { return nil }
    var rest = bytes[head.count...]
    var plain: String?
    if rest.starts(with: plainStart) {
      let value = rest.dropFirst(plainStart.count).prefix { $0 != UInt8(ascii: "\"") }
      rest = bytes[value.endIndex...]
      guard rest.starts(with: plainEnd), let escaped = TextEncoding.utf8.string(from: value) else { return nil }
      rest = rest.dropFirst(plainEnd.count)
      plain = HTMLReader(escaped).text(in: 0..<value.count)
    }
    return rest.first == 0x0A ? (plain, rest.dropFirst()) : nil
  }

  /// Returns the charset that the page declares where browsers look for it; `nil` if it declares none or an unknown
  /// one. The declaration is readable as ASCII, so UTF-16 and UTF-32 there mean UTF-8, as the HTML standard defines for
  /// UTF-16.
  private static func charset(of bytes: [UInt8]) -> TextEncoding? {
    var reader = HTMLReader(String(decoding: bytes.prefix(1024), as: UTF8.self))
    while let token = reader.next() {
      guard case .open("meta", let attributes) = token else { continue }
      let name =
        reader.attribute("charset", in: attributes)
        ?? reader.attribute("http-equiv", in: attributes).flatMap { kind in
          guard kind.lowercased() == "content-type" else { return nil }
          return reader.attribute("content", in: attributes).flatMap { ContentType($0).parameter("charset") }
        }
      guard let name else { continue }
      guard let encoding = TextEncoding(charset: Link.collapsed(name)), encoding != .compoundText else { return nil }
      switch encoding {
      case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32: return .utf8
      // On the Web, these names mean Windows-1252.
      case .ascii, .isoLatin1: return .windows1252
      default: return encoding
      }
    }
    return nil
  }
}
