import XDnDFileOperations
import XDnDToolSupport

/// The saved drops that can be undone, and the undo in progress.
final class UndoStack {
  /// Called with the report of each file that could not be restored or removed.
  var onProblem: (Report) -> Void = { _ in }
  /// Called at the end of each undo, with the number of the drop's record.
  var onEnd: (_ record: Int?, _ isComplete: Bool) -> Void = { _, _ in }

  private struct Entry {
    let undoable: Undoable
    /// The number of the drop's record in the history.
    let record: Int?
  }

  private let reporter: Reporter
  private let loop: EventLoop
  private var entries: [Entry] = []
  private var current: WatchedFileTask?
  private var waiting: [Entry] = []

  init(reporter: Reporter, on loop: EventLoop) {
    self.reporter = reporter
    self.loop = loop
  }

  var isEmpty: Bool { entries.isEmpty }

  var isIdle: Bool { current == nil }

  /// - Parameter record: The number of the drop's record in the history, if it has one.
  func push(_ undoable: Undoable, record: Int?) { entries.append(Entry(undoable: undoable, record: record)) }

  /// Undoes the last saved drop, unless an undo is in progress.
  func undo() {
    guard current == nil, let entry = entries.popLast() else { return }
    begin(entry)
  }

  /// Undoes a saved drop, after the undo in progress.
  func undo(_ undoable: Undoable) {
    guard let index = entries.lastIndex(where: { $0.undoable == undoable }) else { return }
    begin(entries.remove(at: index))
  }

  /// Cancels the undo in progress without leaving partial files.
  func stop() { current?.stop() }

  private func begin(_ entry: Entry) {
    guard current == nil else { return waiting.append(entry) }
    do {
      let task = try FileTask(undoing: entry.undoable) { [weak self] event in
        if case .finished(let report) = event { self?.finished(report, record: entry.record) }
      }
      current = WatchedFileTask(task, on: loop)
    } catch {
      entries.append(entry)
      reporter.print("not-undone", "Cannot undo: \(error).", ["reason": .string(error.description)])
    }
  }

  private func finished(_ report: OperationReport, record: Int?) {
    if !report.undoable.isEmpty { push(report.undoable, record: record) }
    var results = report.results[...]
    loop.work { [weak self] in
      guard let self else { return false }
      guard let result = results.popFirst() else {
        end(record, isComplete: report.undoable.isEmpty)
        return false
      }
      let line = Report(result, nil)
      reporter.print(line)
      if line.event == "not-saved" { onProblem(line) }
      return true
    }
  }

  private func end(_ record: Int?, isComplete: Bool) {
    current = nil
    reporter.print(
      "undone", isComplete ? "Undone." : "Undone in part; see the lines above.", ["complete": .boolean(isComplete)])
    while current == nil, !waiting.isEmpty { begin(waiting.removeFirst()) }
    onEnd(record, isComplete)
  }
}
