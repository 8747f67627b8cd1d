/// An index from file names to types.
///
/// Almost all of the 1200 globs of the shared MIME-info database are literal names or `*.suffix`; those are found by
/// hash lookup.
struct GlobTable: Sendable {
  private struct Row: Sendable {
    var glob: MIMEInfo.Glob
    var isLiteral: Bool
    /// The position in the files, which breaks ties.
    var number: Int
  }

  private var rows: [Row] = []
  /// By lower-case name. Case is checked after the lookup.
  private var literals: [ArraySlice<UInt8>: [Int]] = [:]
  private var suffixes: [ArraySlice<UInt8>: [Int]] = [:]
  private var patterns: [(pattern: GlobPattern, row: Int)] = []
  private var longestSuffix = 0
  private var rowsByType: [ContentType: [Int]] = [:]

  /// The maximum number of full patterns, which are matched one by one. The shared MIME-info database has about ten.
  private static let patternLimit = 1000
  /// The longest file name on Linux, in bytes.
  private static let nameLimit = 255

  /// - Parameter files: The `globs2` files, most important first.
  init(_ files: [[UInt8]]) {
    var discarded: Set<ContentType> = []
    var known: [ContentType: Set<[UInt8]>] = [:]
    for file in files {
      let (globs, discards) = MIMEInfo.globs(in: file)
      for glob in globs where !discarded.contains(glob.type) {
        // For old readers, the file repeats each glob with the flag `cs` in a line without it. The first line decides,
        // also among several files.
        let key = glob.pattern.map(\.asciiLowercased)
        if known[glob.type, default: []].insert(key).inserted { add(glob, key: key) }
      }
      discarded.formUnion(discards)
    }
  }

  private mutating func add(_ glob: MIMEInfo.Glob, key: [UInt8]) {
    let number = rows.count
    let isLiteral = !glob.pattern.contains(where: GlobPattern.isSpecial)
    if isLiteral {
      literals[key[...], default: []].append(number)
    } else if glob.pattern.first == UInt8(ascii: "*"), !glob.pattern.dropFirst().contains(where: GlobPattern.isSpecial)
    {
      suffixes[key.dropFirst(), default: []].append(number)
      longestSuffix = max(longestSuffix, key.count - 1)
    } else {
      guard patterns.count < Self.patternLimit else { return }
      patterns.append((GlobPattern(glob.pattern), number))
    }
    rows.append(Row(glob: glob, isLiteral: isLiteral, number: number))
    rowsByType[glob.type, default: []].append(number)
  }

  /// Returns the types of a file, most likely first, in groups that only the content can tell apart.
  ///
  /// The order: literal names before patterns, then weight, pattern length, and case sensitivity.
  func types(forFileName name: [UInt8]) -> [[ContentType]] {
    let name = Array((name.split(separator: UInt8(ascii: "/")).last ?? []).suffix(Self.nameLimit))
    let folded = name.map(\.asciiLowercased)
    var hits = literals[folded[...]] ?? []
    for start in folded.indices.suffix(longestSuffix) { hits += suffixes[folded[start...]] ?? [] }
    hits += suffixes[[]] ?? []
    var found = hits.map { rows[$0] }.filter { Self.matchesCase($0, name) }
    for (pattern, row) in patterns where pattern.matches(rows[row].glob.isCaseSensitive ? name : folded) {
      found.append(rows[row])
    }
    found.sort { Self.rank($0) == Self.rank($1) ? $0.number < $1.number : Self.rank($0) > Self.rank($1) }
    var groups: [[ContentType]] = []
    var last: (Int, Int, Int, Int)?
    var seen: Set<ContentType> = []
    for row in found {
      guard seen.insert(row.glob.type).inserted else { continue }
      let rank = Self.rank(row)
      if let last, last == rank {
        groups[groups.count - 1].append(row.glob.type)
      } else {
        groups.append([row.glob.type])
      }
      last = rank
    }
    return groups
  }

  private static func rank(_ row: Row) -> (Int, Int, Int, Int) {
    (row.isLiteral ? 1 : 0, row.glob.weight, row.glob.pattern.count, row.glob.isCaseSensitive ? 1 : 0)
  }

  private static func matchesCase(_ row: Row, _ name: [UInt8]) -> Bool {
    guard row.glob.isCaseSensitive else { return true }
    return name.suffix(row.glob.pattern.count - (row.isLiteral ? 0 : 1))
      .elementsEqual(row.isLiteral ? row.glob.pattern[...] : row.glob.pattern.dropFirst())
  }

  func hasPatterns(for type: ContentType) -> Bool { rowsByType[type] != nil }

  /// Returns the extensions of a type without the dot, by decreasing weight.
  func extensions(of type: ContentType) -> [String] {
    (rowsByType[type] ?? []).map { rows[$0].glob }
      .filter { $0.pattern.starts(with: "*.".utf8) && !$0.pattern.dropFirst().contains(where: GlobPattern.isSpecial) }
      .enumerated()
      .sorted { $0.element.weight == $1.element.weight ? $0.offset < $1.offset : $0.element.weight > $1.element.weight }
      .map { String(decoding: $0.element.pattern.dropFirst(2), as: UTF8.self) }
  }
}

/// A pattern as for `fnmatch`, matched byte by byte.
struct GlobPattern: Sendable {
  private enum Element: Sendable {
    case byte(UInt8)
    case anyByte
    case anything
    case oneOf(SIMD4<UInt64>)
  }

  private var elements: [Element] = []

  static func isSpecial(_ byte: UInt8) -> Bool { "*?[\\".utf8.contains(byte) }

  init(_ pattern: [UInt8]) {
    var rest = pattern[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): elements.append(.anything)
      case UInt8(ascii: "?"): elements.append(.anyByte)
      case UInt8(ascii: "["): elements.append(Self.bracket(&rest).map(Element.oneOf) ?? .byte(byte))
      case UInt8(ascii: "\\"): elements.append(.byte(rest.popFirst() ?? byte))
      default: elements.append(.byte(byte))
      }
    }
  }

  /// Parses and removes a bracket expression; without a closing bracket, returns `nil` and removes nothing.
  private static func bracket(_ rest: inout ArraySlice<UInt8>) -> SIMD4<UInt64>? {
    var inside = rest
    let isNegated = inside.first == UInt8(ascii: "!") || inside.first == UInt8(ascii: "^")
    if isNegated { inside.removeFirst() }
    var set = SIMD4<UInt64>()
    var isFirst = true
    while let low = inside.popFirst() {
      // A closing bracket directly after the opening one is a literal.
      if low == UInt8(ascii: "]"), !isFirst {
        rest = inside
        return isNegated ? ~set : set
      }
      isFirst = false
      var high = low
      if inside.first == UInt8(ascii: "-"), let bound = inside.dropFirst().first, bound != UInt8(ascii: "]") {
        high = bound
        inside = inside.dropFirst(2)
      }
      guard low <= high else { continue }
      for byte in low...high { set[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    }
    return nil
  }

  /// Backtracks only to the last `*`, so the time is bounded by the product of the lengths.
  func matches(_ name: [UInt8]) -> Bool {
    var element = 0
    var index = 0
    var star: (element: Int, index: Int)?
    while index < name.count {
      if element < elements.count, case .anything = elements[element] {
        star = (element, index)
        element += 1
      } else if element < elements.count, Self.matches(elements[element], name[index]) {
        element += 1
        index += 1
      } else if let last = star {
        star = (last.element, last.index + 1)
        element = last.element + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { if case .anything = $0 { true } else { false } }
  }

  private static func matches(_ element: Element, _ byte: UInt8) -> Bool {
    switch element {
    case .byte(let expected): byte == expected
    case .anyByte, .anything: true
    case .oneOf(let set): set[Int(byte >> 6)] & 1 << UInt64(byte & 63) != 0
    }
  }
}
