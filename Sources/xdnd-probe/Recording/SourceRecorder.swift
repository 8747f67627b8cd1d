import DragRecording
import ScriptedClient
import ToolSupport
import XDnD

/// A scripted drag source that records the target's behavior.
final class SourceRecorder {
  private let items: [DragItem]
  private let options: SharedOptions
  private let reporter: Reporter
  private let driver: DragAndDrop
  private let target: WindowID
  private let loop: EventLoop
  private let log: RecordingLog

  /// - Throws: An ``XDnDError`` if there is no server, or `WindowChoice.Failure`.
  init(
    to choice: WindowChoice, items: [DragItem], options: SharedOptions, file: LineFile, reporter: Reporter
  ) throws {
    self.items = items
    self.options = options
    self.reporter = reporter
    driver = try DragAndDrop(connectingTo: options.display, configuration: options.configuration)
    guard let display = driver.display else { throw XDnDError.displayClosed }
    let target = try choice.resolve(on: display)
    self.target = target
    driver.tamper = options.misbehavior(of: .source)
    loop = EventLoop(driver)
    var header = Recording(role: .source)
    header.display = options.display
    if let looker = ScriptedClient(connectingTo: options.display) {
      header.peer = PeerProgram(of: target, seenBy: looker).recorded(by: target)
      header.target = looker.frame(of: target).map { Recording.Target(window: target, frame: $0) }
    }
    log = RecordingLog(header, to: file)
  }

  func run() -> ExitStatus {
    log.onFailure = { [loop] in loop.stop(.transferFailed) }
    driver.onWireEvent = { [log] in log.take($0) }
    if let timeout = options.timeout {
      loop.after(timeout) { [reporter, loop] in
        reporter.print(Report("timed-out", "Timed out."))
        loop.stop(.timedOut)
      }
    }
    let session = driver.drop(items, on: target, delegate: self)
    let status = loop.run {
      session.cancel()
      loop.stop(.cancelled)
    }
    if status == .serverLost { reporter.printServerLost(as: "xdnd-probe") }
    driver.onWireEvent = nil
    return status
  }
}

extension SourceRecorder: DragDelegate {
  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    reporter.print(
      Report("drop-sent", "Dropped (\(operation)).", ["operation": .string(operation.description)]))
  }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    reporter.print(
      Report(
        "sent", (successfully ? "Sent " : "Not sent: ") + Humane.visible(type.name) + ".",
        ["type": .string(type.name), "ok": .boolean(successfully)]))
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    let status = ExitStatus(outcome)
    reporter.print(
      Report("ended", "Ended: \(status.word); \(log.count) entries.", ["outcome": .string(status.word)]))
    // The target may request more after XdndFinished, which belongs to the recording.
    loop.after(0.3) { [loop] in loop.stop(status) }
  }
}
