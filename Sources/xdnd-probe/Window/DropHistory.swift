import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The recent drops and their results, newest first.
///
/// Keeps only the start of each text, and the newest pictures and draggable content up to a budget. Entries whose
/// content was discarded remain as lines.
struct DropHistory {
  struct Record {
    /// The drop; `nil` for other entries, such as undone files.
    let drop: ObjectIdentifier?
    /// Whether the content was pasted, not dropped.
    var isPaste = false
    /// The name of the source program; empty if unknown.
    var origin = ""
    /// The name of the content, shown until its parts arrive; `nil` while it is unknown.
    var name: String?
    /// The agreed type; `nil` if there is none. It determines the icon until the parts arrive.
    var type: ContentType?
    /// The local time of the drop.
    let time = Formatting.clock()
    /// The state or the result of the drop, in a few words; empty for a drop that was only received.
    var outcome = ""
    var hasFailed = false
    /// Whether the user has refused the drop, which is not a failure.
    var isRefusedByUser = false
    /// The operation performed, shown instead of ``outcome``, which was reported to the source; `nil` to show
    /// ``outcome``.
    var done: String?
    /// The text shown instead of the result; `nil` to show the result.
    var ending: String?
    /// Details of the result: `exit status 0, 3 s`.
    var remark = ""
    /// The end of the output of the drop's command, with control characters escaped.
    var output = ""
    /// The work in progress; `nil` while there is none that takes long enough to show.
    var activity: RowActivity?
    var parts: [Part] = []
    /// The number of parts beyond ``DropHistory/mostParts``, which are not kept.
    var surplus = 0
    /// Set by the history. Unlike ``drop``, which may be reused after the session is released, it is unique.
    fileprivate(set) var number = 0
    /// Whether the drop is undone, which the rows show instead of the result.
    var undone = Undone.none

    /// The title while the name of the content is unknown.
    fileprivate var placeholder: String {
      agreedContent.map(ContentWords.name(of:)) ?? (isPaste ? "Pasted" : "Drop")
    }

    /// The agreed type, if it is neither a list of files nor a file.
    private var agreedContent: ContentType? {
      type.flatMap { FileList.reads($0) || $0 == .directSave ? nil : $0 }
    }

    /// The number of parts, including parts that are not kept.
    var partCount: Int { parts.count + surplus }

    /// Returns the title of a part. If that only names its type, the promised name replaces it.
    fileprivate func title(of part: Part) -> String { part.isNamedByType ? name ?? part.title : part.title }

    /// The icon until the parts arrive: for the name if it is known, or else for the type.
    fileprivate var placeholderIcon: Scene.Icon? {
      let named = name.flatMap { TypeDatabase.system.type(forFileName: Array($0.utf8)) }
      return (named ?? agreedContent).map { Scene.Icon(type: TypeDatabase.system.canonical($0).name) }
    }

    /// The title of the record's first line.
    var title: String {
      switch parts.count {
      case 0: name ?? placeholder
      case 1: title(of: parts[0])
      default: Formatting.count(partCount, "item")
      }
    }
  }

  enum Undone {
    case none, inPart, complete
  }

  /// A row of the history in the window.
  struct Line {
    /// The record's number, and the part's number from 1, or 0 for the whole record.
    struct ID: Hashable {
      let record: Int
      let part: Int
    }

    let id: ID
    /// The drop of the record; `nil` for other entries.
    let drop: ObjectIdentifier?
    let row: Scene.Row
    let parts: [Part]
    /// The facts that the pane shows.
    let facts: [Scene.Pane.Fact]
    /// The output of the command for the whole drop; empty for its parts.
    let output: String
  }

  private(set) var records: [Record] = []
  private(set) var heldBytes = 0
  /// The maximum of ``heldBytes``.
  private let budget: Int
  private var lastNumber = 0
  /// Older entries remain in the terminal output.
  private static let mostRecords = 100
  static let mostParts = 100
  static let standardBudget = 64 << 20

  /// - Parameter budget: The maximum size of pictures and draggable content, in bytes.
  init(budget: Int = Self.standardBudget) { self.budget = budget }

  /// Adds a record as the newest.
  ///
  /// - Returns: The line of the whole record, the first one in the window.
  @discardableResult
  mutating func begin(_ record: Record) -> Line.ID {
    lastNumber += 1
    var record = record
    record.number = lastNumber
    for index in record.parts.indices { record.parts[index].shortenText() }
    records.insert(record, at: 0)
    if records.count > Self.mostRecords { records.removeLast() }
    keepToBudget()
    return Line.ID(record: lastNumber, part: 0)
  }

  /// Adds a part to a drop's record, or as a new record if there is none for the drop.
  mutating func add(_ part: Part, to drop: ObjectIdentifier?) {
    guard let drop, let index = records.firstIndex(where: { $0.drop == drop }) else {
      begin(Record(drop: nil, parts: [part]))
      return
    }
    // The record of the failed file shows this reason already.
    if part.state == .error, records[index].parts.contains(where: { $0.state == .error && $0.details == part.title }) {
      return
    }
    guard records[index].parts.count < Self.mostParts else { return records[index].surplus += 1 }
    var part = part
    part.shortenText()
    records[index].parts.append(part)
    keepToBudget()
  }

  /// Changes the record of a drop, if it is still in the history.
  mutating func update(_ drop: ObjectIdentifier, _ change: (inout Record) -> Void) {
    if let index = records.firstIndex(where: { $0.drop == drop }) { change(&records[index]) }
    keepToBudget()
  }

  /// Changes the record with a number, if it is still in the history.
  mutating func update(number: Int, _ change: (inout Record) -> Void) {
    if let index = records.firstIndex(where: { $0.number == number }) { change(&records[index]) }
  }

  /// Discards content, oldest first, until the budget is kept.
  private mutating func keepToBudget() {
    heldBytes = records.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.heldBytes } }
    for record in records.indices.reversed() {
      for part in records[record].parts.indices where heldBytes > budget && records[record].parts[part].heldBytes > 0 {
        heldBytes -= records[record].parts[part].heldBytes
        records[record].parts[part].discardContent()
      }
    }
  }

  /// The rows: one for each drop, followed by its parts if there are several.
  var lines: [Line] { records.flatMap(\.lines) }
}

extension DropHistory.Record {
  fileprivate var lines: [DropHistory.Line] {
    let (outcome, hasFailed, parts) = shown
    let news = activity?.words ?? ending ?? outcome
    guard parts.count != 1 else {
      let part = parts[0]
      // The reason why nothing arrived is shown below the name of the drop.
      if drop != nil, part.state == .error, part.details.isEmpty {
        return [line(0, name ?? placeholder, part.title, .error, nil, [], facts(outcome))]
      }
      let isReason = part.state == .error && activity == nil && !part.details.isEmpty
      let details = news.isEmpty || isReason ? part.details : news
      return [
        line(
          0, title(of: part), details, hasFailed ? .error : part.state, part.icon, parts, part.facts + facts(outcome))
      ]
    }
    let items = parts.isEmpty ? [] : [Scene.Pane.Fact("Items", Formatting.number(partCount))]
    let icon = parts.isEmpty ? placeholderIcon : Scene.Icon(.several)
    let details = !news.isEmpty ? news : parts.isEmpty ? "receiving" : "received"
    let state: Scene.Row.State = hasFailed ? .error : undone == .complete ? .dimmed : .plain
    return [line(0, title, details, state, icon, parts, items + facts(outcome))]
      + parts.enumerated().map { line($0 + 1, $1.title, $1.details, $1.state, $1.icon, [$1], $1.facts) }
  }

  /// The facts about the whole drop, for the pane.
  private func facts(_ outcome: String) -> [Scene.Pane.Fact] {
    // While work is in progress, the row shows how far it has got.
    let status = activity == nil ? [ending ?? outcome, remark].filter { !$0.isEmpty }.joined(separator: ", ") : ""
    return [("From", origin), ("Time", time), ("Status", status)].filter { !$0.1.isEmpty }
      .map { Scene.Pane.Fact($0.0, $0.1) }
  }

  /// The result and the parts as the rows show them.
  private var shown: (outcome: String, hasFailed: Bool, parts: [DropHistory.Part]) {
    switch undone {
    case .none: return (done ?? outcome, hasFailed, parts)
    case .inPart: return ("undone in part", hasFailed, parts.map { $0.isUndone ? $0.undone("undone") : $0 })
    case .complete: return ("undone", false, parts.map { $0.undone("") })
    }
  }

  private func line(
    _ part: Int, _ title: String, _ details: String, _ state: Scene.Row.State, _ icon: Scene.Icon?,
    _ parts: [DropHistory.Part], _ facts: [Scene.Pane.Fact]
  ) -> DropHistory.Line {
    // Reserves the icon's place, so that names do not move when an icon arrives.
    let icon = icon ?? Scene.Icon(.unknown)
    var row = Scene.Row(title, secondary: details, state: state, icon: icon, wraps: part == 0 || state == .error)
    if part == 0, let activity {
      row.progress = activity.progress
      row.action = activity.action
    }
    return DropHistory.Line(
      id: DropHistory.Line.ID(record: number, part: part), drop: drop, row: row, parts: parts, facts: facts,
      output: part == 0 ? output : "")
  }
}
