/// The result of checking one rule.
///
/// A check calls ``pass(_:)`` and ``fail(_:)`` for each place where the recording keeps or breaks the rule.
public struct RuleResult: Sendable {
  /// The possible outcomes.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The rule was kept.
    case pass
    /// The rule was broken.
    case broken
    /// The rule was not followed, but is only advice: ``ConformanceRule/isAdvice``.
    case advice
    /// The recording has nothing that the rule is about. The evidence says what is missing.
    case notSeen = "not-seen"
  }

  /// The rule that was checked.
  public let rule: ConformanceRule
  /// What is missing if nothing was seen.
  private let absence: String
  private var example: String?
  private var count = 0
  private var failures: [String] = []
  private var remarks: [String] = []

  init(_ rule: ConformanceRule, unseen absence: String) {
    self.rule = rule
    self.absence = absence
  }

  /// Whether the rule was kept.
  public var outcome: Outcome {
    if !failures.isEmpty { return rule.isAdvice ? .advice : .broken }
    return example == nil ? .notSeen : .pass
  }

  /// One sentence: what was seen, with the numbers of the recording's entries, or why nothing was.
  public var evidence: String {
    if let first = failures.first {
      return first + (failures.count > 1 ? "; and \(failures.count - 1) more" : "")
    }
    guard let example else { return absence }
    let more = count > 1 ? "; \(count) in all" : ""
    return example + more + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
  }

  /// The number of the entry that the evidence names first, from 1; `nil` if it names none.
  public var entry: Int? {
    let evidence = evidence
    return evidence.firstIndex(of: "#").flatMap { Int(evidence[$0...].dropFirst().prefix(while: \.isWholeNumber)) }
  }

  /// Records that the rule was kept. The first evidence is reported.
  mutating func pass(_ evidence: @autoclosure () -> String) {
    if example == nil { example = evidence() }
    count += 1
  }

  /// Records that the rule was kept, and, if `isRemarkable`, that it was in a way that is known to cause trouble. The
  /// remark is reported, too.
  mutating func pass(
    _ evidence: @autoclosure () -> String, remark: @autoclosure () -> String, if isRemarkable: Bool = true
  ) {
    pass(evidence())
    guard isRemarkable else { return }
    let remark = remark()
    if !remarks.contains(remark) { remarks.append(remark) }
  }

  mutating func fail(_ evidence: String) { failures.append(evidence) }

  /// Records that the rule was kept if `condition` is true, and that it was broken otherwise.
  mutating func require(_ condition: Bool, _ evidence: @autoclosure () -> String) {
    if condition { pass(evidence()) } else { fail(evidence()) }
  }
}

extension RuleResult: CustomStringConvertible {
  /// The outcome, the rule and the evidence.
  public var description: String { "\(outcome.rawValue) \(rule.id): \(evidence)" }
}
