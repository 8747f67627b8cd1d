import ToolSupport
import ToolWindow
import XDnD

/// How the tool ends.
extension SourceController {
  /// Ends the tool. A drop in progress may finish within ``DragOptions/grace``; a second call ends at once.
  func close() {
    guard !isEnding, isDelivering else {
      // Stops the loop first: the end of a drag would stop it with a status of its own.
      loop.stop(.cancelled)
      return cancelDrags()
    }
    isEnding = true
    updateScene(footer: "Ends when the target has everything; once more ends it now")
    loop.after(settings.drag.grace) { [unowned self] in close() }
    for log in openLogs {
      if log.isDelivering { log.stopLingering() } else { log.drag.cancel() }
    }
    endIfDelivered()
  }

  func timeOut() {
    reporter.print(.timedOut)
    // Stops the loop first: the end of a drag would stop it with a status of its own.
    loop.stop(.timedOut)
    cancelDrags()
  }

  private func cancelDrags() {
    for log in openLogs { log.drag.cancel() }
  }

  /// Whether the tool ends with the first drag (`--once`) or the first successful drop (`--and-exit first`).
  var endsWithFirstDrop: Bool { settings.shared.once || settings.drag.andExit == .first }

  /// Whether a target is still receiving the content of a drop.
  private var isDelivering: Bool { logs.values.contains(where: \.isDelivering) }

  /// Handles the end of a drag; ends the tool if it was the last one.
  func ended(_ log: DragLog, _ outcome: DragOutcome) {
    guard let status = log.status else { return }
    lastStatus = status
    if status == .dropped, let operation = outcome.operation { mark(log.rows, operation) }
    updateScene(footer: outcome.sentence(as: status))
    guard isLast(outcome, status) else { return }
    // The target does not wait for a promised file that takes long to write; the tool does.
    if log.drag.isWriting { pendingStatus = status } else { loop.stop(status) }
  }

  /// Ends the tool if it was asked to end and no transfer is in progress. Transfers can outlast the drag.
  func endIfDelivered() {
    guard isEnding, !isDelivering else { return }
    loop.stop(pendingStatus ?? lastStatus ?? .cancelled)
  }

  /// Ends the tool if it only waited for this drag's promised files.
  func endIfWritten(_ drag: DragSession) {
    endIfDelivered()
    guard let pendingStatus, !drag.isWriting else { return }
    loop.stop(pendingStatus)
  }

  private func isLast(_ outcome: DragOutcome, _ status: ExitStatus) -> Bool {
    if isEnding { return !isDelivering }
    if settings.drag.now { return true }
    if settings.shared.once { return outcome != .cancelled(.buttonReleased) }
    guard status == .dropped else { return false }
    return settings.drag.andExit == .first || areAllTaken
  }

  /// Whether every row has been dropped, as `--and-exit all` requires.
  var areAllTaken: Bool { settings.drag.andExit == .all && names == nil && marks.count == rows.count }

  /// Marks rows as moved or taken. Copied rows keep their selection.
  private func mark(_ rows: [Int], _ operation: DragOperation) {
    if operation == .move {
      for row in rows { marks[row] = "moved" }
      selection.deselect(rows)
    } else if settings.drag.andExit == .all {
      for row in rows where marks[row] == nil { marks[row] = "taken" }
    }
  }
}
