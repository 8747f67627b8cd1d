import XDnDFiles

/// Command line arguments as bytes.
///
/// File names need not be UTF-8, but the argument parser takes strings only. So each byte that is not part of valid
/// UTF-8 becomes a private-use scalar, which is converted back where the argument is used.
package enum RawArgument {
  /// The scalar for byte 0; bytes from 0x80 on are mapped.
  private static let base: UInt32 = 0x10FF00
  private static let escapes: ClosedRange<UInt32> = (base + 0x80)...(base + 0xFF)

  package static var all: [String] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().compactMap {
      $0.map { string([UInt8](cString: $0)) }
    }
  }

  /// Returns the string for bytes: identical for UTF-8, otherwise with escape scalars.
  package static func string(_ bytes: [UInt8]) -> String {
    var result = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    func escape(_ count: Int) {
      result.append(contentsOf: bytes[index..<(index + count)].compactMap { Unicode.Scalar(base + UInt32($0)) })
      index += count
    }
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        // An escape scalar in the input is escaped byte by byte, so that it is preserved.
        if escapes.contains(scalar.value) {
          escape(encoded.count)
        } else {
          result.append(scalar)
          index += encoded.count
        }
      case .error(let length): escape(length)
      case .emptyInput: return String(result)
      }
    }
  }

  /// Returns the original bytes of a string.
  package static func bytes(of string: some StringProtocol) -> [UInt8] {
    string.unicodeScalars.flatMap { byte(of: $0).map { [$0] } ?? Array(String($0).utf8) }
  }

  /// The byte that a scalar stands for; `nil` if it is not an escape.
  static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    escapes.contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }
}

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
