extension Negotiation {
  /// The result of the negotiation for one type, with the reason.
  package struct Explanation: Hashable, Sendable, CustomStringConvertible {
    /// The result for a type.
    package enum Verdict: Hashable, Sendable {
      /// The type to request first.
      case taken
      /// The type to request if all earlier ones fail; the number is its rank, from 2.
      case fallback(Int)
      /// The target does not accept the type.
      case notTaken
      /// The target accepts the type, but the source offers nothing that serves it.
      case notOffered
    }

    /// The type, as the source or, for ``Verdict/notOffered``, the target states it.
    package let type: ContentType
    package let verdict: Verdict
    /// The reason, in English.
    package let reason: String

    /// A line such as `image/bmp: not taken, because no accepted type covers it`.
    package var description: String { "\(type): \(words), \(reason)" }

    private var words: String {
      switch verdict {
      case .taken: "taken"
      case .fallback(let place): Self.place(place)
      case .notTaken: "not taken"
      case .notOffered: "not offered"
      }
    }

    private static func place(_ number: Int) -> String {
      let words = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
      return words.indices.contains(number - 2) ? "\(words[number - 2]) choice" : "choice \(number)"
    }
  }

  /// Returns the result for each offered type in the source's order, then for each accepted type that nothing serves.
  package func explain() -> [Explanation] {
    var names: Set<AtomName> = []
    let places = Dictionary(
      uniqueKeysWithValues: candidates.enumerated().map { ($0.element.offered.atomName, $0.offset + 1) })
    let offers = offered.map { type in
      guard names.insert(type.atomName).inserted else {
        return Explanation(type: type, verdict: .notTaken, reason: "because it is listed twice")
      }
      guard let place = places[type.atomName] else {
        return Explanation(type: type, verdict: .notTaken, reason: reasonAgainst(type))
      }
      return Explanation(
        type: type, verdict: place == 1 ? .taken : .fallback(place), reason: reasonFor(candidates[place - 1]))
    }
    let inVain = wanted.filter { type in
      let matcher = TypeMatcher(wanted: type, database: database)
      return !offered.contains { matcher.match($0) != nil }
    }
    return offers
      + inVain.map { Explanation(type: $0, verdict: .notOffered, reason: "and neither is a substitute") }
  }

  private func reasonAgainst(_ type: ContentType) -> String {
    guard let name = WireName.of(type) else { return "because no accepted type covers it" }
    switch name.role {
    case .companion: return "because it only tells \(name.note)"
    case .marker, .request: return "no content: \(name.note)"
    case .dialogue: return name.note
    case .content, .proprietary: return "because no accepted type covers it"
    }
  }

  private func reasonFor(_ candidate: Candidate) -> String {
    let wanted = candidate.wanted
    let reason =
      switch candidate.relation {
      case .exact: "because it is accepted"
      case .synonym: "another name for \(wanted)"
      case .alias: "another name for \(wanted) in the type database"
      case .conformance:
        candidate.offered.essence == wanted.essence
          ? "a form of \(TypeMatcher.meaning(of: wanted))" : "a special case of \(TypeMatcher.meaning(of: wanted))"
      case .wildcard: "because \(wanted) covers it"
      }
    if let note = WireName.of(candidate.offered)?.note, !note.isEmpty { return "\(reason); \(note)" }
    let isOpaque =
      candidate.relation == .wildcard && candidate.offered.isMIME && candidate.offered.essence != WireName.text
      && Familiarity(of: candidate.offered, database) == .opaque
    return isOpaque ? "\(reason); only the program that it comes from can read it" : reason
  }
}

extension Negotiation: CustomStringConvertible {
  /// The lines of ``explain()``, joined.
  package var description: String { explain().map(\.description).joined(separator: "\n") }
}
