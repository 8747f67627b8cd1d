import XDnDFileOperations
import XDnDToolSupport
import XDnDToolWindow

/// The saved drops that can be undone and redone, and the undo or redo in progress.
final class UndoStack {
  enum Action {
    case undo, redo
  }

  /// How much of a drop was undone or redone.
  enum Extent {
    case complete, part, nothing
  }

  /// Called with the report of each file that could not be restored, moved or removed.
  var onProblem: (Report) -> Void = { _ in }
  /// Called at the end of each undo and redo, with the number of the drop's record.
  var onEnd: (_ action: Action, _ record: Int?, Extent) -> Void = { _, _, _ in }

  private struct Entry {
    /// The steps to carry out.
    var steps: Undoable
    /// The number of the drop's record in the history.
    let record: Int?
    var action = Action.undo
    /// Whether the undo can be redone: not for a drop that the user has cancelled.
    var isRedoable = true
  }

  /// Leaves room for the hints of other keys.
  private static let nameLimit = LabelLimit(scalarCount: 24)

  private let reporter: Reporter
  private let loop: EventLoop
  private var done: [Entry] = []
  /// The undone drops, until another one is saved.
  private var undone: [Entry] = []
  private var current: WatchedFileTask?
  private var waiting: [Entry] = []

  init(reporter: Reporter, on loop: EventLoop) {
    self.reporter = reporter
    self.loop = loop
  }

  var canUndo: Bool { !done.isEmpty }

  /// The hints for the undo and redo keys; empty if there is nothing to undo or redo.
  var hints: [String] {
    (done.last.map { ["Ctrl+Z undoes \(Self.name(of: $0))"] } ?? [])
      + (undone.isEmpty ? [] : ["Ctrl+Shift+Z redoes it"])
  }

  private static func name(of entry: Entry) -> String {
    let names = entry.steps.names
    return names.count == 1
      ? Formatting.quoted(Formatting.visible(names[0]).clipped(to: nameLimit)) : Formatting.count(names.count, "item")
  }

  var isIdle: Bool { current == nil }

  /// Adds a saved drop. Drops that were undone before can no longer be redone.
  ///
  /// - Parameter record: The number of the drop's record in the history, if it has one.
  func push(_ undoable: Undoable, record: Int?) {
    undone = []
    done.append(Entry(steps: undoable, record: record))
  }

  /// Undoes the last saved drop, unless an undo or redo is in progress.
  func undo() {
    guard current == nil, let entry = done.popLast() else { return }
    begin(entry)
  }

  /// Saves the last undone drop again, unless an undo or redo is in progress.
  func redo() {
    guard current == nil, let entry = undone.popLast() else { return }
    begin(entry)
  }

  /// Undoes a drop that the user has cancelled, after the undo or redo in progress. It cannot be redone.
  func undo(_ undoable: Undoable) {
    guard let index = done.lastIndex(where: { $0.steps == undoable }) else { return }
    var entry = done.remove(at: index)
    entry.isRedoable = false
    begin(entry)
  }

  /// Cancels the undo or redo in progress without leaving partial files.
  func stop() { current?.stop() }

  private func begin(_ entry: Entry) {
    guard current == nil else { return waiting.append(entry) }
    do {
      let task = try FileTask(undoing: entry.steps) { [weak self] event in
        if case .finished(let report) = event { self?.finished(report, entry) }
      }
      current = WatchedFileTask(task, on: loop)
    } catch {
      keep(entry)
      let event = entry.action == .undo ? "not-undone" : "not-redone"
      reporter.print(event, "Cannot \(entry.action): \(error).", ["reason": .string(error.description)])
    }
  }

  /// Puts an entry back on its stack, if it has steps left.
  private func keep(_ entry: Entry) {
    guard !entry.steps.isEmpty else { return }
    switch entry.action {
    case .undo: done.append(entry)
    case .redo: undone.append(entry)
    }
  }

  private func finished(_ report: OperationReport, _ entry: Entry) {
    var left = entry
    left.steps = report.undoable
    keep(left)
    keepOpposite(report.redoable, of: entry)
    var results = report.results[...]
    let extent =
      report.undoable.isEmpty ? Extent.complete : report.undoable == entry.steps ? .nothing : .part
    loop.work { [weak self] in
      guard let self else { return false }
      guard let result = results.popFirst() else {
        end(entry, extent)
        return false
      }
      let line = Report(result, nil)
      reporter.print(line)
      if line.event == "not-saved" { onProblem(line) }
      return true
    }
  }

  /// Keeps the steps that reverse a finished undo or redo.
  private func keepOpposite(_ steps: Undoable, of entry: Entry) {
    guard !steps.isEmpty, entry.isRedoable else { return }
    switch entry.action {
    case .undo: undone.append(Entry(steps: steps, record: entry.record, action: .redo))
    case .redo:
      // The top entry is the rest of this drop, which was undone in part.
      if let last = done.last, last.record == entry.record, last.record != nil {
        done[done.count - 1].steps = last.steps + steps
      } else {
        done.append(Entry(steps: steps, record: entry.record))
      }
    }
  }

  private func end(_ entry: Entry, _ extent: Extent) {
    current = nil
    let participle = entry.action == .undo ? "undone" : "redone"
    let sentence =
      switch extent {
      case .complete: "\(participle.capitalizedFirst)."
      case .part: "\(participle.capitalizedFirst) in part; see the lines above."
      case .nothing: "Nothing was \(participle); see the lines above."
      }
    reporter.print(participle, sentence, ["complete": .boolean(extent == .complete)])
    while current == nil, !waiting.isEmpty { begin(waiting.removeFirst()) }
    onEnd(entry.action, entry.record, extent)
  }
}
