/// The code of one line, without comments and without the contents of string literals.
struct CodeLine: Sendable {
  enum Opening: Sendable {
    case documentation, attribute, other
  }

  /// Its identifiers and keywords in order. An attribute is one word, with its `@` and without its arguments; a member has
  /// its dot.
  let words: [String]
  let isIndented: Bool
  /// What the line begins with.
  let opening: Opening

  /// Reads the line `source[range]`, and appends its code.
  init(_ source: [UInt8], _ range: Range<Int>, code: inout [UInt8]) {
    let start = code.count
    Self.appendCode(of: source, range, to: &code)
    words = Self.words(of: code, from: start)
    isIndented = start < code.count && code[start] == Self.space
    opening = Self.opening(of: source, range)
  }

  /// Whether a word can be the name of a type at the outermost level.
  static func isCapitalized(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    return first >= upperA && first <= upperZ
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

  /// The name of the type that the line extends, if it begins with `extension`.
  var extendedType: String? { words.count > 1 && words[0] == "extension" ? words[1] : nil }

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
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")
  private static let at = UInt8(ascii: "@")
  private static let dot = UInt8(ascii: ".")
  private static let openingParenthesis = UInt8(ascii: "(")
  private static let closingParenthesis = UInt8(ascii: ")")
  private static let upperA = UInt8(ascii: "A")
  private static let upperZ = UInt8(ascii: "Z")

  /// For each byte, whether it is part of a word. A look-up, because matching ranges takes most of the time in a debug
  /// build.
  private static let isPartOfWord: [Bool] = (0...255).map { byte in
    byte >= 0x80 || "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_".utf8.contains(UInt8(byte))
  }

  private static func opening(of source: [UInt8], _ range: Range<Int>) -> Opening {
    var index = range.lowerBound
    while index < range.upperBound, source[index] == space || source[index] == tab { index += 1 }
    guard index < range.upperBound else { return .other }
    if source[index] == at { return .attribute }
    let isDocumentation =
      index + 2 < range.upperBound && source[index] == slash && source[index + 1] == slash && source[index + 2] == slash
    return isDocumentation ? .documentation : .other
  }

  private static func appendCode(of source: [UInt8], _ range: Range<Int>, to code: inout [UInt8]) {
    let (quote, slash, end) = (Self.quote, Self.slash, range.upperBound)
    var index = range.lowerBound
    while index < end {
      let byte = source[index]
      if byte == slash, index + 1 < end, source[index + 1] == slash { break }
      if byte == quote, let close = endOfLiteral(in: source, from: index, before: end) {
        code.append(quote)
        code.append(quote)
        index = close + 1
      } else {
        code.append(byte)
        index += 1
      }
    }
  }

  /// Where the literal that begins at `start` has its closing quote; `nil` when it goes on in the next line.
  private static func endOfLiteral(in source: [UInt8], from start: Int, before end: Int) -> Int? {
    var index = start + 1
    while index < end {
      if source[index] == quote { return index }
      index += source[index] == backslash ? 2 : 1
    }
    return nil
  }

  private static func words(of code: [UInt8], from start: Int) -> [String] {
    let (isPartOfWord, at, dot) = (Self.isPartOfWord, Self.at, Self.dot)
    let end = code.count
    var words: [String] = []
    var index = start
    while index < end {
      let byte = code[index]
      let isPrefix = byte == at || byte == dot
      let start = index
      index += 1
      guard isPrefix || isPartOfWord[Int(byte)] else { continue }
      while index < end, isPartOfWord[Int(code[index])] { index += 1 }
      if isPrefix, index == start + 1 { continue }
      words.append(String(decoding: code[start..<index], as: UTF8.self))
      if byte == at, index < end, code[index] == openingParenthesis {
        while index < end, code[index] != closingParenthesis { index += 1 }
      }
    }
    return words
  }
}
