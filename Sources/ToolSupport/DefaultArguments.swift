import Glibc

/// What is always to be said to a tool, as an environment variable has it: `XDND_SOURCE_OPTIONS='--on-top --timeout 60'`.
struct DefaultArguments: Equatable {
  /// The variable.
  let name: String
  /// What it holds, as arguments.
  let words: [String]

  /// Why a variable cannot be read.
  struct Mistake: Error, Equatable {
    let sentence: String
  }

  /// Those of a tool: `xdnd-source` has `XDND_SOURCE_OPTIONS`.
  init(of tool: String) throws(Mistake) {
    let name = String(tool.uppercased().map { $0 == "-" ? "_" : $0 }) + "_OPTIONS"
    try self.init(
      name: name, value: getenv(name).map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) } ?? [])
  }

  private init(name: String, value: [CChar]) throws(Mistake) {
    self.name = name
    do {
      words = try Self.words(of: value.map(UInt8.init(bitPattern:))).map(RawArgument.string)
    } catch {
      throw Mistake(sentence: "\(name): \(error.sentence)")
    }
  }

  /// Splits as a shell does, and expands nothing: spaces separate, quotes hold together, a backslash takes the meaning
  /// from what follows it, which between single quotes it does not.
  static func words(of text: [UInt8]) throws(Mistake) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var quote: UInt8?
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch (byte, quote) {
      case (UInt8(ascii: "\\"), nil), (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
        guard let next = rest.next() else { throw Mistake(sentence: "nothing follows the last backslash") }
        // Between double quotes it is itself unless it takes a meaning away.
        let isEscape = quote == nil || next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
        word = (word ?? []) + (isEscape ? [next] : [byte, next])
      case (_, byte): quote = nil
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil):
        quote = byte
        word = word ?? []
      case (0x20, nil), (0x09, nil), (0x0A, nil):
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? []) + [byte]
      }
    }
    guard quote == nil else { throw Mistake(sentence: "a quote is not closed") }
    return words + (word.map { [$0] } ?? [])
  }
}
