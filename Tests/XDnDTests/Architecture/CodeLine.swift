/// The code of one line, without comments and without the contents of string literals.
struct CodeLine: Sendable {
  /// What is left of the line.
  let text: String
  /// Its identifiers and keywords in order. An attribute is one word, with its `@` and without its arguments; a member has
  /// its dot.
  let words: [String]
  let isIndented: Bool

  init(_ line: String) {
    let bytes = Self.withoutLiterals(Array(line.utf8))
    text = String(decoding: bytes, as: UTF8.self)
    words = Self.words(of: bytes)
    isIndented = bytes.first == UInt8(ascii: " ")
  }

  /// Whether a word can be the name of a type at the outermost level.
  static func isCapitalized(_ word: String) -> Bool {
    word.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
  }

  // MARK: Declarations

  private static let access: Set<String> = ["public", "internal", "package", "private", "fileprivate"]
  private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
  private static let importKinds: Set<String> = kinds.union(["func", "var", "let"])
  private static let modifiers: Set<String> = ["public", "internal", "package", "final", "indirect", "nonisolated"]

  /// The module that the line imports, if it does.
  var importedModule: String? {
    guard let rest = words(after: Self.access), rest.first == "import" else { return nil }
    return rest.dropFirst().first { !Self.importKinds.contains($0) }
  }

  /// The name of the type that the line declares, if it does and others can name it.
  var declaredType: String? {
    guard let rest = words(after: Self.modifiers), let kind = rest.first, Self.kinds.contains(kind) else { return nil }
    return rest.dropFirst().first
  }

  /// Whether the line begins a public declaration that needs a documentation comment.
  var declaresPublicly: Bool {
    guard let rest = words(after: []), rest.first == "public", let next = rest.dropFirst().first else { return false }
    return next != "extension" && next != "import"
  }

  /// The words after all attributes and the modifiers given.
  private func words(after modifiers: Set<String>) -> ArraySlice<String>? {
    words.firstIndex { !$0.hasPrefix("@") && !modifiers.contains($0) }.map { words[$0...] }
  }

  // MARK: Scanning

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let slash = UInt8(ascii: "/")

  private static func withoutLiterals(_ line: [UInt8]) -> [UInt8] {
    guard line.contains(quote) || line.contains(slash) else { return line }
    var code: [UInt8] = []
    var index = 0
    while index < line.count {
      let byte = line[index]
      if byte == slash, index + 1 < line.count, line[index + 1] == slash { break }
      if byte == quote, let end = endOfLiteral(in: line, from: index) {
        code += [quote, quote]
        index = end + 1
      } else {
        code.append(byte)
        index += 1
      }
    }
    return code
  }

  /// Where the literal that begins at `start` has its closing quote; `nil` when it goes on in the next line.
  private static func endOfLiteral(in line: [UInt8], from start: Int) -> Int? {
    var index = start + 1
    while index < line.count {
      if line[index] == quote { return index }
      index += line[index] == backslash ? 2 : 1
    }
    return nil
  }

  private static func words(of code: [UInt8]) -> [String] {
    var words: [String] = []
    var index = 0
    while index < code.count {
      let start = index
      if code[index] == UInt8(ascii: "@") || code[index] == UInt8(ascii: ".") { index += 1 }
      while index < code.count, isPartOfWord(code[index]) { index += 1 }
      guard index > start, isPartOfWord(code[index - 1]) else {
        index = max(index, start + 1)
        continue
      }
      words.append(String(decoding: code[start..<index], as: UTF8.self))
      if code[start] == UInt8(ascii: "@"), index < code.count, code[index] == UInt8(ascii: "(") {
        index = code[index...].firstIndex(of: UInt8(ascii: ")")) ?? code.count
      }
    }
    return words
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
