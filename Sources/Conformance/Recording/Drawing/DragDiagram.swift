import XDnD

/// An annotation of a diagram: a broken rule, or advice.
package struct Remark: Hashable, Sendable {
  /// The number of the entry that the remark refers to, from 1; `nil` if it refers to none.
  package var entry: Int?
  /// The short text beside the entry.
  package var label: String
  /// The sentence below the diagram.
  package var sentence: String
  /// Whether it is advice, which has another color than a broken rule.
  package var isAdvice: Bool

  package init(_ label: String, at entry: Int?, _ sentence: String, isAdvice: Bool = false) {
    self.isAdvice = isAdvice
    self.entry = entry
    self.label = label
    self.sentence = sentence
  }
}

/// The layout-independent model of a sequence diagram of a drag.
struct DragDiagram: Equatable {
  enum Lane: Equatable {
    case source
    /// The X server, which holds properties and selections.
    case server
    case target
  }

  /// The content of a row: an arrow between two lanes, or a note beside them.
  enum Shape: Equatable {
    case arrow(from: Lane, to: Lane)
    /// The end of a lane's window.
    case end(of: Lane)
    /// Several entries that are not drawn.
    case fold
    /// A period without events.
    case wait
  }

  struct Row: Equatable {
    /// Microseconds since the beginning of the recording.
    var time: Int
    var shape: Shape
    var caption: EventCaption
    /// Whether the row explains a failed drag: a refusal or a window that vanished. Drawn in red.
    var isRefusal = false
    var remarks: [Remark] = []
  }

  struct Header: Equatable {
    var lane: Lane
    var title: String
    var subtitle: String
  }

  var headers: [Header] = []
  var rows: [Row] = []

  /// The shortest period without events that gets a row, in microseconds.
  static let longWait = 500_000

  init(_ recording: Recording, noting remarks: [Remark] = []) {
    let own: Lane = recording.role == .source ? .source : .target
    let other: Lane = own == .source ? .target : .source
    var last: Int?
    let entries = recording.withoutEchoes
    // The row of each entry, by the entry's number from 1. Remarks about other entries go to the row before.
    var rowOfEntry: [Int: Int] = [:]
    var numbers = entries.map { $0.offset + 1 }[...]
    for group in EntryGroup.groups(of: entries.map(\.element)) {
      if let last, group.start - last >= Self.longWait {
        let wait = "nothing for " + Self.duration(group.start - last)
        rows.append(Row(time: last, shape: .wait, caption: EventCaption(wait)))
      }
      last = group.end
      for _ in group.entries { rowOfEntry[numbers.removeFirst()] = rows.count }
      if let summary = group.summary {
        let isRefusal = summary.hasSuffix("no")
        rows.append(Row(time: group.start, shape: .fold, caption: EventCaption(summary), isRefusal: isRefusal))
      } else {
        rows += group.entries.map { Self.row($0, own: own, other: other, of: recording) }
      }
    }
    for remark in remarks {
      guard let number = remark.entry, let shown = rowOfEntry.keys.filter({ $0 <= number }).max() else { continue }
      rows[rowOfEntry[shown] ?? 0].remarks.append(remark)
    }
    headers = [Header(lane: .source, title: "source", subtitle: Self.name(of: .source, in: recording))]
    let hasServer = rows.contains { row in
      if case .arrow(let from, let to) = row.shape { from == .server || to == .server } else { false }
    }
    if hasServer { headers.append(Header(lane: .server, title: "X server", subtitle: "properties, selections")) }
    headers.append(Header(lane: .target, title: "target", subtitle: Self.name(of: .target, in: recording)))
  }

  private static func row(_ entry: Recording.Entry, own: Lane, other: Lane, of recording: Recording) -> Row {
    let isSent = entry.event.direction == .sent
    var isRefusal = false
    var shape: Shape = .arrow(from: isSent ? own : other, to: isSent ? other : own)
    switch entry.event.action {
    case .message(let message):
      isRefusal =
        message.kind == .status && message.answer == "no"
        || message.kind == .finished && !message.xdnd.isSuccess
    case .conversion: break
    case .converted(let answer): isRefusal = answer.property == nil
    // A read property goes from the server to its reader, and so does a notification.
    case .property(let property) where property.change == .read: shape = .arrow(from: .server, to: own)
    case .owner, .property: shape = isSent ? .arrow(from: own, to: .server) : .arrow(from: .server, to: own)
    case .vanished(let window):
      shape = .end(of: window == recording.target?.window ? .target : other)
      isRefusal = true
    }
    return Row(time: entry.time, shape: shape, caption: entry.event.action.caption, isRefusal: isRefusal)
  }

  private static func name(of lane: Lane, in recording: Recording) -> String {
    let isPeer = (recording.role == .source) == (lane == .target)
    let target = lane == .target ? recording.target?.window : nil
    guard isPeer else {
      return ["recorded here", target?.description].compactMap { $0 }.joined(separator: ", ")
    }
    let peer = recording.peer
    let parts = [
      peer.program, (peer.window ?? target)?.description, peer.processID.map { "pid \($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
  }

  /// A duration as text: `1.8 s`, `640 ms`.
  static func duration(_ microseconds: Int) -> String {
    guard microseconds >= 1_000_000 else { return "\(microseconds / 1000) ms" }
    let tenths = (microseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

/// Consecutive entries that the diagram shows as one row: a single entry, or several that repeat the ones before them.
struct EntryGroup: Equatable {
  let entries: ArraySlice<Recording.Entry>
  /// The text that replaces several entries; `nil` for a single entry.
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
    // The tally of all entries up to this one, and the tally of the entries before the last unanswered position.
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
          // This status and its position are drawn separately, so the run ends before them.
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

extension Recording {
  /// The entries without the server's notifications of changes that the recorder made itself, or whose value it reads.
  /// Each has its index among all entries.
  var withoutEchoes: [(offset: Int, element: Entry)] {
    var handled: Set<WindowProperty> = []
    var deleted: Set<WindowProperty> = []
    for case .property(let property) in entries.map(\.event.action) {
      switch property.change {
      case .written, .read: handled.insert(property.place)
      case .deleted: deleted.insert(property.place)
      case .changed, .removed: break
      }
    }
    return entries.enumerated().filter { _, entry in
      guard case .property(let property) = entry.event.action else { return true }
      return switch property.change {
      case .changed: !handled.contains(property.place)
      // A property that the recorder wrote was deleted by the other side, which shows that it was read.
      case .removed: !deleted.contains(property.place)
      case .written, .read, .deleted: true
      }
    }
  }
}
