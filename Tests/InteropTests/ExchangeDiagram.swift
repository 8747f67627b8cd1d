import Foundation

/// A sequence diagram, in the language of Mermaid, of what a tool's `--log trace` says about one drag.
///
/// A position and its answer that say the same again and again become two lines with a number.
struct ExchangeDiagram {
  /// Who has written the log, and who is on the other side. The source of the drag is on the left.
  let (us, them): (String, String)
  let steps: [Step]

  struct Step: Equatable {
    enum Kind: Equatable { case sent, received, did }

    var kind: Kind
    var what: String
    /// Milliseconds since the first one that is shown.
    var time: Int
    var count = 1
  }

  /// - Parameters:
  ///   - shorten: takes away what is particular to a machine, such as the path of a temporary directory.
  init(log: String, us: String, them: String, shorten: (String) -> String = { $0 }) {
    (self.us, self.them) = (us, them)
    let lines = log.split(separator: "\n").compactMap { Self.step(String($0)) }
    // What is offered belongs to the diagram; that the list was written long before does not.
    let enter = lines.first { $0.what.hasPrefix("XdndEnter") }?.time ?? lines.first?.time ?? 0
    // The name is put there anew for each window that the drag comes to.
    var deeds: Set<String> = []
    let news = lines.filter { $0.kind != .did || deeds.insert($0.what).inserted }
    steps = Self.folded(
      news.map {
        Step(kind: $0.kind, what: shorten($0.what), time: max(0, $0.time - enter))
      })
  }

  /// Reads one line of the log; `nil` for those that are about something else.
  private static func step(_ line: String) -> Step? {
    let pattern = #/ trace xdnd: (?:peer=\S+ )?(did|sent|received)=(.*) time=([0-9.]+) (?:\[\w+\] )?exchange$/#
      .matchingSemantics(.unicodeScalar)
    guard let match = line.firstMatch(of: pattern), let seconds = Double(match.3) else { return nil }
    let kind: Step.Kind = match.1 == "did" ? .did : match.1 == "sent" ? .sent : .received
    return Step(kind: kind, what: String(match.2), time: Int((seconds * 1000).rounded()))
  }

  /// A position and the answer to it.
  private struct Pair {
    var position: Step?
    var status: Step?

    func saysTheSame(as other: Pair) -> Bool {
      position?.what == other.position?.what && status?.what == other.status?.what
    }
  }

  private static func folded(_ steps: [Step]) -> [Step] {
    var folded: [Step] = []
    var pairs: [Pair] = []
    func flush() {
      var rest = pairs[...]
      while let first = rest.first {
        let count = rest.prefix { $0.saysTheSame(as: first) }.count
        for var step in [first.position, first.status].compactMap({ $0 }) {
          step.count = count
          folded.append(step)
        }
        rest = rest.dropFirst(count)
      }
      pairs = []
    }
    for step in steps {
      if step.what.hasPrefix("XdndPosition") {
        pairs.append(Pair(position: step))
      } else if step.what.hasPrefix("XdndStatus") {
        if let index = pairs.firstIndex(where: { $0.status == nil }) {
          pairs[index].status = step
        } else {
          pairs.append(Pair(status: step))
        }
      } else {
        flush()
        folded.append(step)
      }
    }
    flush()
    return folded
  }

  /// As GitHub draws it.
  var mermaid: String {
    let isTarget = steps.first { $0.what.hasPrefix("XdndEnter") }?.kind == .received
    let participants = ["  participant A as \(us)", "  participant B as \(them)"]
    var lines = ["```mermaid", "sequenceDiagram"] + (isTarget ? participants.reversed() : participants)
    for step in steps {
      let text = Self.escaped(step.what) + (step.count > 1 ? " ×\(step.count)" : "")
      switch step.kind {
      case .did: lines.append("  Note over A: \(step.time) ms: \(text)")
      case .sent: lines.append("  A->>B: \(step.time) ms: \(text)")
      case .received: lines.append("  B->>A: \(step.time) ms: \(text)")
      }
    }
    return (lines + ["```"]).joined(separator: "\n")
  }

  /// Mermaid ends a line at a semicolon, reads markup, and begins its escapes with `#`.
  private static func escaped(_ text: String) -> String {
    text.map {
      switch $0 {
      case "#": "#35;"
      case ";": "#59;"
      case "<": "#lt;"
      case ">": "#gt;"
      case "&": "#amp;"
      default: String($0)
      }
    }.joined()
  }
}
