import XDnDJSONText
package import XDnDToolWindow

// Text from other programs, for a terminal, a window or a shell.

extension Formatting {
  /// Returns an untrusted name on one line, with terminal controls escaped: `a\nb`, `\u{1B}[31m`, `\xFF`. Names longer
  /// than ``LabelLimit/sentence`` are cut in the middle.
  package static func visible(_ name: some StringProtocol) -> String { visible(name, limit: .sentence) }

  /// Like ``visible(_:)``, with another limit; `nil` for the whole name.
  package static func visible(_ name: some StringProtocol, limit: LabelLimit?) -> String {
    escaped(limit.map { name.clipped(to: $0) } ?? String(name), keeping: [])
  }

  /// Returns an untrusted text like ``visible(_:limit:)``, but complete and with its line breaks and tabs.
  package static func visibleLines(_ text: some StringProtocol) -> String {
    escaped(String(text), keeping: ["\n", "\t"])
  }

  private static func escaped(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
    // The fast path for printable ASCII.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    func hexadecimal(_ number: some BinaryInteger) -> String { String(number, radix: 16, uppercase: true) }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where kept.contains(scalar): result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isControl: result += "\\u{\(hexadecimal(scalar.value))}"
      default:
        if let byte = RawArgument.byte(of: scalar) {
          result += "\\x\(hexadecimal(byte))"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}

/// Escapes untrusted bytes for a terminal as they arrive. Line breaks and tabs stay; other controls and invalid UTF-8
/// become `\u{1B}` and `\xFF`.
package struct TerminalText {
  /// The first bytes of an incomplete UTF-8 character.
  private var begun: [UInt8] = []

  package init() {}

  package mutating func append(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    begun += bytes
    let count = begun.count - Self.openCount(of: begun)
    defer { begun.removeFirst(count) }
    return Self.shown(Array(begun[..<count]))
  }

  /// Returns the escaped form of an incomplete character at the end.
  package mutating func finish() -> [UInt8] {
    defer { begun = [] }
    return Self.shown(begun)
  }

  private static func shown(_ bytes: [UInt8]) -> [UInt8] {
    Array(Formatting.visibleLines(RawArgument.string(bytes)).utf8)
  }

  /// The number of bytes at the end that begin an incomplete UTF-8 character.
  private static func openCount(of bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}

package enum ShellWord {
  /// Quotes a word for display on a terminal. Terminal controls are escaped in `$'…'`, which bash, ksh and zsh
  /// understand and POSIX.1-2024 specifies.
  package static func visible(_ bytes: [UInt8]) -> [UInt8] {
    let text = RawArgument.string(bytes)
    guard Formatting.visible(text, limit: nil) != text else { return quoted(bytes) }
    let inner = text.unicodeScalars.flatMap { scalar -> [UInt8] in
      switch scalar {
      case "'", "\\": return [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case _ where Formatting.visible(String(scalar), limit: nil) != String(scalar):
        // Always three octal digits, so that a digit that follows in the text is not read as part of the escape.
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
    // A quote becomes `'\''`: the end of the quoted part, an escaped quote, and the start of the next part.
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
