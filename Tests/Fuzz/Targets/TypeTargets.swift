import FuzzRuns

@testable import XDnD

extension FuzzTarget {
  static let types = [
    FuzzTarget("mime-types", run: readTypes),
    FuzzTarget("negotiation", longest: 4096, run: negotiate),
    FuzzTarget("type-database", budget: 3, run: readDatabases),
    FuzzTarget("globs", longest: 512, budget: nil, run: matchGlobs),
    FuzzTarget("signatures", longest: 1024, budget: nil, run: readSignatures),
  ]

  /// The normalised form of a type is its own, and means the same.
  private static func readTypes(_ input: Input) {
    let name = input.text
    let type = ContentType(name)
    let canonical = input.planted(type.canonical, in: Array(type.canonical.utf8)) { $0 + " " }
    let copy = ContentType(canonical)
    expect(copy.canonical == canonical, "\(name.debugDescription): \(canonical) became \(copy.canonical)")
    expect(copy == type && type.covers(type), "\(name.debugDescription) is not itself")
    expect(type.essence.essence == type.essence, "\(type.essence) has parameters")
    expect(type.hasParameters(of: type.essence), "\(type) is not \(type.essence)")
    for (index, parameter) in MIMESyntax.parameters(in: name).enumerated() where index < 3 {
      expect(!parameter.name.isEmpty, "\(name.debugDescription) has a parameter without a name")
    }
    _ = (type.parameter("charset"), TextEncoding(impliedBy: type), WireName.of(type)?.role, type.atomName.isValid)
    _ = (PlainText.reads(type), FileList.reads(type), StyledText.reads(type), ContactCard.reads(type), type.synonyms)
    expect(TypeDatabase.builtIn.conforms(type, to: type), "\(type) does not conform to itself")
  }

  /// Types of a source and a target, one on each line. Each offered type is a candidate once, the exact ones first.
  private static func negotiate(_ input: Input) {
    let halves = input.bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let lists = halves.map { $0.split(separator: 0x0A).map { ContentType(String(decoding: $0, as: UTF8.self)) } }
    let (wanted, offered) = (Array((lists.first ?? []).prefix(8)), Array((lists.count > 1 ? lists[1] : []).prefix(64)))
    let negotiation = Negotiation(wanted: wanted, offered: offered)
    var seen: Set<AtomName> = []
    for candidate in negotiation.candidates {
      expect(seen.insert(candidate.offered.atomName).inserted, "\(candidate.offered) is a candidate twice")
      expect(
        offered.contains { $0.atomName == candidate.offered.atomName } && wanted.contains(candidate.wanted),
        "\(candidate) is of neither side")
      let relation = input.isPlanted && candidate.relation == .synonym && seen.count == 3 ? .exact : candidate.relation
      expect(
        (relation == .exact) == (candidate.offered == candidate.wanted), "\(candidate.offered) for \(candidate.wanted)")
    }
    for type in wanted.prefix(1) where !type.isWildcard && offered.contains(type) {
      expect(negotiation.best?.offered == type, "\(negotiation.best.debugDescription) before \(type)")
    }
    expect(negotiation.explain().count >= offered.count, "not all is explained")
    _ = negotiation.fetchable
    let offer = DropOffer(wanted, operations: [.move, .link])
    let operations = offered.prefix(3).map { DragOperation(name: $0.atomName) }
    let content = OfferedContent(types: offered, operations: operations)
    for requested in [nil, DragOperation.move, .ask, operations.first] {
      guard let operation = offer.proposal(accepting: content, requested: requested).operation else { continue }
      expect(content.permits(operation, requested: requested), "\(operation) for \(requested.debugDescription)")
    }
    _ = offer.mayReadFiles(among: offered)
  }

  /// Files of a type database, with NUL between them.
  private static func readDatabases(_ input: Input) {
    let parts = input.bytes.split(separator: 0, maxSplits: 6, omittingEmptySubsequences: false).map(Array.init)
    func part(_ index: Int) -> [UInt8] { parts.indices.contains(index) ? parts[index] : [] }
    let types = TypeDatabase([
      .init(aliases: part(0), subclasses: part(1), globs2: part(2)),
      .init(aliases: part(3), subclasses: part(4), globs2: part(5)),
    ])
    let found = types.types(forFileName: part(6))
    expect(Set(found).count == found.count, "\(found)")
    let listed = (MIMEInfo.pairs(in: part(0)) + MIMEInfo.pairs(in: part(1))).prefix(3).flatMap { [$0.0, $0.1] }
    for type in found.prefix(3) + listed {
      let supertypes = input.planted(types.supertypes(of: type), in: Array(type.name.utf8)) { $0 + [type, type] }
      expect(Set(supertypes).count == supertypes.count && supertypes.count <= 256, "\(type) is below \(supertypes)")
      expect(types.conforms(type, to: type), "\(type) does not conform to itself")
      for other in supertypes.prefix(4) {
        expect(types.conforms(type, to: other), "\(type) does not conform to \(other)")
      }
      let canonical = types.canonical(type)
      expect(types.canonical(canonical) == canonical, "\(type) is \(canonical)")
      expectName(Clipping.name(for: type, suggestedName: nil, fallbackName: "x", database: types))
    }
  }

  // MARK: Globs

  /// Matches as a definition says, with all the time in the world.
  private static func isMatch(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case UInt8(ascii: "*"): return isMatch(rest, name) || (!name.isEmpty && isMatch(pattern, name.dropFirst()))
    case UInt8(ascii: "?"): return !name.isEmpty && isMatch(rest, name.dropFirst())
    case UInt8(ascii: "\\"):
      let byte = rest.first ?? first
      return name.first == byte && isMatch(rest.dropFirst(), name.dropFirst())
    default: return name.first == first && isMatch(rest, name.dropFirst())
    }
  }

  /// Globs without brackets, compared with the definition.
  private static func matchGlobs(_ input: Input) {
    let parts = input.bytes.split(separator: 0, maxSplits: 1).map(Array.init)
    guard let pattern = parts.first else { return }
    let name = parts.count > 1 ? parts[1] : []
    let isFound = GlobPattern(pattern).matches(name)
    guard pattern.count <= 12, name.count <= 16, !pattern.contains(UInt8(ascii: "[")) else { return }
    let isExpected = isMatch(pattern[...], name[...])
    let isPlanted = input.isPlanted && isFound && pattern.count > 4 && pattern.count { $0 == UInt8(ascii: "?") } == 3
    expect(isFound == isExpected && !isPlanted, "\(pattern) and \(name)")
  }

  /// A file that begins with a signature has its type, and text is UTF-8.
  private static func readSignatures(_ input: Input) {
    let head = Array(input.bytes.prefix(FileSignature.length))
    var type = FileSignature.type(of: head)
    if input.isPlanted, type == .png, head.count > 40 { type = "text/plain" }
    guard let type else { return }
    if type == "text/plain" {
      expect(!head.contains(0), "\(head) is text")
    } else {
      expect(FileSignature.identifies(type), "\(type) has no signature")
    }
  }
}
