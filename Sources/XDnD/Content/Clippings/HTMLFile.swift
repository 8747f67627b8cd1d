/// A file `.html`: the HTML in UTF-8, with a line of our own in front where it does not say so itself.
///
/// Browsers take a file for Windows-1252 that does not say in its first 1024 bytes what it is, and the first that says
/// so is right. HTML out of a drag rarely says it, and what it says is about the page that it was taken from. The line
/// has a doctype too, for one behind it would count no more. It also keeps the plain text, if that came with the HTML,
/// because it cannot always be made of it again.
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

  /// The HTML without our line. Bytes that are not in the charset that they should be in, or in one that is not known,
  /// are read as Windows-1252, which is what browsers do.
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

  /// Whether it says that it is UTF-8, and would be read as it is.
  private static func speaksForItself(_ html: [UInt8]) -> Bool {
    charset(of: html) == .utf8 && split(html) == nil && !html.starts(with: TextEncoding.utf8.byteOrderMark)
  }

  /// What stands behind our line, and the plain text in it; `nil` if there is no such line.
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

  /// What a page says of its charset where browsers look for it; `nil` if nothing, or nothing known. It is written in
  /// letters that are the same in all that it can be, so UTF-16 means UTF-8 there, as the standard has it.
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
      // On the Web these are other names for it.
      case .ascii, .isoLatin1: return .windows1252
      default: return encoding
      }
    }
    return nil
  }
}
