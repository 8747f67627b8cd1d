import XDnDConformance
import XDnDToolSupport
import XDnD

/// A scripted drag source that records the target's behavior.
final class SourceRecorder {
  private let items: [DragItem]
  private let target: WindowID
  private let session: DriverSession
  private let log: RecordingLog

  init(to target: WindowID, items: [DragItem], _ session: DriverSession, file: LineFile) {
    self.items = items
    self.target = target
    self.session = session
    var header = Recording(role: .source)
    header.display = session.options.display
    // A separate connection, so that its requests are not recorded.
    if let client = ScriptedClient(connectingTo: session.options.display) {
      header.peer = Recording.Peer(of: target, seenBy: client)
      header.target = client.frame(of: target).map { Recording.Target(window: target, frame: $0) }
    }
    log = RecordingLog(header, to: file)
  }

  func run() -> ExitStatus {
    log.onFailure = { [session] in session.loop.stop(.transferFailed) }
    session.driver.onWireEvent = { [log] in log.take($0) }
    let drag = session.driver.drop(items, on: target, delegate: self)
    let status = session.run { [session] in
      drag.cancel()
      session.loop.stop(.cancelled)
    }
    session.driver.onWireEvent = nil
    return status
  }
}

extension SourceRecorder: DragDelegate {
  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    session.reporter.print(.dropSent(operation))
  }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    session.reporter.print(.sent(type, isSuccessful: successfully))
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    let status = ExitStatus(outcome)
    session.reporter.print(
      "ended", outcome.sentence(as: status, of: drag, by: "xdnd-probe"), ["outcome": .string(outcome.word)])
    // The target may request more after XdndFinished, which belongs to the recording.
    session.loop.after(0.3) { [session] in session.loop.stop(status) }
  }
}
