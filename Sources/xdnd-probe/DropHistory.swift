import ToolSupport
import ToolWindow
import XDnD

/// The last drops, newest first, and what came of them.
///
/// What it holds of their content is bounded in bytes: of text the beginning, which is all that is shown; of pictures, and of
/// what can be dragged out again, the newest. What is dropped for that stays as a line.
struct DropHistory {
  /// One thing that a drop has brought.
  struct Part {
    var title: String
    var details = ""
    var state = Scene.Row.State.plain
    var type: ContentType?
    /// What it is, where the tool understands it.
    var content: ArrivedContent?
    /// What it is, if it is a picture.
    var picture: [UInt8]?
    /// What is dragged when it is dragged out again.
    var item: DragItem?
    /// How many bytes ``picture`` and ``item`` hold.
    var heldBytes = 0
  }

  /// One drop.
  struct Record {
    /// `nil` for what came of no drop.
    let drop: ObjectIdentifier?
    /// Who it came from; empty if nobody knows.
    var origin = ""
    /// Of the drop, by the clock on the wall.
    let time = ClippingTime.clock()
    /// What came of it, in a word or two; empty as long as nobody knows.
    var outcome = ""
    var hasFailed = false
    var parts: [Part] = []
    /// How many parts there were that are not kept.
    var surplus = 0
    /// No other record has it.
    fileprivate(set) var number = 0
  }

  /// What a row of the window stands for.
  struct Line {
    /// The number of the record, and of the part from 1; 0 for all of it.
    struct ID: Hashable {
      let record: Int
      let part: Int
    }

    let id: ID
    let row: Scene.Row
    let parts: [Part]
  }

  /// How many bytes of pictures, and of what can be dragged out again, are kept.
  let budget: Int
  private(set) var records: [Record] = []
  private(set) var heldBytes = 0
  private var lastNumber = 0
  /// More is in the terminal.
  private static let mostRecords = 100
  static let mostParts = 100

  /// - Parameter budget: How many bytes of pictures, and of what can be dragged out again, are kept.
  init(budget: Int = Self.standardBudget) { self.budget = budget }

  static let standardBudget = 64 << 20

  mutating func begin(_ record: Record) {
    lastNumber += 1
    var record = record
    record.number = lastNumber
    for index in record.parts.indices { record.parts[index].shorten() }
    records.insert(record, at: 0)
    if records.count > Self.mostRecords { records.removeLast() }
    keepToBudget()
  }

  /// Adds to what a drop has brought, or, if there is no such drop, something that stands alone.
  mutating func add(_ part: Part, to drop: ObjectIdentifier?) {
    guard let drop, let index = records.firstIndex(where: { $0.drop == drop }) else {
      return begin(Record(drop: nil, parts: [part]))
    }
    guard records[index].parts.count < Self.mostParts else { return records[index].surplus += 1 }
    var part = part
    part.shorten()
    records[index].parts.append(part)
    keepToBudget()
  }

  /// Changes the record of a drop, if there is one still.
  mutating func update(_ drop: ObjectIdentifier, _ change: (inout Record) -> Void) {
    if let index = records.firstIndex(where: { $0.drop == drop }) { change(&records[index]) }
    keepToBudget()
  }

  /// Lets go of content, the oldest first.
  private mutating func keepToBudget() {
    heldBytes = records.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.heldBytes } }
    for record in records.indices.reversed() {
      for part in records[record].parts.indices where heldBytes > budget && records[record].parts[part].heldBytes > 0 {
        heldBytes -= records[record].parts[part].heldBytes
        records[record].parts[part].letGo()
      }
    }
  }

  /// A row for each drop, and below it one for each of its parts, if there are several.
  var lines: [Line] { records.flatMap(\.lines) }
}

extension DropHistory.Part {
  /// More letters of a text are in no window.
  static let shownLetters = 16_384

  /// Keeps of a text what can be shown.
  fileprivate mutating func shorten() {
    guard case .text(let text) = content, text.utf8.count > Self.shownLetters else { return }
    content = .text(String(text.unicodeScalars.prefix(Self.shownLetters)) + "…")
  }

  /// Becomes a line without content.
  fileprivate mutating func letGo() {
    picture = nil
    item = nil
    heldBytes = 0
    details = details.isEmpty ? "not kept any more" : "\(details), not kept any more"
  }
}

extension DropHistory.Record {
  fileprivate var lines: [DropHistory.Line] {
    func facts(_ details: String = "") -> [String] { [outcome, time, details, origin] }
    guard parts.count != 1 else {
      let part = parts[0]
      return [line(0, part.title, facts(part.details), hasFailed ? .error : part.state, part.icon, parts)]
    }
    let title = parts.isEmpty ? "A drop" : "\(parts.count + surplus) parts"
    return [line(0, title, facts(), hasFailed ? .error : .plain, nil, parts)]
      + parts.enumerated().map { line($0 + 1, $1.title, [$1.details], $1.state, $1.icon, [$1]) }
  }

  private func line(
    _ part: Int, _ title: String, _ facts: [String], _ state: Scene.Row.State, _ icon: Scene.Icon?,
    _ parts: [DropHistory.Part]
  ) -> DropHistory.Line {
    DropHistory.Line(
      id: DropHistory.Line.ID(record: number, part: part),
      row: Scene.Row(
        title, secondary: facts.filter { !$0.isEmpty }.joined(separator: ", "), state: state, icon: icon),
      parts: parts)
  }
}
