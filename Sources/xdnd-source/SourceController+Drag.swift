import ToolSupport
import XDnD

/// What becomes of a drag.
extension SourceController: DragDelegate {
  func dragBegan(_ drag: DragSession) {
    reporter.print(
      Report(
        "drag-began", "Dragging \(draggedRows.map { rows[$0].title }.joined(separator: ", ")).",
        [
          "types": .strings(drag.types.map(\.name)),
          "operations": .strings(drag.operations.map(\.description)),
        ]))
  }

  func drag(_ drag: DragSession, movedOver target: WindowID?) {
    reporter.print(
      target.map { Report("target", "Over window \($0).", ["window": .integer(Int($0.rawValue))]) }
        ?? Report("target", "Over nothing that takes drops.", ["window": nil]))
  }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) {
    reporter.print(
      operation.map { Report("proposal", "A drop would \($0).", ["operation": .string($0.description)]) }
        ?? Report("proposal", "A drop would do nothing."))
  }

  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    reporter.print(
      Report("drop-sent", "Dropped, to \(operation).", ["operation": .string(operation.description)]))
    updateScene(footer: "Dropped, waiting for the target")
  }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    reporter.print(
      Report(
        "sent", successfully ? "Sent \(type)." : "Could not send \(type).",
        ["type": .string(type.name), "ok": .boolean(successfully)]))
  }

  func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int) {
    let path = String(decoding: file, as: UTF8.self)
    reporter.print(
      Report(
        "saved", "Saved \(Humane.visible(RawArgument.string(file))): \(Humane.bytes(byteCount)).",
        ["path": .string(path), "bytes": .integer(byteCount)]))
    endIfWritten(drag)
  }

  func drag(_ drag: DragSession, failedToSave error: XDnDError) {
    reporter.print(
      Report("not-saved", "Not saved: \(Humane.visible(error.message)).", ["reason": .string(error.message)]))
    if pendingStatus == .dropped { pendingStatus = .transferFailed }
    endIfWritten(drag)
  }

  /// Ends the tool if it waits for nothing but this.
  private func endIfWritten(_ drag: DragSession) {
    guard let status = pendingStatus, !drag.isWriting else { return }
    loop.stop(status)
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    let status = ExitStatus(outcome)
    let sentence = outcome.sentence
    reporter.print(
      Report(
        "ended", sentence,
        [
          "outcome": .string(status.word), "operation": outcome.operation.map { .string($0.description) },
          "reason": outcome.reason.map { .string($0) }, "delete": .boolean(drag.isDeletionRequested),
        ]))
    self.drag = nil
    leave(outcome)
    updateScene(footer: sentence)
    guard options.once, outcome != .cancelled(.buttonReleased) else { return }
    // The target does not wait for a file that takes long; we do.
    if drag.isWriting { pendingStatus = status } else { loop.stop(status) }
  }

  /// Marks what is elsewhere now; what was copied stays as selected as it was.
  private func leave(_ outcome: DragOutcome) {
    guard outcome.operation == .move else { return }
    movedRows.formUnion(draggedRows)
    selection.deselect(draggedRows)
  }
}
