import XDnD

/// Consecutive entries that the diagram shows as one row: an entry by itself, or several that repeat those before them.
struct EntryGroup: Equatable {
  let entries: ArraySlice<Recording.Entry>
  /// What is shown instead of several entries.
  let summary: String?

  var start: Int { entries.first?.time ?? 0 }

  var end: Int { entries.last?.time ?? 0 }

  /// In microseconds. A slower answer is always drawn.
  static let slowAnswer = 500_000

  static func groups(of entries: [Recording.Entry]) -> [EntryGroup] {
    var result: [EntryGroup] = []
    var rest = entries[...]
    while !rest.isEmpty {
      let run = positions(rest) ?? parts(rest) ?? Run(shown: 1, count: 1, sentence: "")
      // A summary of a single entry saves no row.
      let shown = run.count - run.shown > 1 ? run.shown : run.count
      result += rest.prefix(shown).map { EntryGroup(entries: [$0], summary: nil) }
      let repeated = rest.prefix(run.count).dropFirst(shown)
      if !repeated.isEmpty { result.append(EntryGroup(entries: repeated, summary: run.sentence)) }
      rest = rest.dropFirst(run.count)
    }
    return result
  }

  private struct Run {
    var shown: Int
    var count: Int
    var sentence: String
  }

  /// The positions that ask for the same action, and their statuses if they give the same answer soon.
  private static func positions(_ entries: ArraySlice<Recording.Entry>) -> Run? {
    var asked: String?
    var answer: String?
    // Two tallies: of all entries so far, and of those before the last position without an answer.
    var all = Tally()
    var answered = Tally()
    loop: for entry in entries {
      guard case .message(let message) = entry.event.action else { break }
      switch message.kind {
      case .position:
        guard asked == nil || asked == message.action(at: 4) else { break loop }
        asked = message.action(at: 4)
        answered = all
        all.positions += 1
        all.place = message.xdnd.point
        all.time = entry.time
      case .status:
        guard asked != nil else { break loop }
        guard answer == nil || (answer == message.answer && entry.time - all.time < slowAnswer) else {
          // This status and its position are both to be drawn, so the run ends before them.
          all = answered
          break loop
        }
        answer = message.answer
        all.answers += 1
        answered = all
      default: break loop
      }
      all.entries += 1
    }
    let isAnswered = entries.dropFirst().first?.event.action.isStatus ?? false
    let more = all.positions - 1
    guard more > 0 else { return nil }
    let answers = all.answers - (isAnswered ? 1 : 0)
    let how =
      switch answers {
      case 0: "none answered"
      case more: "all answered \(answer ?? "")"
      default: "\(answers) answered \(answer ?? "")"
      }
    return Run(
      // Folding a single position saves no row.
      shown: more == 1 ? all.entries : isAnswered ? 2 : 1, count: all.entries,
      sentence: "\(more) more positions, the last at \(all.place), \(how)")
  }

  private struct Tally {
    var entries = 0
    var positions = 0
    var answers = 0
    var place = Point(x: 0, y: 0)
    var time = 0
  }

  /// The repeated changes of one property, as in an INCR transfer.
  private static func parts(_ entries: ArraySlice<Recording.Entry>) -> Run? {
    guard case .property(let first)? = entries.first?.event.action else { return nil }
    let run = entries.prefix { entry in
      if case .property(let property) = entry.event.action { property.place == first.place } else { false }
    }
    let shown = 4
    guard run.count > shown + 2 else { return nil }
    let bytes = run.dropFirst(shown).reduce(0) { sum, entry in
      if case .property(let property) = entry.event.action { sum + property.byteCount } else { sum }
    }
    return Run(
      shown: shown, count: run.count,
      sentence: "\(run.count - shown) more changes of \(first.name), \(bytes) bytes in all")
  }
}

extension WireEvent.Action {
  fileprivate var isStatus: Bool {
    if case .message(let message) = self { message.kind == .status } else { false }
  }
}
