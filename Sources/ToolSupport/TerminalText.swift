/// Escapes untrusted bytes for a terminal as they arrive. Lines stay; controls and invalid UTF-8 become `\\u{1B}` and
/// `\\xFF`.
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
