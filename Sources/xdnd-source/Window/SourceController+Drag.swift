import ToolSupport
import XDnD

/// Drag session callbacks.
extension SourceController: DragDelegate {
  func dragBegan(_ drag: DragSession) {
    grabDeadline = nil
    log(of: drag).began()
  }

  func drag(_ drag: DragSession, movedOver target: WindowID?) { reporter.print(.target(target)) }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) { reporter.print(.proposal(operation)) }

  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    log(of: drag).dropped(operation)
    updateScene(footer: "Dropped, waiting for the target")
    takeHeldMotion()
  }

  func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType) {
    if log(of: drag).sent(bytes, of: type) { updateScene() }
  }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    log(of: drag).finishedSending(type, successfully: successfully)
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

  func dragRequestsDeletion(_ drag: DragSession) { log(of: drag).deletionRequested() }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    guard !triesAgain(after: outcome) else { return }
    log(of: drag).ended(outcome)
    // The target may still request the content after `XdndFinished`, or never request it.
    updateScene()
    takeHeldMotion()
  }

  func dragReleased(_ drag: DragSession) {
    guard let log = logs.removeValue(forKey: ObjectIdentifier(drag)) else { return }
    log.stopLingering()
  }

  /// Returns the log of a drag. The first call for a drag creates it, with the rows in ``draggedRows``.
  private func log(of drag: DragSession) -> DragLog {
    if let log = logs[ObjectIdentifier(drag)] { return log }
    let log = DragLog(drag, rows: draggedRows, of: rows, reporter, on: loop, linger: settings.drag.linger) {
      [unowned self] in ended($0, $1)
    }
    logs[ObjectIdentifier(drag)] = log
    return log
  }
}

/// A drag that starts at once, without a held button (`--now`).
extension SourceController {
  /// How long to retry: the key that launched the tool may still hold a keyboard grab.
  private static let grabPatience = Duration.seconds(1)

  func beginNow() {
    if grabDeadline == nil { grabDeadline = .now + Self.grabPatience }
    driver.beginDrag(
      items(ofRows: Array(rows.indices)), preview: preview, button: nil, at: driver.serverTime, policy: .firstOffered,
      delegate: self)
  }

  /// Whether the drag failed to grab the pointer or keyboard and is started again.
  private func triesAgain(after outcome: DragOutcome) -> Bool {
    guard settings.drag.now, let grabDeadline, grabDeadline > .now, outcome == .cancelled(.grabLost) else {
      return false
    }
    loop.after(0.02) { [unowned self] in beginNow() }
    return true
  }
}
