/// Encoded words in the header of a mail message: `=?utf-8?Q?J=C3=BCrgen?=` (RFC 2047).
enum EncodedWords {
  private struct Word {
    let encoding: TextEncoding
    var bytes: [UInt8]
  }

  /// Decodes the encoded words of a text. Those that cannot be decoded stay as they are.
  ///
  /// Neighbours in one charset are decoded together: some programs break a text within a character.
  static func decoded(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    guard rest.contains(UInt8(ascii: "=")) else { return text }
    var result: [UInt8] = []
    var pending: Word?
    /// The space after the pending word, which does not count before another one.
    var space: [UInt8] = []
    func flush() {
      if let pending {
        let decoded = pending.encoding.string(from: pending.bytes[...])
        result += (decoded ?? ContentLine.string(pending.bytes)).utf8
      }
      result += space
      (pending, space) = (nil, [])
    }
    while let byte = rest.first {
      if byte == UInt8(ascii: "="), let (word, end) = word(at: rest) {
        space = []
        if pending?.encoding == word.encoding {
          pending?.bytes += word.bytes
        } else {
          flush()
          pending = word
        }
        rest = rest[end...]
      } else {
        if pending != nil, byte.isASCIISpace {
          space.append(byte)
        } else {
          flush()
          result.append(byte)
        }
        rest.removeFirst()
      }
    }
    flush()
    return String(decoding: result, as: UTF8.self)
  }

  /// Longer than RFC 2047 allows (75), for programs that do not break their words.
  private static let longest = 4096

  private static func word(at start: ArraySlice<UInt8>) -> (Word, end: Int)? {
    let mark = UInt8(ascii: "?")
    guard start.dropFirst().first == mark else { return nil }
    let parts = start.prefix(longest).split(separator: mark, maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[4].first == UInt8(ascii: "=") else { return nil }
    // RFC 2231, §5: a language may follow the charset.
    let charset = parts[1].prefix { $0 != UInt8(ascii: "*") }
    guard let encoding = TextEncoding(charset: String(decoding: charset, as: UTF8.self)) else { return nil }
    let bytes: [UInt8]?
    switch parts[2].map(\.asciiLowercased) {
    case [UInt8(ascii: "q")]:
      let text = parts[3].map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
      bytes = text[...].unescapingHex(after: UInt8(ascii: "="))
    case [UInt8(ascii: "b")]: bytes = base64(parts[3])
    default: bytes = nil
    }
    return bytes.map { (Word(encoding: encoding, bytes: $0), parts[4].startIndex + 1) }
  }

  private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var (buffer, bits) = (UInt32(0), 0)
    for byte in text where byte != UInt8(ascii: "=") && !byte.isASCIISpace {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return nil
      }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    return result
  }
}
