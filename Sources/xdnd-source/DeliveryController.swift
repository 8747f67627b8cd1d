import ToolSupport
import XDnD

/// A drop on a given window without a pointer, and without a window of its own.
final class DeliveryController {
  private let rows: [SourceRow]
  private let settings: SourceSettings
  private let course: DropOptions
  private let reporter: Reporter
  private let driver: DragAndDrop
  private let loop: EventLoop
  private let target: WindowID
  private var drag: DragSession?
  private var log: DragLog
  /// How the drop has ended while a file of it is still written.
  private var pendingStatus: ExitStatus?

  /// - Throws: `WindowChoice.Failure`, or an ``XDnDError``.
  init(
    _ rows: [SourceRow], to choice: WindowChoice, along course: DropOptions, settings: SourceSettings,
    reporter: Reporter
  ) throws {
    self.rows = rows
    self.settings = settings
    self.course = course
    self.reporter = reporter
    log = DragLog(of: rows, reporter)
    driver = try DragAndDrop(
      connectingTo: settings.shared.display, configuration: settings.shared.configuration)
    driver.tamper = settings.shared.misbehavior(of: .source)
    guard let display = driver.display else { throw XDnDError.displayClosed }
    // Before there is a loop, which takes the signals.
    target = try choice.resolve(on: display)
    loop = EventLoop(driver)
  }

  func run() -> ExitStatus {
    if let timeout = settings.shared.timeout {
      loop.after(timeout) { [unowned self] in
        reporter.print(.timedOut)
        loop.stop(.timedOut)
        drag?.cancel()
      }
    }
    drag = driver.drop(SourceRow.items(of: rows), on: target, at: course.at, along: path, delegate: self)
    let status = loop.run { [unowned self] in interrupted() }
    reporter.progressBar?.erase()
    if status == .serverLost { reporter.printServerLost(as: "xdnd-source") }
    return status
  }

  private var path: [Point] {
    guard let display = driver.display, let size = WindowChoice.size(of: target, on: display) else { return course.via }
    return course.path(to: course.at ?? Point(x: size.width / 2, y: size.height / 2))
  }

  /// What has been dropped is let finish for a while.
  private func interrupted() {
    guard log.transfers.isDropped || drag?.isWriting ?? false else {
      drag?.cancel()
      return loop.stop(.cancelled)
    }
    loop.after(settings.drag.grace) { [unowned self] in
      drag?.cancel()
      loop.stop(.cancelled)
    }
  }
}

extension DeliveryController: DragDelegate {
  func dragBegan(_ drag: DragSession) { log.began(drag) }

  func drag(_ drag: DragSession, movedOver target: WindowID?) { reporter.print(.target(target)) }

  func drag(_ drag: DragSession, answeredAt point: Point, with operation: DragOperation?) {
    reporter.print(.answer(operation, at: point))
  }

  func drag(_ drag: DragSession, dropped operation: DragOperation) { log.dropped(operation) }

  func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType) { _ = log.sent(bytes, of: type) }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    log.finishedSending(type, successfully: successfully)
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
    log.ended(drag, outcome)
    let status = ExitStatus(outcome)
    if drag.isWriting { pendingStatus = status } else { loop.stop(status) }
  }

  private func endIfWritten(_ drag: DragSession) {
    guard let pendingStatus, !drag.isWriting else { return }
    loop.stop(pendingStatus)
  }
}
