import ArgumentParser
import XDnDConformance
import Glibc
import XDnDToolSupport
import XDnD

enum ResultFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit
}

/// Prints results as text, JSON lines or a JUnit XML document.
struct RuleResultPrinter {
  let format: ResultFormat
  private let reporter: Reporter

  init(format: ResultFormat) {
    self.format = format
    reporter = Reporter(json: format == .json)
  }

  /// Whether to color the output: only on a terminal, and not if `NO_COLOR` is set and not empty.
  private let isColored = isatty(STDOUT_FILENO) == 1 && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)

  /// Reports that the scripted drags begin.
  func began() {
    guard format == .text else { return }
    reporter.print(Report("checking", "Checking by drags and drops of text: up to half a minute."))
  }

  func ready(_ report: Report) {
    if format != .junit { reporter.print(report) }
  }

  /// Reports progress in JSON, for scripts that drag and need to know when to release.
  func progress(_ event: String, _ fields: KeyValuePairs<String, Report.Value?> = [:]) {
    if format == .json { reporter.print(Report(event, "", fields)) }
  }

  func list(_ rules: [ConformanceRule]) {
    for rule in rules {
      reporter.print(
        "rule", "\(rule.id.padded(to: 24)) \(rule.side.rawValue)  \(rule.sentence) (\(rule.origin))",
        [
          "rule": .string(rule.id), "side": .string(rule.side.rawValue), "sentence": .string(rule.sentence),
          "origin": .string(rule.origin), "peers": .strings(rule.peers), "advice": .boolean(rule.isAdvice),
        ])
    }
  }

  func print(_ results: [RuleResult], of peer: Recording.Peer) {
    if format == .junit { return reporter.print("junit", junit(results, of: peer)) }
    for result in results {
      reporter.print(
        Report(
          "verdict",
          "\(colored(result.outcome)) \(result.rule.id.padded(to: 24)) \(Formatting.visible(result.evidence))",
          [
            "rule": .string(result.rule.id), "result": .string(result.outcome.rawValue),
            "evidence": .string(result.evidence),
          ]), isStyled: isColored)
    }
    let count = { (outcome: RuleResult.Outcome) in results.count { $0.outcome == outcome } }
    let name = peer.program ?? peer.window?.description ?? "it"
    reporter.print(
      "checked",
      "\(Formatting.visible(name)): \(count(.pass)) passed, \(count(.broken)) broken, \(count(.advice)) advice, "
        + "\(count(.notSeen)) not seen.",
      [
        "passed": .integer(count(.pass)), "broken": .integer(count(.broken)), "advice": .integer(count(.advice)),
        "not_seen": .integer(count(.notSeen)),
        "program": peer.program.map { .string($0) }, "pid": peer.processID.map { .integer($0) },
      ])
  }

  private func colored(_ outcome: RuleResult.Outcome) -> String {
    let word = outcome.rawValue.padded(to: 8)
    guard isColored else { return word }
    let color =
      switch outcome {
      case .pass: 32
      case .broken: 31
      case .advice: 33
      case .notSeen: 2
      }
    return "\u{1B}[\(color)m\(word)\u{1B}[0m"
  }

  private func junit(_ results: [RuleResult], of peer: Recording.Peer) -> String {
    let name = XMLText.escaped(peer.program ?? peer.window?.description ?? "unknown")
    let count = { (outcome: RuleResult.Outcome) in results.count { $0.outcome == outcome } }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuite name=\"xdnd-probe check \(name)\" tests=\"\(results.count)\" failures=\"\(count(.broken))\" "
        + "errors=\"0\" skipped=\"\(count(.notSeen))\">",
    ]
    for result in results {
      let head = "  <testcase classname=\"\(result.rule.side.rawValue)\" name=\"\(result.rule.id)\""
      let evidence = XMLText.escaped(result.evidence)
      switch result.outcome {
      case .pass: lines.append("\(head)><system-out>\(evidence)</system-out></testcase>")
      case .advice: lines.append("\(head)><system-out>advice: \(evidence)</system-out></testcase>")
      case .broken:
        lines.append(
          "\(head)><failure message=\"\(XMLText.escaped(result.rule.sentence))\">\(evidence)</failure></testcase>")
      case .notSeen: lines.append("\(head)><skipped message=\"\(evidence)\"/></testcase>")
      }
    }
    return (lines + ["</testsuite>"]).joined(separator: "\n")
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
