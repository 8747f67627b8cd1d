import ToolSupport
import ToolWindow
import XDnD

/// The last drops, newest first, and what came of them.
struct DropHistory {
  /// One thing that a drop has brought.
  struct Part {
    var title: String
    var details = ""
    var state = Scene.Row.State.plain
    /// What it is, where the tool understands it.
    var content: ArrivedContent?
    /// What is dragged when it is dragged out again.
    var item: DragItem?
  }

  /// One drop.
  struct Record {
    /// `nil` for what came of no drop.
    let drop: ObjectIdentifier?
    /// Of the drop, by the clock on the wall.
    let time = ClippingTime.clock()
    /// Who it came from; empty if nobody knows.
    var origin = ""
    /// What came of it, in a word or two; empty as long as nobody knows.
    var outcome = ""
    var hasFailed = false
    var parts: [Part] = []
    /// How many parts there were that are not kept.
    var surplus = 0
  }

  /// What a row of the window stands for.
  struct Line {
    let row: Scene.Row
    let parts: [Part]
  }

  private(set) var records: [Record] = []
  /// More is in the terminal.
  private static let mostRecords = 100
  private static let mostParts = 100

  mutating func begin(_ record: Record) {
    records.insert(record, at: 0)
    if records.count > Self.mostRecords { records.removeLast() }
  }

  /// Adds to what a drop has brought, or, if there is no such drop, something that stands alone.
  mutating func add(_ part: Part, to drop: ObjectIdentifier?) {
    guard let drop, let index = records.firstIndex(where: { $0.drop == drop }) else {
      return begin(Record(drop: nil, parts: [part]))
    }
    if records[index].parts.count < Self.mostParts {
      records[index].parts.append(part)
    } else {
      records[index].surplus += 1
    }
  }

  /// Changes the record of a drop, if there is one still.
  mutating func update(_ drop: ObjectIdentifier, _ change: (inout Record) -> Void) {
    if let index = records.firstIndex(where: { $0.drop == drop }) { change(&records[index]) }
  }

  /// A row for each drop, and below it one for each of its parts, if there are several.
  var lines: [Line] { records.flatMap(\.lines) }
}

extension DropHistory.Record {
  fileprivate var lines: [DropHistory.Line] {
    let facts = [origin, time, outcome].filter { !$0.isEmpty }
    func line(_ title: String, _ facts: [String], _ state: Scene.Row.State, _ parts: [DropHistory.Part])
      -> DropHistory.Line
    {
      let secondary = facts.filter { !$0.isEmpty }.joined(separator: ", ")
      return DropHistory.Line(row: Scene.Row(title, secondary: secondary, state: state), parts: parts)
    }
    guard parts.count != 1 else {
      return [line(parts[0].title, [parts[0].details] + facts, hasFailed ? .error : parts[0].state, parts)]
    }
    let title = parts.isEmpty ? "A drop" : "\(parts.count + surplus) parts"
    return [line(title, facts, hasFailed ? .error : .plain, parts)]
      + parts.map { line("    " + $0.title, [$0.details], $0.state, [$0]) }
  }
}
