/// A lenient parser with size limits for the text files of the shared MIME-info database.
enum MIMEInfo {
  /// One line of `globs2`.
  struct Glob: Sendable {
    var type: ContentType
    var weight: Int
    /// In lower case, unless the glob is case-sensitive.
    var pattern: [UInt8]
    var isCaseSensitive: Bool
  }

  /// Limits for hostile files. The real ones have 36 kB and 1200 lines.
  static let byteLimit = 4 << 20
  static let lineLimit = 50_000
  private static let lengthLimit = 512
  private static let patternLimit = 255

  /// Returns the pairs of types in a file, in file order.
  static func pairs(in bytes: [UInt8]) -> [(ContentType, ContentType)] {
    lines(of: bytes).compactMap { line in
      let (first, rest) = word(in: line)
      let (second, end) = word(in: rest)
      guard word(in: end).word.isEmpty, let first = type(first), let second = type(second) else { return nil }
      return (first, second)
    }
  }

  /// Returns the globs of a file, and the types whose globs in less important directories are discarded.
  ///
  /// `__NOGLOBS__` precedes the globs of its type, and does not discard the globs in its own file.
  static func globs(in bytes: [UInt8]) -> (globs: [Glob], discarded: Set<ContentType>) {
    var globs: [Glob] = []
    var discarded: Set<ContentType> = []
    for line in lines(of: bytes) {
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count >= 3, let type = type(fields[1]), !fields[2].isEmpty else { continue }
      guard !fields[2].elementsEqual("__NOGLOBS__".utf8) else {
        discarded.insert(type)
        continue
      }
      guard let weight = Int(String(decoding: fields[0], as: UTF8.self)), (0...1000).contains(weight),
        fields[2].count <= patternLimit
      else { continue }
      // Additional fields and unknown flags are reserved for later versions.
      let flags = fields.count > 3 ? fields[3].split(separator: UInt8(ascii: ",")) : []
      let isCaseSensitive = flags.contains { $0.elementsEqual("cs".utf8) }
      let pattern = isCaseSensitive ? Array(fields[2]) : fields[2].map(\.asciiLowercased)
      globs.append(Glob(type: type, weight: weight, pattern: pattern, isCaseSensitive: isCaseSensitive))
    }
    return (globs, discarded)
  }

  /// Whether a file has globs for a type, without parsing it.
  static func hasGlobs(of type: ContentType, in bytes: [UInt8]) -> Bool {
    let name = Array(type.canonical.utf8)
    let colon = UInt8(ascii: ":")
    return lines(of: bytes).contains { line in
      guard let begin = line.firstIndex(of: colon), begin > line.startIndex else { return false }
      let field = line[(begin + 1)...].prefix { $0 != colon }
      return field.elementsEqual(name) && field.endIndex + 1 < line.endIndex
    }
  }

  private static func lines(of bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
    bytes.prefix(byteLimit).split(separator: 0x0A, maxSplits: lineLimit).prefix(lineLimit).lazy
      .map { $0.last == 0x0D ? $0.dropLast() : $0 }
      .filter { !$0.isEmpty && $0.first != UInt8(ascii: "#") && $0.count <= lengthLimit }
  }

  /// Returns the first word of a line and the rest of the line.
  private static func word(in line: ArraySlice<UInt8>) -> (word: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    let space = UInt8(ascii: " ")
    let begin = line.firstIndex { $0 != space } ?? line.endIndex
    let end = line[begin...].firstIndex(of: space) ?? line.endIndex
    return (line[begin..<end], line[end...])
  }

  private static func type(_ word: ArraySlice<UInt8>) -> ContentType? {
    guard !word.contains(where: MIMESyntax.isIrregular) else {
      let type = ContentType(String(decoding: word, as: UTF8.self))
      guard type.isMIME, type.type != "", type.subtype != "", !type.isWildcard, !type.hasParameters else { return nil }
      return type
    }
    // The fast path for nearly all names: the first query is made during a drag.
    guard let slash = word.firstIndex(of: UInt8(ascii: "/")), slash > word.startIndex, slash + 1 < word.endIndex,
      !word.suffix(2).elementsEqual("/*".utf8)
    else { return nil }
    return ContentType(canonical: String(decoding: word, as: UTF8.self))
  }
}
