/// Quotes words for a shell.
package enum ShellWord {
  /// Quotes a word for display on a terminal. Terminal controls are escaped in `$'…'`, which bash, ksh and zsh
  /// understand, and POSIX since 2024.
  package static func visible(_ bytes: [UInt8]) -> [UInt8] {
    let text = RawArgument.string(bytes)
    guard Formatting.visible(text, limit: nil) != text else { return quoted(bytes) }
    let inner = text.unicodeScalars.flatMap { scalar -> [UInt8] in
      switch scalar {
      case "'", "\\": return [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case _ where Formatting.visible(String(scalar), limit: nil) != String(scalar):
        // Always three octal digits, so that a digit of the text is not taken for one of them.
        return RawArgument.bytes(of: String(scalar)).flatMap { byte in
          let digits = String(byte, radix: 8)
          return Array(("\\" + String(repeating: "0", count: 3 - digits.count) + digits).utf8)
        }
      default: return Array(String(scalar).utf8)
      }
    }
    return Array("$'".utf8) + inner + [UInt8(ascii: "'")]
  }

  /// Quotes bytes, none of which may be NUL, as one word of a POSIX shell.
  package static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.isEmpty || !bytes.allSatisfy(isPlain) else { return bytes }
    let quote = UInt8(ascii: "'")
    // A quote ends the quoted part, follows escaped by a backslash, and starts the next quoted part.
    return [quote] + bytes.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }

  /// Whether a byte has no special meaning to a shell in any position.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_@%+:,./-".utf8.contains(byte)
    }
  }
}
