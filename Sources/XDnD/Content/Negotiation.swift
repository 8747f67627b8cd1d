/// Which of the types that a source offers serve what a target wants, best first, and why.
///
/// The order is that of these rules; each decides only where those before it do not:
///
/// 1. What the target wants more comes first.
/// 2. The very type that is wanted comes before another name for the same content (``Relation/synonym``,
///    ``Relation/alias``), and that before a special case of it (``Relation/conformance``).
/// 3. Of the names of text, that with the greatest fidelity comes first: `UTF8_STRING` before `STRING`.
/// 4. Under a wildcard, what can be shown comes first: pages, pictures, links, colours, lists of files. Then documents of
///    known types; then plain text, for that is the same content made flat; then what is opaque to all but one family of
///    programs; then bytes of which nothing is known, and names of X targets.
/// 5. A lossless charset comes before a lossy one.
/// 6. A type that differs in parameters only comes before a subtype, a special case that the database lists before
///    one that is `text/plain` only because all `text` is.
/// 7. What the source offers earlier comes first.
///
/// So text that was only flattened serves a target that wants text when there is nothing better: `text/html` is
/// `text/plain`, with its markup. Lists of links are not: who wants them says so. Bookkeeping, such as `TARGETS`, and
/// keys to other protocols, such as `XdndDirectSave0`, are content only for a target that wants them by name.
public struct Negotiation: Sendable {
  /// How an offered type serves a wanted one.
  public enum Relation: Int, Hashable, Sendable {
    /// It is the same type.
    case exact
    /// It is another name on the wire for the same content: `UTF8_STRING` for text.
    case synonym
    /// The database has both as names of one type: `image/pjpeg` for `image/jpeg`.
    case alias
    /// The database has it as a special case, or it has parameters more: `image/svg+xml` for `application/xml`.
    case conformance
    /// A pattern covers it: `image/*`.
    case wildcard
  }

  /// A type that can be asked for.
  public struct Candidate: Hashable, Sendable {
    /// The type, under the name that the source offers it by.
    public let offered: ContentType
    /// What it serves, as the target has put it.
    public let wanted: ContentType
    /// How it does.
    public let relation: Relation
  }

  /// What the target wants, best first.
  public let wanted: [ContentType]
  /// What the source offers, best first, as often as it does.
  public let offered: [ContentType]
  /// All that can be asked for, best first: if one fails, the next is worth a try.
  public let candidates: [Candidate]

  let database: TypeDatabase

  /// Negotiates.
  ///
  /// - Parameters:
  ///   - wanted: What the target takes, best first; wildcards too.
  ///   - offered: What the source has, best first. More than the first 1000 are not looked at.
  ///   - database: Which names and special cases count.
  public init(wanted: [ContentType], offered: [ContentType], database: TypeDatabase = .builtIn) {
    self.wanted = wanted
    self.offered = offered
    self.database = database
    var names: Set<AtomName> = []
    // Each name is asked for once: wxWidgets and tkdnd list some twice.
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

  /// All that is offered and can be fetched by asking for it, in the order of the offer, each once: content, wanted or not,
  /// and what is said about it; no orders, and no keys to other protocols.
  public var fetchable: [ContentType] {
    var names: Set<AtomName> = []
    return offered.prefix(Self.offerLimit).filter { type in
      switch WireName.of(type)?.role {
      case .request, .dialogue: false
      case .content, .proprietary, .companion, .marker, nil: names.insert(type.atomName).inserted
      }
    }
  }

  /// What to ask for first; `nil` if nothing that is offered is wanted.
  public var best: Candidate? { candidates.first }

  /// How many offered types are looked at; of longer lists of drags and clipboards the rest is not even read.
  static let offerLimit = 1000
}

/// Compares offered types with one that is wanted.
struct TypeMatcher {
  struct Match {
    var relation: Negotiation.Relation
    /// The smaller, the better.
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

  /// Content that a name stands for counts with it: `text/*` covers `UTF8_STRING`.
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

  /// Not what everything is: who wants `application/octet-stream` wants it by that name, and says `*/*` otherwise.
  private func conformanceDistance(of offered: ContentType) -> Int? {
    guard wanted != .data, offered.isMIME else { return nil }
    let general = Self.meaning(of: wanted)
    // What the table knows, and not as text, is text in nothing but its name: links in UTF-16, lists of files.
    if general == WireName.text, WireName.of(offered) != nil { return nil }
    return database.distance(from: offered, to: general)
  }

  /// To want text is to want `text/plain`, in whatever charset.
  static func meaning(of wanted: ContentType) -> ContentType { wanted == .plainText ? WireName.text : wanted }

  /// Whether letters may have got lost. Without a charset nobody knows, and it is taken for granted that none are.
  private static func isLossy(_ type: ContentType) -> Bool {
    guard let charset = type.parameter("charset") else { return false }
    return !charset.hasPrefix("utf-") && charset != "utf8" && charset != "gb18030"
  }
}
