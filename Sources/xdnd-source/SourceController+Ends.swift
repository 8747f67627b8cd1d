import ToolSupport
import ToolWindow
import XDnD

/// How the tool ends.
extension SourceController {
  /// Ends, but lets a drop that is under way finish for a while; the second time it does not.
  func close() {
    guard !isEnding, isDelivering else {
      // First, for the end of a drag would end the loop with a code of its own.
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
    // First, for the end of the drag would end the loop with a code of its own.
    loop.stop(.timedOut)
    cancelDrags()
  }

  private func cancelDrags() {
    for log in openLogs { log.drag.cancel() }
  }

  /// Whether the tool ends with the first drag, or with the first that is taken.
  var endsWithFirstDrop: Bool { settings.shared.once || settings.drag.andExit == .first }

  /// Whether a target is at work with what it was given.
  private var isDelivering: Bool { logs.values.contains(where: \.isDelivering) }

  /// A drag is over: ends the tool if it was to be the last.
  func ended(_ log: DragLog, _ outcome: DragOutcome) {
    guard let status = log.status else { return }
    lastStatus = status
    if status == .dropped, let operation = outcome.operation { mark(log.rows, operation) }
    updateScene(footer: outcome.sentence(as: status))
    guard isLast(outcome, status) else { return }
    // The target does not wait for a file that takes long; we do.
    if log.drag.isWriting { pendingStatus = status } else { loop.stop(status) }
  }

  /// Ends the tool if it was asked to end, and nothing is under way any more: that can be after the drag.
  func endIfDelivered() {
    guard isEnding, !isDelivering else { return }
    loop.stop(pendingStatus ?? lastStatus ?? .cancelled)
  }

  /// Ends the tool if it waits for nothing but this.
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

  /// Whether there is nothing left to drag: what `--and-exit all` waits for.
  var areAllTaken: Bool { settings.drag.andExit == .all && names == nil && marks.count == rows.count }

  /// Says what has become of rows; what was copied stays as selected as it was.
  private func mark(_ rows: [Int], _ operation: DragOperation) {
    if operation == .move {
      for row in rows { marks[row] = "moved" }
      selection.deselect(rows)
    } else if settings.drag.andExit == .all {
      for row in rows where marks[row] == nil { marks[row] = "taken" }
    }
  }
}
