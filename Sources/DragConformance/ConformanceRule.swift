/// A rule that a drag source or a drop target has to keep. `docs/conformance.md` lists all of them.
public struct ConformanceRule: Hashable, Sendable {
  /// The side of a drag that has to keep a rule.
  public enum Side: String, Hashable, Sendable, CaseIterable {
    /// The drag source.
    case source
    /// The drop target.
    case target
  }

  /// The rule's stable name: `finished-once`.
  public let id: String
  /// The side that has to keep the rule.
  public let side: Side
  /// The rule in one sentence.
  public let sentence: String
  /// The source of the rule: a part of the XDND specification, a section of ICCCM, or another document.
  public let origin: String
  /// The numbers of the known interoperability hazards that the rule covers: `Q17`.
  public let hazards: [String]
  /// Whether the rule is only advice: the specification recommends it, or it matters only to a peer that itself breaks
  /// a rule. Programs that do not follow it cause trouble, but conform.
  public let isAdvice: Bool
  /// The evidence if the recording has nothing that the rule is about, as a phrase: `no XdndEnter`.
  public let absence: String

  init(
    _ id: String, _ side: Side, _ sentence: String, _ origin: String, hazards: [String] = [], isAdvice: Bool = false,
    unseen absence: String
  ) {
    self.id = id
    self.side = side
    self.sentence = sentence
    self.origin = origin
    self.hazards = hazards
    self.isAdvice = isAdvice
    self.absence = absence
  }

  /// The rules of both sides: first the source's, then the target's, each in the order of a drag.
  public static let all = source + target

  /// The rules of one side, in the order of a drag.
  public static func all(of side: Side) -> [ConformanceRule] { side == .source ? source : target }

  /// The rule with this name; `nil` if there is none.
  public static func named(_ id: String) -> ConformanceRule? { all.first { $0.id == id } }
}
