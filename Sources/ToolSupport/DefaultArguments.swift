import XDnDFiles

/// The default arguments of a tool, from an environment variable: `XDND_SOURCE_OPTIONS='--on-top --timeout 60'`.
struct DefaultArguments {
  struct Mistake: Error {
    let sentence: String
  }

  let variable: String

  init(of tool: String) { variable = tool.uppercased().replacing("-", with: "_") + "_OPTIONS" }

  var words: [String] {
    get throws(Mistake) { try Self.words(of: [UInt8].environment(variable) ?? []).map(RawArgument.string) }
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
