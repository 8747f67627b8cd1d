/// HTML character references: `&amp;`, `&#38;`, `&#x26;`.
enum HTMLReference {
  /// Escapes characters with a meaning in HTML, for text between tags and in double-quoted attributes.
  static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes the reference whose `&` is at `start`. Returns the characters and the index after the reference; `nil` if
  /// there is no reference and the `&` is literal.
  static func read(_ bytes: [UInt8], from start: Int, to end: Int) -> (String, Int)? {
    var index = start + 1
    let limit = min(end, start + 12)
    guard index < limit else { return nil }
    guard bytes[index] == UInt8(ascii: "#") else {
      while index < limit, bytes[index] != UInt8(ascii: ";") { index += 1 }
      guard index < limit, let value = named[String(decoding: bytes[start + 1..<index], as: UTF8.self)] else {
        return nil
      }
      return (value, index + 1)
    }
    index += 1
    let isHexadecimal = index < limit && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    var value: UInt32 = 0
    let digits = index
    while index < end, let digit = bytes[index].hexDigitValue, isHexadecimal || digit < 10 {
      // The limit is above every code point; further digits do not change it.
      value = min(value * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
      index += 1
    }
    guard index > digits else { return nil }
    if index < end, bytes[index] == UInt8(ascii: ";") { index += 1 }
    // Numbers of C1 control characters mean Windows-1252 letters, as in browsers.
    if 0x80..<0xA0 ~= value { value = TextEncoding.windows1252Scalar(UInt8(value)) }
    return (String(value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"), index)
  }

  /// Common names, as used by programs that write other characters literally.
  private static let named: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "shy": "\u{AD}", "copy": "©",
    "reg": "®", "trade": "™", "deg": "°", "sect": "§", "para": "¶", "middot": "·", "bull": "•", "hellip": "…",
    "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„",
    "laquo": "«", "raquo": "»", "times": "×", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "larr": "←",
    "rarr": "→", "szlig": "ß", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
    "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "zwj": "\u{200D}", "zwnj": "\u{200C}",
    "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
  ]
}
