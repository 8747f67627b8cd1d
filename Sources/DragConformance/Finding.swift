/// What comes out while a rule is looked for in a recording.
struct Finding {
  private var example: String?
  private var count = 0
  private var failures: [String] = []
  private var remarks: [String] = []

  /// It was kept here.
  mutating func keep(_ evidence: @autoclosure () -> String) {
    if example == nil { example = evidence() }
    count += 1
  }

  /// It was broken here.
  mutating func fail(_ evidence: String) { failures.append(evidence) }

  /// It was kept here, but not as one would wish.
  mutating func keep(_ evidence: @autoclosure () -> String, remark: String) {
    keep(evidence())
    if !remarks.contains(remark) { remarks.append(remark) }
  }

  /// It was kept if `condition`, and broken otherwise, with the same evidence.
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
