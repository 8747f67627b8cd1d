/// Collects where a recording keeps and breaks one rule.
struct Finding {
  private var example: String?
  private var count = 0
  private var failures: [String] = []
  private var remarks: [String] = []

  /// Records that the rule was kept. The first evidence is reported.
  mutating func keep(_ evidence: @autoclosure () -> String) {
    if example == nil { example = evidence() }
    count += 1
  }

  /// Records that the rule was broken.
  mutating func fail(_ evidence: String) { failures.append(evidence) }

  /// Records that the rule was kept, but in a way that is known to cause trouble. The remark is reported, too.
  mutating func keep(_ evidence: @autoclosure () -> String, remark: String) {
    keep(evidence())
    if !remarks.contains(remark) { remarks.append(remark) }
  }

  /// Records that the rule was kept if `condition` is true, and that it was broken otherwise.
  mutating func require(_ condition: Bool, _ evidence: @autoclosure () -> String) {
    if condition { keep(evidence()) } else { fail(evidence()) }
  }

  func verdict(on rule: ConformanceRule) -> Verdict {
    if let first = failures.first {
      let more = failures.count > 1 ? "; and \(failures.count - 1) more" : ""
      return Verdict(rule.id, rule.isAdvice ? .advice : .broken, first + more)
    }
    guard let example else { return Verdict(rule.id, .notSeen, rule.absence) }
    let more = count > 1 ? "; \(count) in all" : ""
    return Verdict(rule.id, .pass, example + more + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))"))
  }
}

func hexadecimal(_ word: UInt32) -> String { word == 0 ? "0" : "0x" + String(word, radix: 16) }
