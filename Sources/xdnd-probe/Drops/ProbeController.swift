import FileOperations
import ToolSupport
import ToolWindow
import XDnD

/// The window to drop on, and the drop sessions over it.
final class ProbeController {
  let settings: ProbeSettings
  let options: SharedOptions
  let reporter: Reporter
  let loop: EventLoop
  /// How drops are saved as files; `nil` without `--save`.
  var saving: SaveSettings? { settings.saving }
  let driver: DragAndDrop
  let window: ToolWindow
  var history: DropHistory
  /// The selected row, whose content is previewed; `nil` previews the newest drop.
  var lookedAt: DropHistory.Line.ID?
  var pane: Pane?
  /// The drag over the window, or the last one.
  var live: LiveDrag?
  var frame = Scene.Frame.none
  /// The part of the window that ``frame`` is drawn around.
  var framedPart = Scene.Part.window
  var view = ProbeView.history
  /// The tab that a drag is over, and whether it is highlighted as about to spring open.
  var spring: (view: ProbeView, isEmphasized: Bool)?
  lazy var parts = ProbeParts(of: self, offer: settings.offer, scale: window.scale)
  private(set) lazy var interaction = DragInteraction(driver, delegate: self)
  /// The most recent drag that was started from the keyboard.
  var keyDrag: DragSession?
  var lastProposal: DropProposal?
  /// The drops whose content is being fetched.
  var readers: [ObjectIdentifier: DropReader] = [:]
  /// The running commands of `--exec`.
  var commands: [ObjectIdentifier: DropCommand] = [:]
  /// Where the content for commands is stored; `nil` without `--exec`.
  let scratch: ScratchSpace?
  private(set) lazy var checksums = FileChecksums(on: loop, reporter: reporter)
  /// The drops that are being saved.
  var savers: [ObjectIdentifier: DropSaver] = [:]
  /// The exit status to use when all work in progress is done.
  var pendingStatus: ExitStatus?
  /// The undo stack, oldest first.
  var undoables: [Undoable] = []
  var undoing: FileWork?
  /// Cancelled operations that wait until ``undoing`` is done.
  var cancelled: [Undoable] = []
  /// The questions to the user, answered one after the other.
  var questions: [Question] = [] {
    didSet { updateScene() }
  }

  /// The number of drops until the tool ends, and the exit status to use then.
  private var dropsLeft: Int?
  private var finalStatus = ExitStatus.dropped

  init(_ settings: ProbeSettings, options: SharedOptions, reporter: Reporter) throws(XDnDError) {
    self.settings = settings
    self.options = options
    self.reporter = reporter
    dropsLeft = settings.dropLimit
    history = DropHistory(budget: settings.historyBudget)
    scratch = settings.command == nil ? nil : ScratchSpace()
    var configuration = options.configuration
    settings.bounds.apply(to: &configuration)
    // Copying files and running commands take long without any call into the library, so the default finish timeout is
    // too short.
    if settings.saving != nil || settings.command != nil { configuration.finishTimeout = .seconds(24 * 3600) }
    driver = try DragAndDrop(connectingTo: options.display, configuration: configuration)
    driver.tamper = options.misbehavior(of: .target)
    loop = EventLoop(driver)
    guard let display = driver.display else { throw .displayClosed }
    window = ToolWindow(
      display: display, title: "xdnd-probe", applicationName: "xdnd-probe", geometry: options.geometry,
      defaultSize: PixelSize(width: 400, height: 320), scale: driver.desktopAppearance.scale)
  }

  func run() -> ExitStatus {
    driver.onOtherEvent = { [window] in window.handle(event: $0) }
    driver.registerDropTarget(
      WindowID(rawValue: window.windowID), accepting: settings.offer, delegate: self, regions: parts.all)
    window.onMapped = { [unowned self] in reportReady() }
    window.onClose = { [loop] in loop.stop(.cancelled) }
    window.onKey = { [unowned self] in pressed($0) }
    window.onTab = { [unowned self] index in ProbeView(rawValue: index).map { select($0) } }
    window.onResize = { [unowned self] in parts.place(in: window, view: view) }
    window.onButton = { [unowned self] in answered($0) }
    window.onPress = { [unowned self] in pressed($0) }
    window.onMotion = { [unowned self] in moved($0) }
    window.onField = { [unowned self] in parts.field.text = $0 }
    window.onRelease = { [unowned self] in released($0) }
    checksums.onIdle = { [unowned self] in stopIfDone() }
    if let timeout = options.timeout { loop.after(timeout) { [unowned self] in timeOut() } }
    window.follow(options.appearance, of: driver)
    loop.watch(window.iconDescriptor) { [window] in window.takeIcons() }
    // Loads the MIME database in advance, so that the first drag is answered without delay.
    window.onDrawn = { _ = TypeDatabase.system.supertypes(of: .plainText) }
    updateScene()
    window.show()

    let status = loop.run { [loop] in loop.stop(.cancelled) }
    if status == .serverLost {
      window.detach()
      reporter.printServerLost(as: "xdnd-probe")
    }
    window.close()
    // Running transfers keep their files open beyond the lifetime of this object.
    for reader in readers.values { reader.cancel() }
    parts.field.cancel()
    for saver in savers.values { saver.stop() }
    for command in commands.values { command.stop() }
    scratch?.removeAll()
    checksums.stop()
    undoing?.stop()
    return status
  }

  private func pressed(_ key: KeyEvent) {
    if key.text == "z" || key.text == "Z", key.state & KeyEvent.control != 0 { return undo() }
    if select(with: key) || look(with: key) || window.scroll(with: key) { return }
    if key.keysym == 0xFF0D || key.keysym == 0xFF8D { return dragOut(at: key.time) }
    if key.text == "q" || key.keysym == 0xFF1B { loop.stop(.cancelled) }
  }

  private func timeOut() {
    reporter.print(Report("timed-out", "Timed out."))
    loop.stop(.timedOut)
  }

  private func reportReady() {
    let origin = window.rootOrigin ?? PixelPoint(x: 0, y: 0)
    reporter.print(
      Report(
        "ready", "Ready: drop on the window.",
        [
          "window": .integer(Int(window.windowID)), "x": .integer(origin.x), "y": .integer(origin.y),
          "width": .integer(window.size.width), "height": .integer(window.size.height), "tabs": tabFields(origin),
        ]))
  }

  /// The exit statuses of failed drops that have not ended yet.
  var statuses: [ObjectIdentifier: ExitStatus] = [:]
}

extension ProbeController: DropDelegate {
  func dropEntered(_ drop: DropSession) {
    let types = drop.types.map(\.name)
    let operations = drop.operations.map(\.description)
    let live = LiveDrag(drop, program: driver.display.map { PeerProgram(of: drop.sourceWindow, on: $0) })
    let program = live.program?.description ?? ""
    reporter.print(
      Report(
        "entered",
        "Entered: \(program.isEmpty ? "" : program + ", ")window \(drop.sourceWindow), XDND \(drop.version)\n"
          + "  types: \(types.map(Humane.visible).joined(separator: ", "))\n"
          + "  actions: \(operations.isEmpty ? "not listed" : operations.map(Humane.visible).joined(separator: ", "))",
        [
          "source": .integer(Int(drop.sourceWindow.rawValue)), "program": live.program?.name.map { .string($0) },
          "pid": live.program?.process.map { .integer($0) }, "own": live.isOwn ? true : nil,
          "version": .integer(Int(drop.version.number)), "types": .strings(types), "operations": .strings(operations),
          "descriptions": drop.operationDescriptions.isEmpty ? nil : .strings(drop.operationDescriptions),
        ]))
    if settings.explains { reporter.print(.explanation(of: drop.negotiation)) }
    if let report = Report.archive(drop) { reporter.print(report) }
    self.live = live
    if view != .trial { select(.live) }
    updateScene()
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    let proposal = drop.suggestedProposal
    if settings.isVerbose || proposal != lastProposal {
      reporter.print(
        Report(
          "position",
          "At \(drop.rootLocation): asked to \(drop.requestedOperation.map { Humane.visible($0.description) } ?? "do nothing"), "
            + (proposal.operation.map { "would \($0)" } ?? "refused"),
          [
            "x": .integer(drop.rootLocation.x), "y": .integer(drop.rootLocation.y),
            "requested": drop.requestedOperation.map { .string($0.description) },
            "proposed": proposal.operation.map { .string($0.description) },
          ]))
      lastProposal = proposal
    }
    frame = proposal.operation == nil ? .refusing : .accepting
    live?.phase = .over(drop.rootLocation)
    live?.requested = drop.requestedOperation
    live?.proposed = proposal.operation
    updateScene()
    return proposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) {
    let words =
      switch reason {
      case .left: "Left without a drop."
      case .sourceVanished: "The source died."
      case .replaced: "Another drag came in."
      case .refused: "The source dropped although the answer was no."
      case .unregistered: "The window takes no more drops."
      }
    reporter.print(Report("left", words, ["reason": .string(reason.rawValue)]))
    live?.phase = .gone(words)
    clearHover()
    if view != .trial { select(.history) }
    switch reason {
    case .sourceVanished: count(.peerDied)
    case .refused: count(.refused)
    case .left, .replaced, .unregistered: break
    }
  }

  func performDrop(_ drop: DropSession) {
    let operation = drop.droppedOperation ?? .copy
    beginRecord(of: drop)
    select(.history)
    confirm(drop) { [weak self] in self?.take(drop, to: operation) }
  }

  /// Adds a record for a drop to the history.
  func beginRecord(of drop: DropSession) {
    live?.phase = .dropped("dropped, to \(Humane.visible((drop.droppedOperation ?? .copy).description))")
    lookedAt = nil
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop), origin: live?.program?.name ?? ""))
    clearHover()
  }

  private func take(_ drop: DropSession, to operation: DragOperation) {
    guard saving == nil else { return save(drop) }
    let types = settings.extent.types(in: drop.negotiation)
    let names =
      types.isEmpty ? "nothing" : Humane.visible(types[0].name) + (settings.extent == .all ? " and all else" : "")
    reporter.print(
      Report(
        "dropped", "Dropped, to \(operation); fetching \(names).",
        ["operation": .string(operation.description), "type": types.first.map { .string($0.name) }]))
    live?.phase = .dropped("dropped, to \(Humane.visible(operation.description)); fetching \(names)")
    fetch(drop)
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) {
    let status: ExitStatus =
      switch result {
      case .finished: .dropped
      case .rejected: statuses.removeValue(forKey: ObjectIdentifier(drop)) ?? .refused
      case .sourceVanished: .peerDied
      case .timedOut: .timedOut
      }
    let operation: DragOperation? = if case .finished(let operation) = result { operation } else { nil }
    reporter.print(
      Report(
        "ended", "Ended: \(status.word).",
        ["outcome": .string(status.word), "operation": operation.map { .string($0.description) }]))
    questions.removeAll { $0.drop == ObjectIdentifier(drop) }
    history.update(ObjectIdentifier(drop)) {
      $0.outcome = operation?.pastParticiple ?? status.words
      $0.hasFailed = operation == nil
    }
    if live?.drop == ObjectIdentifier(drop) {
      live?.phase = .dropped("over: \(operation?.pastParticiple ?? status.words)")
    }
    updateScene()
    reportKept()
    count(status)
  }

  /// Counts a finished drop; ends the tool if it was the last one.
  private func count(_ status: ExitStatus) {
    guard let left = dropsLeft else { return }
    dropsLeft = left - 1
    if status != .dropped { finalStatus = status }
    guard left <= 1 else { return }
    // Copying, undoing, checksums and commands continue without the source.
    if isIdle { loop.stop(finalStatus) } else { pendingStatus = pendingStatus ?? finalStatus }
  }

  /// Whether no work is in progress that must finish before the tool ends.
  var isIdle: Bool { savers.isEmpty && commands.isEmpty && undoing == nil && checksums.isIdle }
}

extension DragOperation {
  /// The completed operation, for display.
  fileprivate var pastParticiple: String {
    switch self {
    case .copy: "copied"
    case .move: "moved"
    case .link: "linked"
    default: Humane.visible(description)
    }
  }
}

extension ExitStatus {
  /// The status, for display.
  fileprivate var words: String { word.replacing("-", with: " ") }
}
