import ToolSupport
import XDnD

/// How the tool ends.
extension SourceController {
  /// Ends, but lets a drop that is under way finish for a while; the second time it does not.
  func close() {
    guard !isEnding, isDelivering else {
      if let drag, drag.outcome == nil {
        // The end of the drag ends the loop too, with its own code.
        drag.cancel()
      }
      return loop.stop(.cancelled)
    }
    isEnding = true
    if pendingStatus == nil, let lastDrag, lastDrag.isWriting { pendingStatus = lastDrag.outcome.map(ExitStatus.init) }
    updateScene(footer: "Ends when the target has everything; once more ends it now")
    loop.after(settings.drag.grace) { [unowned self] in close() }
  }

  func timeOut() {
    reporter.print(.timedOut)
    // First, for the end of the drag would end the loop with a code of its own.
    loop.stop(.timedOut)
    drag?.cancel()
  }

  /// Whether a target is at work with what it was given.
  private var isDelivering: Bool { log.transfers.isDropped || log.transfers.isUnderWay || lastDrag?.isWriting ?? false }

  /// A drag has ended: ends the tool if it was to be the last.
  func ended(_ drag: DragSession, _ outcome: DragOutcome) {
    lastDrag = drag
    guard isLast(outcome) else { return }
    let status = ExitStatus(outcome)
    // The target does not wait for a file that takes long; we do.
    if drag.isWriting { pendingStatus = status } else { loop.stop(status) }
  }

  /// A transfer has ended, which can be after the drag: ends the tool if it was asked to end meanwhile.
  func endIfDelivered() {
    guard isEnding, drag == nil, !isDelivering else { return }
    loop.stop(lastDrag?.outcome.map(ExitStatus.init) ?? .cancelled)
  }

  /// Ends the tool if it waits for nothing but this.
  func endIfWritten(_ drag: DragSession) {
    guard let pendingStatus, !drag.isWriting else { return }
    loop.stop(pendingStatus)
  }

  private func isLast(_ outcome: DragOutcome) -> Bool {
    if isEnding || settings.drag.now { return true }
    if settings.shared.once { return outcome != .cancelled(.buttonReleased) }
    guard outcome.operation != nil else { return false }
    return settings.drag.andExit == .first || areAllTaken
  }

  /// Whether there is nothing left to drag: what `--and-exit all` waits for.
  var areAllTaken: Bool { settings.drag.andExit == .all && names == nil && marks.count == rows.count }

  /// Says what has become of the rows; what was copied stays as selected as it was.
  func mark(_ outcome: DragOutcome) {
    guard let operation = outcome.operation else { return }
    if operation == .move {
      for row in draggedRows { marks[row] = "moved" }
      selection.deselect(draggedRows)
    } else if settings.drag.andExit == .all {
      for row in draggedRows where marks[row] == nil { marks[row] = "taken" }
    }
  }
}
