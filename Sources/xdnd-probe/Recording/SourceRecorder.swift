import XDnDConformance
import XDnDToolSupport
import XDnD

/// A scripted drag source that records the target's behavior.
final class SourceRecorder {
  private let items: [DragItem]
  private let target: WindowID
  private let session: DriverSession
  private let log: RecordingLog
  /// How the drag has ended; the target may still request more, which belongs to the recording.
  private var outcome: DragOutcome?
  private var hasDelivered = false
  private var hasFailed = false

  /// How long to wait, in seconds, for the first request of a target that has finished without one (as xdnd-source
  /// waits), and for another request of a target that has the content.
  private static let patience = (first: 10.0, next: 0.3)

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
    if successfully { hasDelivered = true } else { hasFailed = true }
    if outcome != nil { endIfDone(drag, after: Self.patience.next) }
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    self.outcome = outcome
    let isAwaited = outcome.operation != nil && !drag.isContentRequested
    endIfDone(drag, after: isAwaited ? Self.patience.first : Self.patience.next)
  }

  private func endIfDone(_ drag: DragSession, after seconds: Double) {
    session.loop.after(seconds) { [self] in
      // A running transfer is completed first; its end calls this method again.
      guard let outcome, !drag.isSending, !session.loop.isStopping else { return }
      let status = ExitStatus(
        outcome, isRequested: drag.isContentRequested, hasDelivered: hasDelivered, hasFailed: hasFailed)
      session.reporter.print(
        "ended", outcome.sentence(as: status, of: drag, by: "xdnd-probe"), ["outcome": .string(outcome.word)])
      session.loop.stop(status)
    }
  }
}
