import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Runs the window: shows the drags over it, and passes drops to their handler.
///
/// With `--for`, it takes the drops on another program's window, and never shows its own.
final class ProbeController {
  private let settings: ProbeSettings
  /// The search for the window of `--for`; `nil` without the option.
  private let search: WindowSearch?
  /// The window of `--for`, once it is found.
  private var otherWindow: WindowID?
  private let session: DriverSession
  private let reporter: Reporter
  private let window: ToolWindow
  private let content: WindowContent
  private let results: DropResults
  private let handler: any DropHandler
  private let undo: UndoStack
  private let clipboard: WindowClipboard
  private let dragOut: DragOut
  private let places: PlaceReports
  private var closing = ClosingGuard()
  /// The question whether to close the window; `nil` while it is not asked.
  private var closingQuestion: (number: Int, isAboutDrops: Bool)?
  private var lastProposal: DropProposal?
  /// The reports that wait until the source has been answered.
  private var laterReports: [() -> Void] = []

  init(_ settings: ProbeSettings, _ session: DriverSession, on search: WindowSearch?) throws(XDnDError) {
    self.settings = settings
    self.search = search
    self.session = session
    reporter = session.reporter
    let loop = session.loop
    // A drag out of an inactive window must not activate it.
    window = try session.makeWindow(
      title: WindowContent.programName, focusModel: .globallyActive, isShown: search == nil)
    content = WindowContent(
      of: window, placeholder: settings.invitation, isSaving: settings.saving != nil,
      budget: settings.drops.historySize ?? DropHistory.standardBudget,
      reporter: reporter, on: loop)
    results = DropResults(limit: settings.dropLimit, content: content, reporter: reporter, on: loop)
    undo = UndoStack(reporter: reporter, on: loop)
    handler =
      if let saving = settings.saving {
        SaveController(
          saving, printer: settings.printer, undo: undo, content: content, results: results, reporter: reporter,
          on: loop)
      } else {
        FetchController(settings, content: content, results: results, reporter: reporter, on: loop)
      }
    places = PlaceReports(of: window, { nil }, on: loop, reporter)
    clipboard = WindowClipboard(settings, session, content: content)
    dragOut = DragOut(session.driver, from: window, content: content, reporter: reporter, on: loop)
  }

  func run() -> ExitStatus {
    content.undoHints = { [unowned undo] in undo.hints }
    content.onWorkEnd = { [unowned self] in workEnded() }
    results.isIdle = { [unowned self] in handler.isIdle && undo.isIdle }
    undo.onProblem = { [content] in content.drops.add(DropHistory.Part(title: $0.sentence, state: .error)) }
    undo.onEnd = { [content, results] action, record, extent in
      if let record { content.drops.show(action, number: record, extent) }
      content.update()
      content.announceUndo(extent)
      results.stopIfDone()
    }
    if let search {
      takeDrops(onResultOf: search)
    } else {
      openWindow()
    }
    let status = session.run(window)
    if status == .timedOut, let reason = search?.reason { reporter.print(.failure(DropFailure(reason, status))) }
    if let otherWindow, !session.driver.isClosed {
      session.driver.unregisterDropTarget(otherWindow)
      session.driver.synchronize()
    }
    window.close()
    handler.stop()
    undo.stop()
    return status
  }

  private func openWindow() {
    session.driver.registerDropTarget(
      WindowID(rawValue: window.windowID), accepting: settings.offer, delegate: self, regions: content.regions)
    connectWindow()
    content.update()
    window.show()
  }

  private func takeDrops(onResultOf search: WindowSearch) {
    content.questions.canAsk = false
    search.run(on: session.loop, reporter) { [unowned self] result in
      switch result {
      case .success(let window): takeDrops(on: window)
      case .failure(let failure): end(DropFailure(failure.sentence, failure.status))
      }
    }
  }

  /// Makes another program's window a drop target, until it is destroyed or its program takes drops itself.
  private func takeDrops(on window: WindowID) {
    otherWindow = window
    session.driver.onDropTargetLost = { [unowned self] lost, error in
      guard lost == window else { return }
      end(DropFailure(error.message, error.code == .noWindow ? .peerDied : .noTarget))
    }
    session.driver.registerDropTarget(window, accepting: settings.offer, delegate: self)
    let size = session.driver.display.flatMap { WindowChoice.size(of: window, on: $0) } ?? (0, 0)
    let origin = session.driver.display.flatMap { WindowChoice.origin(of: window, on: $0) } ?? Point(x: 0, y: 0)
    reporter.print(
      .ready(
        "Ready: drop on window \(window).", window,
        Rect(x: origin.x, y: origin.y, width: size.width, height: size.height)))
  }

  private func end(_ failure: DropFailure) {
    reporter.print(.failure(failure))
    session.loop.stop(failure.status)
  }

  private func connectWindow() {
    window.onMapped = { [places] in places.reportReady("Ready: drop on the window.") }
    // Escape and Q also ask if the last drop could no longer be undone; the Close button asks only about unfinished
    // drops.
    window.onClose = { [unowned self] in if content.drops.isBusy { close() } else { end() } }
    window.onKey = { [unowned self] in pressed($0) }
    clipboard.onPaste = { [unowned self] in take($0, from: $1) }
    clipboard.onPasteEnd = { [weak self] in self?.ended($0, $1) }
    window.onPress = { [unowned self] event in
      if event.button == 1 { content.selectLine(at: event.position) }
      dragOut.pressed(event)
    }
    window.onMotion = { [dragOut] in dragOut.moved($0) }
    dragOut.onEnd = { [unowned self] in closing.dragEnded(at: .now) }
    window.onRelease = { [dragOut] in dragOut.released($0) }
    window.onSelection = { [content] in content.select($0) }
    // Loads the MIME database in advance, so that the first drag is answered without delay.
    window.onDrawn = { _ = TypeDatabase.system.supertypes(of: .plainText) }
  }

  private func pressed(_ key: KeyEvent) {
    content.say("")
    if key.isControlHeld {
      switch key.shortcut {
      case "z": return key.isShiftHeld ? undo.redo() : undo.undo()
      case "c": return clipboard.copy(at: key.time)
      case "v": return clipboard.paste()
      default: break
      }
    }
    if content.select(with: key) || window.scroll(with: key) { return }
    if key.key == .enter {
      dragOut.begin(at: key.time)
      return
    }
    if key.key == .escape {
      // Just after a drag, Escape was probably meant to cancel the drag.
      guard closing.closesOnEscape(at: .now), !content.stopSelectedWork() else { return }
      return close()
    }
    if key.shortcut == "q" { close() }
  }

  /// Ends the tool, after a question if something would be lost. A second call ends it at once.
  private func close() {
    guard closingQuestion == nil, let sentence = reasonToAsk else { return end() }
    // Closing would lose an unfinished drop.
    let isBusy = content.drops.isBusy
    let bar = Scene.Bar(
      sentence,
      buttons: [
        Scene.Bar.Button("Close", key: "c", isDefault: !isBusy),
        Scene.Bar.Button("Keep Open", key: "k", isDefault: isBusy, isCancel: true),
      ])
    let number = content.questions.ask(bar) { [unowned self] button, _ in
      closingQuestion = nil
      if button == 0 { end() }
    }
    closingQuestion = (number, isBusy)
  }

  /// Withdraws the question about unfinished drops when all are finished.
  private func workEnded() {
    guard let question = closingQuestion, question.isAboutDrops, !content.drops.isBusy else { return }
    closingQuestion = nil
    content.questions.withdraw(question.number)
  }

  private func end() { clipboard.handOver { [session] in session.loop.stop(.cancelled) } }

  /// `nil` if closing the window loses nothing.
  private var reasonToAsk: String? {
    if content.drops.isBusy { return "Close the window? A drop is not finished yet." }
    return undo.canUndo ? "Close the window? The last drop cannot be undone then." : nil
  }
}

extension ProbeController: DropDelegate {
  func dropEntered(_ drop: DropSession) {
    lastProposal = nil
    // Identifying the program takes round trips, and the source waits for its first answer.
    reportLater { [unowned self] in
      let drag = LiveDrag(
        drop, program: session.driver.display.map { PeerProgram(of: drop.sourceWindow, on: $0) }, settings: settings)
      reporter.print(.entered(drop, drag))
      if settings.explains { reporter.print(.explanation(of: drop.negotiation)) }
      if let report = Report.archive(drop) { reporter.print(report) }
      content.showEntry(of: drag)
    }
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    // The probe fetches one type for all items, but items that are dragged back may have no type in common.
    let proposal = drop.bestType == nil ? .forbidden : drop.suggestedProposal
    let report = settings.isVerbose || proposal != lastProposal ? Report.position(of: drop, proposal) : nil
    lastProposal = proposal
    reportLater { [unowned self] in
      if let report { reporter.print(report) }
      content.showPosition(of: drop, proposal)
    }
    return proposal
  }

  private func reportLater(_ report: @escaping () -> Void) {
    laterReports.append(report)
    if laterReports.count == 1 { session.loop.after(0) { [weak self] in self?.reportNow() } }
  }

  private func reportNow() {
    let reports = laterReports
    laterReports = []
    for report in reports { report() }
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) {
    closing.dragEnded(at: .now)
    reportNow()
    reporter.print("left", reason.sentence, ["reason": .string(reason.rawValue)])
    content.endHover()
    if let status = reason.status { results.count(status) }
  }

  func performDrop(_ drop: DropSession) {
    closing.dragEnded(at: .now)
    reportNow()
    content.begin(drop)
    take(drop)
  }

  private func take(_ paste: PastedContent, from origin: String) {
    content.begin(paste, origin: origin)
    take(paste)
  }

  private func take(_ drop: any ProbeDrop) {
    window.scrollToTop()
    results.begin(drop)
    guard settings.drops.confirms else { return handler.take(drop) }
    DropConfirmation(content: content, loop: session.loop).ask(about: drop) { [weak self] isAccepted in
      if isAccepted {
        self?.handler.take(drop)
      } else {
        self?.content.drops.update(drop) { $0.isRefusedByUser = true }
        self?.results.reject(drop, .refused)
      }
    }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) {
    if !handler.holdsEnd(of: drop, { [weak self] in self?.ended(drop, result) }) { ended(drop, result) }
  }

  private func ended(_ drop: any ProbeDrop, _ result: DropResult) {
    let status = results.status(of: drop, result)
    let operation: DragOperation? =
      if case .finished(let operation) = result, status == .dropped { operation } else { nil }
    var words = operation.map { self.words(for: $0, of: drop) } ?? status.words
    reporter.print(
      "ended", "\(words.capitalizedFirst).",
      ["outcome": .string(status.word), "operation": operation.map { .string($0.description) }])
    content.questions.withdraw(of: drop)
    content.drops.update(drop) {
      // The row of content that was only received shows the size instead.
      $0.outcome = operation != nil && words == Self.received ? "" : words
      // Work on a drop may continue without its source.
      $0.hasFailed = operation == nil && status != .cancelled && !$0.isRefusedByUser && $0.activity == nil
      // The text of the row, such as `command failed: status 3`.
      words = $0.ending ?? $0.done ?? words
    }
    content.update()
    content.announceResult(of: drop, words)
    dragOut.reportRows()
    results.count(status)
  }

  private static let received = "received"

  /// Returns the result of a drop, for display. A move affects the original even if the content is only received.
  private func words(for operation: DragOperation, of drop: any ProbeDrop) -> String {
    // While the user is asked about a name, nothing is copied yet.
    let isBusy = content.drops.record(of: drop)?.activity != nil
    if settings.saving == nil && operation != .move || isBusy { return Self.received }
    return drop.session == nil ? "saved" : OperationWords.pastTense(operation)
  }
}

/// Handles accepted drops.
protocol DropHandler: AnyObject {
  /// Fetches the content of a drop or a paste, and finishes or rejects it.
  func take(_ drop: any ProbeDrop)

  /// Takes over the report of a drop's end, if the drop is finished, but its file is not written yet.
  ///
  /// - Parameter end: Reports the end of the drop.
  /// - Returns: Whether `end` is called later.
  func holdsEnd(of drop: any ProbeDrop, _ end: @escaping () -> Void) -> Bool

  /// Whether no work is in progress that must finish before the tool ends.
  var isIdle: Bool { get }

  /// Stops all work without leaving partial or temporary files.
  func stop()
}
