/// What is said of one rule.
public struct Verdict: Hashable, Sendable {
  /// How it came out.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// It was kept.
    case pass
    /// It was broken.
    case broken
    /// It was not followed, and only asks for it: ``ConformanceRule/isAdvice``.
    case advice
    /// Nothing happened that the rule is about; the evidence says what was missing.
    case notSeen = "not-seen"
  }

  /// The rule's name, which does not change: `finished-once`.
  public var rule: String
  /// How it came out.
  public var result: Result
  /// What was seen, with the numbers of the recording's entries, or why nothing was; a sentence.
  public var evidence: String

  /// The entry that the evidence names first, counted from 1; `nil` if it names none.
  public var entry: Int? {
    evidence.firstIndex(of: "#").flatMap { Int(evidence[$0...].dropFirst().prefix(while: \.isWholeNumber)) }
  }

  /// Says it.
  public init(_ rule: String, _ result: Result, _ evidence: String) {
    self.rule = rule
    self.result = result
    self.evidence = evidence
  }
}
