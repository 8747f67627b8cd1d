import FileOperations
import ToolSupport
import ToolWindow
import XDnD

/// The window to drop on, and what comes in over it.
final class ProbeController {
  let offer: DropOffer
  let output: Output?
  let options: SharedOptions
  let reporter: Reporter
  let loop: EventLoop
  /// How drops become files; `nil` if they do not.
  let saving: SaveSettings?
  private let isVerbose: Bool
  private let extent: Intake.Extent
  private let explains: Bool
  private let driver: DragAndDrop
  let window: ToolWindow
  /// The last drops, newest first.
  var history: [Scene.Row] = []
  /// What is over the window.
  var hovering: [Scene.Row] = []
  var frame = Scene.Frame.none
  /// What the frame is drawn around.
  var framedPart = Scene.Part.window
  var view = ProbeView.history
  /// The tab that a drag is over, and whether it is about to open.
  var spring: (view: ProbeView, isEmphasized: Bool)?
  lazy var parts = ProbeParts(of: self, offer: offer, scale: window.scale)
  var lastProposal: DropProposal?
  /// The drops whose content is still coming.
  private var intakes: [ObjectIdentifier: Intake] = [:]
  /// The drops that are being saved.
  var savers: [ObjectIdentifier: DropSaver] = [:]
  /// What becomes of the tool when the last of them is saved.
  var pendingStatus: ExitStatus?
  /// What can be taken back, the oldest first.
  var undoables: [Undoable] = []
  var undoing: FileWork?
  /// What the user has cancelled, and waits until ``undoing`` is done.
  var cancelled: [Undoable] = []
  /// What the user is asked, one after the other.
  var questions: [Question] = [] {
    didSet { updateScene() }
  }

  init(
    offer: DropOffer, extent: Intake.Extent, explains: Bool, output: Output?, saving: SaveSettings?, isVerbose: Bool,
    options: SharedOptions, reporter: Reporter
  ) throws(XDnDError) {
    self.offer = offer
    self.saving = saving
    self.extent = extent
    self.explains = explains
    self.output = output
    self.isVerbose = isVerbose
    self.options = options
    self.reporter = reporter
    var configuration = options.configuration
    // Copying many files takes its time, and says nothing to the library.
    if saving != nil { configuration.finishTimeout = .seconds(24 * 3600) }
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
      WindowID(rawValue: window.windowID), accepting: offer, delegate: self, regions: parts.all)
    window.onMapped = { [unowned self] in reportReady() }
    window.onClose = { [loop] in loop.stop(.cancelled) }
    window.onKey = { [unowned self] in pressed($0) }
    window.onTab = { [unowned self] index in ProbeView(rawValue: index).map { select($0) } }
    window.onResize = { [unowned self] in parts.place(in: window) }
    window.onButton = { [unowned self] in answered($0) }
    if let timeout = options.timeout { loop.after(timeout) { [unowned self] in timeOut() } }
    window.follow(options.appearance, of: driver)
    loop.watch(window.iconDescriptor) { [window] in window.takeIcons() }
    updateScene()
    window.show()

    let status = loop.run { [loop] in loop.stop(.cancelled) }
    if status == .serverLost {
      window.detach()
      reporter.printServerLost(as: "xdnd-probe")
    }
    window.close()
    // The transfers that are still under way hold their files beyond the end of this object.
    for intake in intakes.values { intake.cancel() }
    for saver in savers.values { saver.stop() }
    undoing?.stop()
    return status
  }

  private func pressed(_ key: KeyEvent) {
    if key.text == "z" || key.text == "Z", key.state & KeyEvent.control != 0 { return undo() }
    if window.scroll(with: key) { return }
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

  // MARK: The content

  private func begin(_ drop: DropSession) {
    let id = ObjectIdentifier(drop)
    let intake = Intake(
      drop, types: extent.types(in: drop.negotiation), extent: extent, output: output, reporter: reporter
    ) { [weak self] result in
      guard let self, intakes.removeValue(forKey: id) != nil else { return }
      switch result {
      case .success: answer(drop)
      case .failure(let failure): failed(drop, failure)
      }
    }
    intake.onContent = { [weak self] arrival, content in
      let size = Humane.size(arrival.count)
      if let preview = content?.preview {
        self?.note(preview, "\(arrival.requested), \(size)")
      } else {
        self?.note(arrival.requested.name, size)
      }
      for file in content?.files ?? [] {
        self?.note(file.visiblePath ?? file.uri, file.content.map { Humane.size($0.size) } ?? "")
      }
    }
    intakes[id] = intake
    intake.start()
  }

  /// Everything is here.
  private func answer(_ drop: DropSession) {
    guard drop.droppedOperation == .ask else { return drop.finish(drop.droppedOperation ?? .copy) }
    askForOperation(drop, among: [.copy, .move, .link, .private]) { operation in
      if let operation { drop.finish(operation) } else { drop.reject() }
    }
  }

  private func failed(_ drop: DropSession, _ failure: Intake.Failure) {
    reporter.print(.failure(failure))
    note(failure.sentence, "", state: .error)
    statuses[ObjectIdentifier(drop)] = failure.status
    drop.reject()
  }

  /// How failed drops will end the tool, once they have ended.
  var statuses: [ObjectIdentifier: ExitStatus] = [:]
}

extension ProbeController: DropDelegate {
  func dropEntered(_ drop: DropSession) {
    let types = drop.types.map(\.name)
    let operations = drop.operations.map(\.description)
    reporter.print(
      Report(
        "entered",
        "Entered: window \(drop.sourceWindow), XDND \(drop.version)\n  types: \(types.map(Humane.visible).joined(separator: ", "))\n"
          + "  actions: \(operations.isEmpty ? "not listed" : operations.map(Humane.visible).joined(separator: ", "))",
        [
          "source": .integer(Int(drop.sourceWindow.rawValue)), "version": .integer(Int(drop.version.number)),
          "types": .strings(types), "operations": .strings(operations),
          "descriptions": drop.operationDescriptions.isEmpty ? nil : .strings(drop.operationDescriptions),
        ]))
    if explains { reporter.print(.explanation(of: drop.negotiation)) }
    if let report = Report.archive(drop) { reporter.print(report) }
    hovering = drop.types.map {
      Scene.Row($0.name, state: $0 == drop.bestType ? .highlighted : .dimmed)
    }
    select(.types)
    updateScene()
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    let proposal = drop.suggestedProposal
    if isVerbose || proposal != lastProposal {
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
    if frame != (proposal.operation == nil ? .refusing : .accepting) {
      frame = proposal.operation == nil ? .refusing : .accepting
      updateScene()
    }
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
    clearHover()
    guard options.once else { return }
    switch reason {
    case .sourceVanished: loop.stop(.peerDied)
    case .refused: loop.stop(.refused)
    case .left, .replaced, .unregistered: break
    }
  }

  func performDrop(_ drop: DropSession) {
    let operation = drop.droppedOperation ?? .copy
    clearHover()
    guard saving == nil else { return save(drop) }
    let types = extent.types(in: drop.negotiation)
    let names = types.isEmpty ? "nothing" : Humane.visible(types[0].name) + (extent == .all ? " and all else" : "")
    reporter.print(
      Report(
        "dropped", "Dropped, to \(operation); fetching \(names).",
        ["operation": .string(operation.description), "type": types.first.map { .string($0.name) }]))
    begin(drop)
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
    guard options.once else { return }
    // Files are copied on without the source, and taken back.
    if savers[ObjectIdentifier(drop)] == nil, undoing == nil { loop.stop(status) } else { pendingStatus = status }
  }
}
