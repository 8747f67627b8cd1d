package import XDnD

/// Checks which rules the peer in a recording keeps, and which it breaks.
///
/// The results depend only on the recording. Behavior that the specification leaves open never fails a rule; if it is
/// known to cause trouble, the evidence says so.
package struct ConformanceChecker: Sendable {
  private let trace: DragTrace

  /// - Parameters:
  ///   - role: The side that made the recording. The other side is checked.
  ///   - frame: The target window's frame, in root pixels. Without it, some errors cannot be found.
  package init(role: Recording.Role, entries: [Recording.Entry], frame: Rect? = nil) {
    trace = DragTrace(role: role, entries: entries, frame: frame)
  }

  /// The side that is checked.
  package var side: ConformanceRule.Side { trace.role == .target ? .source : .target }

  /// The results for all rules of the checked side, in the order of ``ConformanceRule/all(of:)``.
  package func results() -> [RuleResult] { ConformanceRule.all(of: side).map(result(for:)) }

  /// The result for one rule. It is ``RuleResult/Outcome/notSeen`` for rules of the side that made the recording.
  package func result(for rule: ConformanceRule) -> RuleResult {
    guard rule.side == side else {
      return RuleResult(rule, unseen: "the recording is by the \(rule.side.rawValue) itself")
    }
    var result = RuleResult(rule, unseen: rule.absence)
    rule.check(trace, &result)
    return result
  }
}

/// A rule that a drag source or a drop target has to keep, with its check. `docs/conformance.md` lists all of them.
package struct ConformanceRule: Sendable {
  package enum Side: String, Hashable, Sendable, CaseIterable {
    case source
    case target
  }

  /// The rule's stable name: `finished-once`.
  package let id: String
  package let side: Side
  /// The rule in one sentence.
  package let sentence: String
  /// The source of the rule: a part of the XDND specification, a section of ICCCM, or another document.
  package let origin: String
  /// Programs that break the rule, or depend on it, each with a version or commit: `GTK 4.8.3`. `docs/conformance.md`
  /// says what each of them does.
  package let peers: [String]
  /// Whether the rule is only advice: the specification recommends it, or it matters only to a peer that itself breaks
  /// a rule. Programs that do not follow it cause trouble, but conform.
  package let isAdvice: Bool
  /// The evidence if nothing in the recording is subject to the rule, as a phrase: `no XdndEnter`.
  package let absence: String
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
  package static let all = source + target

  /// The rules of one side, in the order of a drag.
  package static func all(of side: Side) -> [ConformanceRule] { side == .source ? source : target }

  package static func named(_ id: String) -> ConformanceRule? { all.first { $0.id == id } }

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

/// The result of checking one rule.
///
/// A check calls ``pass(_:)`` and ``fail(_:)`` for each place where the recording keeps or breaks the rule.
package struct RuleResult: Sendable {
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case pass
    case broken
    /// The rule was not followed, but is only advice: ``ConformanceRule/isAdvice``.
    case advice
    /// Nothing in the recording is subject to the rule. The evidence says what is missing.
    case notSeen = "not-seen"
  }

  package let rule: ConformanceRule
  /// The evidence if nothing was seen, as a phrase.
  private let absence: String
  private var example: String?
  private var count = 0
  private var failures: [String] = []
  private var remarks: [String] = []

  init(_ rule: ConformanceRule, unseen absence: String) {
    self.rule = rule
    self.absence = absence
  }

  /// The outcome of all checks of the rule.
  package var outcome: Outcome {
    if !failures.isEmpty { return rule.isAdvice ? .advice : .broken }
    return example == nil ? .notSeen : .pass
  }

  /// One sentence: the first failure or example, with the numbers of its entries, or the missing event.
  package var evidence: String {
    if let first = failures.first {
      return first + (failures.count > 1 ? "; and \(failures.count - 1) more" : "")
    }
    guard let example else { return absence }
    let more = count > 1 ? "; \(count) in all" : ""
    return example + more + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
  }

  /// The number of the entry that the evidence names first, from 1; `nil` if it names none.
  package var entry: Int? {
    let evidence = evidence
    return evidence.firstIndex(of: "#").flatMap { Int(evidence[$0...].dropFirst().prefix(while: \.isWholeNumber)) }
  }

  /// Records that the rule was kept. The first evidence is reported. If `isRemarkable`, also reports `remark`: the rule
  /// was kept in a way that is known to cause trouble.
  mutating func pass(
    _ evidence: @autoclosure () -> String, remark: @autoclosure () -> String? = nil, if isRemarkable: Bool = true
  ) {
    if example == nil { example = evidence() }
    count += 1
    guard isRemarkable, let remark = remark(), !remarks.contains(remark) else { return }
    remarks.append(remark)
  }

  mutating func fail(_ evidence: String) { failures.append(evidence) }

  /// Records that the rule was kept if `condition` is true, and that it was broken otherwise.
  mutating func require(_ condition: Bool, _ evidence: @autoclosure () -> String) {
    if condition { pass(evidence()) } else { fail(evidence()) }
  }
}

extension RuleResult: CustomStringConvertible {
  package var description: String { "\(outcome.rawValue) \(rule.id): \(evidence)" }
}
