import ToolSupport
import XDnD

/// What becomes of a drag.
extension SourceController: DragDelegate {
  func dragBegan(_ drag: DragSession) {
    grabDeadline = nil
    reporter.print(.began(drag, draggedRows.map { rows[$0].title }))
  }

  func drag(_ drag: DragSession, movedOver target: WindowID?) { reporter.print(.target(target)) }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) { reporter.print(.proposal(operation)) }

  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    transfers.isDropped = true
    reporter.print(.dropSent(operation))
    updateScene(footer: "Dropped, waiting for the target")
  }

  func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType) {
    let total = type == .uriList || draggedRows.count != 1 ? nil : rows[draggedRows[0]].size
    let news = transfers.sent(bytes, of: type, total: total)
    if news.isDue { reporter.printForPrograms(.progress(news.byteCount, of: type, total: total)) }
    guard news.isVisible else { return }
    reporter.progressBar?.show(
      draggedRows.count == 1 ? rows[draggedRows[0]].title : type.name, news.byteCount, of: total)
    updateScene()
  }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    transfers.finished(type)
    reporter.print(.sent(type, isSuccessful: successfully))
    endIfDelivered()
  }

  func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int) {
    reporter.print(.saved(file, byteCount: byteCount))
    endIfWritten(drag)
  }

  func drag(_ drag: DragSession, failedToSave error: XDnDError) {
    reporter.print(.notSaved(error))
    if pendingStatus == .dropped { pendingStatus = .transferFailed }
    endIfWritten(drag)
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    guard !triesAgain(after: outcome) else { return }
    transfers.isDropped = false
    reporter.print(.ended(drag, outcome))
    self.drag = nil
    mark(outcome)
    updateScene(footer: outcome.sentence)
    ended(drag, outcome)
  }
}

/// A drag that begins at once, with no button held.
extension SourceController {
  /// The key that has started the tool may hold the keyboard for a moment more.
  private static let grabPatience = Duration.seconds(1)

  func beginNow() {
    if grabDeadline == nil { grabDeadline = .now + Self.grabPatience }
    began(
      driver.beginDrag(
        items(ofRows: Array(rows.indices)), preview: preview, button: nil, at: driver.serverTime, policy: .firstOffered,
        delegate: self))
  }

  /// Whether the drag could not begin, and is begun once more.
  private func triesAgain(after outcome: DragOutcome) -> Bool {
    guard settings.drag.now, let grabDeadline, grabDeadline > .now, outcome == .cancelled(.grabLost) else {
      return false
    }
    loop.after(0.02) { [unowned self] in beginNow() }
    return true
  }
}
