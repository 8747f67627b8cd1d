import XDnDFileOperations
import XDnDToolSupport

/// The saved drops that can be undone, and the undo in progress.
final class UndoStack {
  /// Called with the report of each file that was restored or removed.
  var onFile: (Report) -> Void = { _ in }
  var onEnd: () -> Void = {}

  private let reporter: Reporter
  private let loop: EventLoop
  private var undoables: [Undoable] = []
  private var current: WatchedFileTask?
  private var waiting: [Undoable] = []

  init(reporter: Reporter, on loop: EventLoop) {
    self.reporter = reporter
    self.loop = loop
  }

  var isEmpty: Bool { undoables.isEmpty }

  var isIdle: Bool { current == nil }

  func push(_ undoable: Undoable) { undoables.append(undoable) }

  /// Undoes the last saved drop, unless an undo is in progress.
  func undo() {
    guard current == nil, let undoable = undoables.popLast() else { return }
    begin(undoable)
  }

  /// Undoes a saved drop, after the undo in progress.
  func undo(_ undoable: Undoable) {
    guard let index = undoables.lastIndex(of: undoable) else { return }
    begin(undoables.remove(at: index))
  }

  /// Cancels the undo in progress without leaving partial files.
  func stop() { current?.stop() }

  private func begin(_ undoable: Undoable) {
    guard current == nil else { return waiting.append(undoable) }
    do {
      let task = try FileTask(undoing: undoable) { [weak self] event in
        if case .finished(let report) = event { self?.finished(report) }
      }
      current = WatchedFileTask(task, on: loop)
    } catch {
      undoables.append(undoable)
      reporter.print("not-undone", "Cannot undo: \(error).", ["reason": .string(error.description)])
    }
  }

  private func finished(_ report: OperationReport) {
    if !report.undoable.isEmpty { undoables.append(report.undoable) }
    var results = report.results[...]
    loop.work { [weak self] in
      guard let self else { return false }
      guard let result = results.popFirst() else {
        end(isComplete: report.undoable.isEmpty)
        return false
      }
      let line = Report(result, nil)
      reporter.print(line)
      onFile(line)
      return true
    }
  }

  private func end(isComplete: Bool) {
    current = nil
    reporter.print(
      "undone", isComplete ? "Undone." : "Undone in part; see the lines above.", ["complete": .boolean(isComplete)])
    while current == nil, !waiting.isEmpty { begin(waiting.removeFirst()) }
    onEnd()
  }
}
