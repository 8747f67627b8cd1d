/// A rule that a drag source or a drop target has to keep, with its check. `docs/conformance.md` lists all of them.
public struct ConformanceRule: Sendable {
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
  /// Programs that break the rule, or depend on it, each with a version or commit: `GTK 4.8.3`. `docs/conformance.md`
  /// says what each of them does.
  public let peers: [String]
  /// Whether the rule is only advice: the specification recommends it, or it matters only to a peer that itself breaks
  /// a rule. Programs that do not follow it cause trouble, but conform.
  public let isAdvice: Bool
  /// The evidence if the recording has nothing that the rule is about, as a phrase: `no XdndEnter`.
  public let absence: String
  let check: @Sendable (DragTrace, inout RuleResult) -> Void

  init(
    _ id: String, of side: Side, _ sentence: String, from origin: String, peers: [String] = [],
    isAdvice: Bool = false, unseen absence: String, check: @escaping @Sendable (DragTrace, inout RuleResult) -> Void
  ) {
    self.id = id
    self.side = side
    self.sentence = sentence
    self.origin = origin
    self.peers = peers
    self.isAdvice = isAdvice
    self.absence = absence
    self.check = check
  }

  /// Creates a rule that is checked for each element of a list: each visit, or each transfer.
  init<Element>(
    _ id: String, of side: Side, _ sentence: String, from origin: String, peers: [String] = [],
    isAdvice: Bool = false, unseen absence: String, each list: @escaping @Sendable (DragTrace) -> [Element],
    check: @escaping @Sendable (Element, DragTrace, inout RuleResult) -> Void
  ) {
    self.init(id, of: side, sentence, from: origin, peers: peers, isAdvice: isAdvice, unseen: absence) {
      trace, result in
      for element in list(trace) { check(element, trace, &result) }
    }
  }

  /// Creates a rule that is checked for each message of a kind, with its visit.
  init(
    _ id: String, of side: Side, _ sentence: String, from origin: String, peers: [String] = [],
    isAdvice: Bool = false, unseen absence: String,
    eachMessage list: @escaping @Sendable (DragTrace) -> [(visit: Visit, message: RecordedMessage)],
    check: @escaping @Sendable (Visit, RecordedMessage, DragTrace, inout RuleResult) -> Void
  ) {
    self.init(id, of: side, sentence, from: origin, peers: peers, isAdvice: isAdvice, unseen: absence, each: list) {
      element, trace, result in check(element.visit, element.message, trace, &result)
    }
  }

  /// The rules of both sides: first the source's, then the target's, each in the order of a drag.
  public static let all = source + target

  /// The rules of one side, in the order of a drag.
  public static func all(of side: Side) -> [ConformanceRule] { side == .source ? source : target }

  /// The rule with this name; `nil` if there is none.
  public static func named(_ id: String) -> ConformanceRule? { all.first { $0.id == id } }

  private static let source =
    [
      EnterRules.all, PositionRules.all, DropRules.all, SelectionOwnerRules.all, SourceFormatRules.all,
      DirectSaveRules.all,
    ]
    .flatMap(\.self)

  private static let target =
    [TargetWindowRules.all, StatusRules.all, FinishedRules.all, RequestorRules.all, TargetRobustnessRules.all]
    .flatMap(\.self)
}
