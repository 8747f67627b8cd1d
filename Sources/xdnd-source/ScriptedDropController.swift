import XDnDToolSupport
import XDnD

/// A scripted drop on a given window (`--to`), without pointer input and without a window.
final class ScriptedDropController {
  private let rows: [SourceRow]
  private let settings: SourceSettings
  private let course: DropOptions
  private let session: DriverSession
  private let display: OpaquePointer
  private let loop: EventLoop
  private let ending: RunEnding
  private let search: WindowSearch
  private var log: DragLog?

  /// - Throws: `WindowChoice.Failure` if the window is not found, or an ``XDnDError``.
  init(
    _ rows: [SourceRow], to choice: WindowChoice, along course: DropOptions, settings: SourceSettings,
    reporter: Reporter
  ) throws {
    self.rows = rows
    self.settings = settings
    self.course = course
    let driver = try DragAndDrop(
      connectingTo: settings.shared.display, configuration: settings.configuration)
    guard let display = driver.display else { throw XDnDError.displayClosed }
    self.display = display
    let timeout = settings.shared.timeout
    search = try WindowSearch(on: display, timeout: timeout, canWait: choice != .pick) {
      [driver] () throws(WindowChoice.Failure) in
      let window = try choice.resolve(on: display, within: timeout)
      guard driver.takesDrops(window, at: course.at) else {
        throw WindowChoice.Failure("window \(window) does not accept drops", .noTarget)
      }
      return window
    }
    session = DriverSession(driver, settings.shared, reporter, of: "xdnd-source")
    loop = session.loop
    ending = RunEnding(settings, isSingle: true, on: loop)
  }

  func run() -> ExitStatus {
    search.run(on: loop, session.reporter) { [unowned self] result in
      switch result {
      case .success(let window): drop(on: window)
      case .failure(let failure):
        Reporter.printError("xdnd-source", failure.sentence)
        session.reporter.printForPrograms(.ended(failure.status, failure.sentence))
        loop.stop(failure.status)
      }
    }
    return session.run(onTimeout: { [unowned self] in timeOut() }, onSignal: { [unowned self] in interrupted() })
  }

  // MARK: The window

  private func drop(on window: WindowID) {
    // Creates the log now, because a signal may arrive before the drag begins.
    _ = log(
      of: session.driver.drop(
        SourceRow.items(of: rows), on: window, at: course.at, along: path(over: window), delegate: self))
  }

  private func path(over window: WindowID) -> [Point] {
    guard let size = WindowChoice.size(of: window, on: display) else { return course.via }
    return course.path(to: course.at ?? Point(x: size.width / 2, y: size.height / 2))
  }

  // MARK: Ends

  private func timeOut() {
    if let reason = search.reason {
      Reporter.printError("xdnd-source", reason)
      session.reporter.printForPrograms(.ended(.timedOut, reason))
    }
    loop.stop(.timedOut)
    log?.drag.cancel()
  }

  /// Ends the tool; a drop in progress may finish within ``DragOptions/grace``.
  private func interrupted() {
    guard let log, log.isDelivering else {
      log?.drag.cancel()
      return loop.stop(.cancelled)
    }
    loop.after(settings.drag.grace) { [unowned self] in
      log.drag.cancel()
      loop.stop(.cancelled)
    }
    log.stopLingering()
  }

  private func log(of drag: DragSession) -> DragLog {
    if let log { return log }
    let log = DragLog(
      drag, rows: Array(rows.indices), shown: rows, session, linger: settings.drag.linger
    ) { [unowned self] in ending.ended($0, as: $1, isDelivering: drag.isSending, areAllTaken: true) }
    self.log = log
    return log
  }
}

extension ScriptedDropController: DragDelegate {
  func dragBegan(_ drag: DragSession) { log(of: drag).began() }

  func drag(_ drag: DragSession, movedOver target: WindowID?) {
    session.reporter.print(.target(target, named: target.map { WindowNames.name(of: $0, on: display) } ?? ""))
  }

  func drag(_ drag: DragSession, answeredAt point: Point, with operation: DragOperation?) {
    session.reporter.print(.answer(operation, at: point))
  }

  func drag(_ drag: DragSession, dropped operation: DragOperation) { log(of: drag).dropped(operation) }

  func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType) { log(of: drag).sent(bytes, of: type) }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    log(of: drag).finishedSending(type, successfully: successfully)
  }

  func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int) {
    session.reporter.print(.saved(file, byteCount: byteCount))
    log(of: drag).wrote(nil)
  }

  func drag(_ drag: DragSession, failedToSave error: XDnDError) {
    session.reporter.print(.notSaved(error))
    log(of: drag).wrote(error)
  }

  func dragRequestsDeletion(_ drag: DragSession) { log(of: drag).deletionRequested() }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) { log(of: drag).ended(outcome) }

  func dragReleased(_ drag: DragSession) { log(of: drag).stopLingering() }
}
