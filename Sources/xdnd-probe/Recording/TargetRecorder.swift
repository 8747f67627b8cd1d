import DragRecording
import ScriptedClient
import ToolSupport
import ToolWindow
import XDnD

/// A window to drop on that records the behavior of sources.
final class TargetRecorder {
  private let offer: DropOffer
  private let isTakingAll: Bool
  /// The number of drops after which it ends; `nil` for no limit.
  private var count: Int?
  private let options: SharedOptions
  private let reporter: Reporter
  private let driver: DragAndDrop
  private let loop: EventLoop
  private let window: ToolWindow
  private let log: RecordingLog
  /// Identifies source programs over a separate connection, so that its requests are not recorded.
  private let looker: ScriptedClient?
  private var readers: [ObjectIdentifier: DropReader] = [:]
  private var statuses: [ObjectIdentifier: ExitStatus] = [:]
  private var known: Set<WindowID> = []
  private var rows: [Scene.Row] = []

  init(
    offer: DropOffer, isTakingAll: Bool, count: Int?, options: SharedOptions, file: LineFile, reporter: Reporter
  ) throws(XDnDError) {
    self.offer = offer
    self.isTakingAll = isTakingAll
    self.count = count
    self.options = options
    self.reporter = reporter
    driver = try DragAndDrop(connectingTo: options.display, configuration: options.configuration)
    driver.tamper = options.misbehavior(of: .target)
    loop = EventLoop(driver)
    guard let display = driver.display else { throw .displayClosed }
    window = ToolWindow(
      display: display, title: "xdnd-probe record", applicationName: "xdnd-probe", geometry: options.geometry,
      defaultSize: PixelSize(width: 400, height: 320), scale: driver.desktopAppearance.scale)
    looker = ScriptedClient(connectingTo: options.display)
    var header = Recording(role: .target)
    header.display = options.display
    log = RecordingLog(header, to: file)
  }

  func run() -> ExitStatus {
    log.onFailure = { [loop] in loop.stop(.transferFailed) }
    driver.onWireEvent = { [log, isTakingAll] event in
      log.take(event, isRecordersOwn: isTakingAll && event.direction == .sent && event.isConversion)
    }
    driver.onOtherEvent = { [window] in window.handle(event: $0) }
    driver.registerDropTarget(WindowID(rawValue: window.windowID), accepting: offer, delegate: self)
    window.onMapped = { [unowned self] in reportReady() }
    window.onClose = { [loop] in loop.stop(.cancelled) }
    window.onKey = { [loop] key in if key.text == "q" || key.key == .escape { loop.stop(.cancelled) } }
    if let timeout = options.timeout {
      loop.after(timeout) { [unowned self] in
        reporter.print(Report("timed-out", "Timed out."))
        loop.stop(.timedOut)
      }
    }
    options.appearance.apply(to: window, following: driver)
    show()
    window.show()
    let status = loop.run { [loop] in loop.stop(.cancelled) }
    if status == .serverLost {
      window.detach()
      reporter.printServerLost(as: "xdnd-probe")
    }
    driver.onWireEvent = nil
    window.close()
    for reader in readers.values { reader.cancel() }
    return status
  }

  /// The window and its current frame in root pixels.
  private var target: Recording.Target {
    let origin = window.rootOrigin ?? PixelPoint(x: 0, y: 0)
    return Recording.Target(
      window: WindowID(rawValue: window.windowID),
      frame: Rect(x: origin.x, y: origin.y, width: window.size.width, height: window.size.height))
  }

  private func reportReady() {
    let target = target
    log.note(target)
    reporter.print(.ready("Ready: drop on the window to record it.", target.window, target.frame))
  }

  private func show(_ line: String = "", frame: Scene.Frame = .none) {
    if !line.isEmpty { rows = [Scene.Row(line)] + rows.prefix(30) }
    let count = log.count == 1 ? "1 entry" : "\(log.count) entries"
    window.scene = Scene(
      rows: rows, footer: count, placeholder: "Drop something here to record it", density: .compact, frame: frame,
      appearance: window.scene.appearance)
  }

  /// Counts a finished drop; after the last one, waits briefly for what the source does next, which belongs to the
  /// recording.
  private func end(_ status: ExitStatus) {
    guard let left = count.map({ $0 - 1 }) else { return }
    count = left
    if left <= 0 { loop.after(0.3) { [loop] in loop.stop(status) } }
  }
}

extension WireEvent {
  /// Whether the event requests content.
  var isConversion: Bool { if case .conversion = action { true } else { false } }
}

extension TargetRecorder: DropDelegate {
  func dropEntered(_ drop: DropSession) {
    var peer: Recording.Peer?
    if known.insert(drop.sourceWindow).inserted, let looker {
      let found = PeerProgram(of: drop.sourceWindow, seenBy: looker).recorded(by: drop.sourceWindow)
      log.note(found)
      // The window may have moved since it was mapped.
      log.note(target)
      peer = found
    }
    reporter.print(
      Report(
        "entered",
        "Entered: window \(drop.sourceWindow)" + (peer?.program.map { ", " + Humane.visible($0) } ?? "")
          + ", XDND \(drop.version)",
        [
          "source": .integer(Int(drop.sourceWindow.rawValue)), "version": .integer(Int(drop.version.number)),
          "types": .strings(drop.types.map(\.name)), "operations": .strings(drop.operations.map(\.description)),
        ]))
    show(peer?.program ?? "\(drop.sourceWindow)")
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    show(frame: drop.suggestedProposal.operation == nil ? .refusing : .accepting)
    return drop.suggestedProposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) {
    reporter.print(Report("left", "Left without a drop.", ["reason": .string(reason.rawValue)]))
    show("left: \(reason.rawValue)")
    switch reason {
    case .sourceVanished: end(.peerDied)
    case .refused: end(.refused)
    case .left, .replaced, .unregistered: break
    }
  }

  func performDrop(_ drop: DropSession) {
    let operation = drop.droppedOperation ?? .copy
    show()
    reporter.print(Report("dropped", "Dropped (\(operation)).", ["operation": .string(operation.description)]))
    let id = ObjectIdentifier(drop)
    let types = isTakingAll ? drop.negotiation.fetchable : drop.negotiation.candidates.map(\.offered)
    let reader = DropReader(
      drop, types: types, extent: isTakingAll ? .all : .first, output: nil,
      limit: Configuration().maximumFileTransferSize, reporter: reporter, on: loop
    ) { [weak self] result in
      guard let self, readers.removeValue(forKey: id) != nil else { return }
      switch result {
      case .success: drop.finish(operation == .ask ? .copy : operation)
      case .failure(let failure):
        reporter.print(.failure(failure))
        statuses[id] = failure.status
        drop.reject()
      }
    }
    readers[id] = reader
    reader.start()
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) {
    let status: ExitStatus =
      switch result {
      case .finished: .dropped
      case .rejected: statuses.removeValue(forKey: ObjectIdentifier(drop)) ?? .refused
      case .sourceVanished: .peerDied
      case .timedOut: .timedOut
      }
    reporter.print(Report("ended", "Ended: \(status.word).", ["outcome": .string(status.word)]))
    show(status.word)
    end(status)
  }
}
