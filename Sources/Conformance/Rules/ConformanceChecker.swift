public import XDnD

/// Checks a recording for the rules that the peer keeps and breaks.
///
/// The results depend on the recording alone: what it does not contain was not seen. Behavior that the specification
/// leaves open never fails; if it is known to cause trouble, the evidence says so.
public struct ConformanceChecker: Sendable {
  private let trace: DragTrace

  /// Creates the checker of a recording.
  ///
  /// - Parameters:
  ///   - role: The side that made the recording. The other side is checked.
  ///   - entries: The recording's entries.
  ///   - frame: The target window's frame, in root pixels. Without it, some errors cannot be seen.
  public init(role: Recording.Role, entries: [Recording.Entry], frame: Rect? = nil) {
    trace = DragTrace(role: role, entries: entries, frame: frame)
  }

  /// The side that is checked.
  public var side: ConformanceRule.Side { trace.role == .target ? .source : .target }

  /// The results for all rules of the checked side, in the order of ``ConformanceRule/all(of:)``.
  public func results() -> [RuleResult] { ConformanceRule.all(of: side).map(result(for:)) }

  /// The result for one rule. It is ``RuleResult/Outcome/notSeen`` for rules of the side that made the recording.
  public func result(for rule: ConformanceRule) -> RuleResult {
    guard rule.side == side else {
      return RuleResult(rule, unseen: "the recording is by the \(rule.side.rawValue) itself")
    }
    var result = RuleResult(rule, unseen: rule.absence)
    rule.check(trace, &result)
    return result
  }
}
