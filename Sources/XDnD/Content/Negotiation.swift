/// Ranks the types that a source offers by how well they serve a target's accepted types.
///
/// Each of these rules decides only where the earlier ones do not:
///
/// 1. The target's preferred type comes first.
/// 2. The exact type comes before another name for the same content (``Relation/synonym``, ``Relation/alias``), which
///    comes before a subtype (``Relation/conformance``).
/// 3. Among the names of text, the one with the greatest fidelity comes first: `UTF8_STRING` before `STRING`.
/// 4. Under a wildcard, displayable content comes first: pages, images, links, colours, file lists. Then follow
///    documents of known types; then plain text, as a flattened form of the same content; then formats of a single
///    program or toolkit; then bytes of unknown type and X targets.
/// 5. A lossless charset comes before a lossy one.
/// 6. A type that differs only in parameters comes before a subtype. A subtype that the database lists comes before one
///    that conforms to `text/plain` only because all `text` does.
/// 7. The source's order decides.
///
/// Text with markup also serves a target that accepts plain text, if there is nothing better: `text/html` conforms to
/// `text/plain`. Link lists do not: a target must accept them by name. The same holds for program-internal types and
/// protocol requests such as `TARGETS`, and for entries to other protocols such as `XdndDirectSave0`.
package struct Negotiation: Sendable {
  /// How an offered type relates to an accepted one.
  package enum Relation: Int, Hashable, Sendable {
    /// Both are the same type.
    case exact
    /// A different wire name for the same content: `UTF8_STRING` for text.
    case synonym
    /// The database lists both as names of one type: `image/pjpeg` for `image/jpeg`.
    case alias
    /// The offered type is a subtype in the database, or has additional parameters: `image/svg+xml` for
    /// `application/xml`.
    case conformance
    /// The accepted type is a wildcard that covers the offered one: `image/*`.
    case wildcard
  }

  /// An offered type that the target can request.
  package struct Candidate: Hashable, Sendable {
    /// The offered type, under the source's name.
    package let offered: ContentType
    /// The accepted type that it serves, as the target states it.
    package let wanted: ContentType
    package let relation: Relation
  }

  /// The types that the target accepts, best first.
  package let wanted: [ContentType]
  /// The types that the source offers, best first, including duplicates.
  package let offered: [ContentType]
  /// The types that the target can request, best first: if one fails, try the next.
  package let candidates: [Candidate]

  let database: TypeDatabase

  /// Creates a negotiation.
  ///
  /// - Parameters:
  ///   - wanted: The types that the target accepts, best first; may contain wildcards.
  ///   - offered: The types that the source offers, best first. Only the first 1000 are considered.
  ///   - database: The database of aliases and subtypes.
  package init(wanted: [ContentType], offered: [ContentType], database: TypeDatabase = .builtIn) {
    self.wanted = wanted
    self.offered = offered
    self.database = database
    var names: Set<AtomName> = []
    // wxWidgets and tkdnd list some types twice.
    let distinct = offered.prefix(Self.offerLimit).filter { names.insert($0.atomName).inserted }
    var taken: Set<Int> = []
    var candidates: [Candidate] = []
    for wanted in wanted {
      let matcher = TypeMatcher(wanted: wanted, database: database)
      let matches = distinct.indices.filter { !taken.contains($0) }
        .compactMap { index in matcher.match(distinct[index]).map { (match: $0, index: index) } }
        .sorted { ($0.match.rank, $0.index) < ($1.match.rank, $1.index) }
      for (match, index) in matches {
        taken.insert(index)
        candidates.append(Candidate(offered: distinct[index], wanted: wanted, relation: match.relation))
      }
    }
    self.candidates = candidates
  }

  /// All offered types that can be requested, in the source's order and without duplicates, whether the target accepts
  /// them or not. Includes content and its descriptions; excludes requests to the owner and entries to other protocols.
  package var fetchable: [ContentType] {
    var names: Set<AtomName> = []
    return offered.prefix(Self.offerLimit).filter { type in
      switch WireName.of(type)?.role {
      case .request, .dialogue: false
      case .content, .proprietary, .companion, .marker, nil: names.insert(type.atomName).inserted
      }
    }
  }

  /// The type to request first; `nil` if the target accepts none.
  package var best: Candidate? { candidates.first }

  /// The maximum number of offered types to consider. Longer lists in drags and clipboards are not read to the end.
  package static let offerLimit = 1000
}

/// Compares offered types with one accepted type.
struct TypeMatcher {
  struct Match {
    var relation: Negotiation.Relation
    /// Lower is better.
    var rank: Int
  }

  private let wanted: ContentType
  private let synonyms: [ContentType]
  private let database: TypeDatabase

  init(wanted: ContentType, database: TypeDatabase) {
    self.wanted = wanted
    self.database = database
    self.synonyms = wanted.synonyms
  }

  func match(_ offered: ContentType) -> Match? {
    if offered == wanted { return Match(relation: .exact, rank: 0) }
    if wanted.isWildcard { return wildcardMatch(offered) }
    if let index = synonyms.firstIndex(of: offered) { return Match(relation: .synonym, rank: 1 + index) }
    let fidelity = Self.isLossy(offered) ? 1 : 0
    if database.canonical(offered) == database.canonical(wanted) { return Match(relation: .alias, rank: 100) }
    return conformanceDistance(of: offered).map { distance in
      let isSameEssence = offered.essence == wanted.essence
      return Match(relation: .conformance, rank: (isSameEssence ? 150 : 200 + 2 * distance) + fidelity)
    }
  }

  /// Matches a wildcard. An X target also matches by its content type: `text/*` covers `UTF8_STRING`.
  private func wildcardMatch(_ offered: ContentType) -> Match? {
    let name = WireName.of(offered)
    switch name?.role {
    case .companion, .marker, .request, .dialogue: return nil
    case .content, .proprietary, nil: break
    }
    let names = [offered, name?.content, database.canonical(offered)]
    guard names.contains(where: { $0.map(wanted.covers) ?? false }) else { return nil }
    let rank =
      if let index = WireName.textByFidelity.firstIndex(of: offered) {
        100 + index
      } else if offered.essence == WireName.text {
        200
      } else if offered.essence == .data {
        400
      } else if !offered.isMIME {
        500
      } else {
        switch Familiarity(of: offered, database) {
        case .shown: Self.isLossy(offered) ? 1 : 0
        case .known: Self.isLossy(offered) ? 51 : 50
        case .opaque: 300
        }
      }
    return Match(relation: .wildcard, rank: rank)
  }

  /// Everything conforms to `application/octet-stream`, so that type must match exactly; `*/*` matches any type.
  private func conformanceDistance(of offered: ContentType) -> Int? {
    guard wanted != .data, offered.isMIME else { return nil }
    let general = Self.meaning(of: wanted)
    // A `text` type that the table lists, but not as text, is not plain text: links in UTF-16, file lists.
    if general == WireName.text, WireName.of(offered) != nil { return nil }
    return database.distance(from: offered, to: general)
  }

  /// The type to look subtypes up for: ``ContentType/plainText`` matches `text/plain` in any charset.
  static func meaning(of wanted: ContentType) -> ContentType { wanted == .plainText ? WireName.text : wanted }

  /// Whether the charset may have lost characters. Without a charset, assumes that it has not.
  private static func isLossy(_ type: ContentType) -> Bool {
    guard let charset = type.parameter("charset") else { return false }
    return !charset.hasPrefix("utf-") && charset != "utf8" && charset != "gb18030"
  }
}
