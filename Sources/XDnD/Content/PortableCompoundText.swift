/// The part of `COMPOUND_TEXT` that needs no tables: Latin-1 and UTF-8 segments.
///
/// Xlib converts the other character sets: see ``WindowSystem/text(fromCompoundText:)``.
package enum PortableCompoundText {
  /// `ESC % G` and `ESC % @` (Compound Text Encoding 1.1, §6).
  private static let (start, end): ([UInt8], [UInt8]) = ([0x1B, 0x25, 0x47], [0x1B, 0x25, 0x40])

  /// Decodes compound text; `nil` if it has segments of other kinds.
  package static func decode(_ bytes: [UInt8]) -> String? {
    var text = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      if rest.starts(with: start) {
        rest = rest.dropFirst(start.count)
        let segment = rest.prefix { $0 != 0x1B }
        rest = rest[segment.endIndex...]
        guard rest.isEmpty || rest.starts(with: end), let part = TextEncoding.utf8.string(from: segment) else {
          return nil
        }
        rest = rest.dropFirst(end.count)
        text += part
      } else {
        let segment = rest.prefix { $0 != 0x1B && $0 != 0x9B }
        guard !segment.isEmpty, let part = TextEncoding.isoLatin1.string(from: segment) else { return nil }
        rest = rest[segment.endIndex...]
        text += part
      }
    }
    return text
  }

  /// Encodes text as Latin-1 if it fits, otherwise as one UTF-8 segment; `nil` if it contains ESC, which ends a
  /// segment, or NUL, which separates texts.
  package static func encode(_ text: String) -> [UInt8]? {
    guard !text.utf8.contains(0x1B), !text.utf8.contains(0) else { return nil }
    let isLatin1 = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      // No other control character is defined in compound text.
      case 0x09, 0x0A, 0x20..<0x7F, 0xA0..<0x100: true
      default: false
      }
    }
    return isLatin1 ? TextEncoding.isoLatin1.bytes(of: text) : start + Array(text.utf8) + end
  }
}
