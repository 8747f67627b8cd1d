/// Bytes from outside on their way to a terminal: text with its lines, and all else as what it is, such as `\\u{1B}` and `\\xFF`.
public struct TerminalText {
  /// A character of which not all bytes have come.
  private var begun: [UInt8] = []

  /// For bytes from their beginning on.
  public init() {}

  /// The next bytes as they are shown.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    begun += bytes
    let count = begun.count - Self.openCount(of: begun)
    defer { begun.removeFirst(count) }
    return Self.shown(Array(begun[..<count]))
  }

  /// What is left at the end.
  public mutating func finish() -> [UInt8] {
    defer { begun = [] }
    return Self.shown(begun)
  }

  private static func shown(_ bytes: [UInt8]) -> [UInt8] { Array(Humane.visibleLines(RawArgument.string(bytes)).utf8) }

  /// How many bytes at the end are the beginning of a character of UTF-8.
  private static func openCount(of bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
