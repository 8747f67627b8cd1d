import Glibc

/// The default arguments of a tool, from an environment variable: `XDND_SOURCE_OPTIONS='--on-top --timeout 60'`.
struct DefaultArguments: Equatable {
  /// The variable's name.
  let name: String
  /// The arguments in the variable.
  let words: [String]

  /// A syntax error in the variable.
  struct Mistake: Error, Equatable {
    let sentence: String
  }

  /// Reads the variable of a tool: `XDND_SOURCE_OPTIONS` for `xdnd-source`.
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

  /// Splits text into words as a shell does, but without expansions. White space separates words, quotes group them,
  /// and a backslash escapes the next byte, except within single quotes.
  static func words(of text: [UInt8]) throws(Mistake) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var quote: UInt8?
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch (byte, quote) {
      case (UInt8(ascii: "\\"), nil), (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
        guard let next = rest.next() else { throw Mistake(sentence: "backslash at the end") }
        // Within double quotes, a backslash escapes only a double quote or a backslash.
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
    guard quote == nil else { throw Mistake(sentence: "unterminated quote") }
    return words + (word.map { [$0] } ?? [])
  }
}
