import XDnDToolSupport

/// The end of what a command has written, for display.
struct OutputTail {
  /// The maximum length in bytes.
  static let limit = 64 << 10

  private var bytes: [UInt8] = []
  private var isCut = false

  mutating func append(_ part: some Collection<UInt8>) {
    bytes += part
    guard bytes.count > Self.limit else { return }
    bytes.removeFirst(bytes.count - Self.limit)
    isCut = true
  }

  /// The text from the first whole line on, with control characters escaped.
  var text: String {
    var shown = bytes[...]
    if isCut {
      // A line that is longer than the limit begins within itself, but not within a character.
      let line = shown.firstIndex(of: UInt8(ascii: "\n")).map { shown[($0 + 1)...] }
      shown = line ?? shown.drop { $0 & 0xC0 == 0x80 }
    }
    return Formatting.visibleLines(RawArgument.string(Array(shown)))
  }
}
