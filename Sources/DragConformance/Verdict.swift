/// The result of checking one rule.
public struct Verdict: Hashable, Sendable {
  /// The possible results.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The rule was kept.
    case pass
    /// The rule was broken.
    case broken
    /// The rule was not followed, but is only advice: ``ConformanceRule/isAdvice``.
    case advice
    /// The recording has nothing that the rule is about. The evidence says what is missing.
    case notSeen = "not-seen"
  }

  /// The rule's name, ``ConformanceRule/id``: `finished-once`.
  public var rule: String
  /// The result.
  public var result: Result
  /// One sentence: what was seen, with the numbers of the recording's entries, or why nothing was.
  public var evidence: String

  /// The number of the entry that the evidence names first, from 1; `nil` if it names none.
  public var entry: Int? {
    evidence.firstIndex(of: "#").flatMap { Int(evidence[$0...].dropFirst().prefix(while: \.isWholeNumber)) }
  }

  /// Creates a verdict.
  public init(_ rule: String, _ result: Result, _ evidence: String) {
    self.rule = rule
    self.result = result
    self.evidence = evidence
  }
}
