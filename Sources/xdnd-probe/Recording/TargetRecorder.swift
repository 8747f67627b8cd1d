import XDnDConformance
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// A window to drop on that records the behavior of sources.
final class TargetRecorder {
  private let offer: DropOffer
  private let isTakingAll: Bool
  private var tally: DropTally
  private let session: DriverSession
  private let reporter: Reporter
  private let window: ToolWindow
  private let log: RecordingLog
  /// Identifies source programs over a separate connection, so that its requests are not recorded.
  private let client: ScriptedClient?
  private var readers: [ObjectIdentifier: DropReader] = [:]
  private var knownSources: Set<WindowID> = []
  private var rows: [Scene.Row] = []

  init(
    offer: DropOffer, isTakingAll: Bool, count: Int?, _ session: DriverSession, file: LineFile
  ) throws(XDnDError) {
    self.offer = offer
    self.isTakingAll = isTakingAll
    self.session = session
    tally = DropTally(limit: count)
    reporter = session.reporter
    window = try session.makeWindow(title: "xdnd-probe record")
    client = ScriptedClient(connectingTo: session.options.display)
    var header = Recording(role: .target)
    header.display = session.options.display
    log = RecordingLog(header, to: file)
  }

  func run() -> ExitStatus {
    let (driver, loop) = (session.driver, session.loop)
    log.onFailure = { loop.stop(.transferFailed) }
    driver.onWireEvent = { [log, isTakingAll] event in
      log.take(event, isRecordersOwn: isTakingAll && event.direction == .sent && event.isConversion)
    }
    driver.registerDropTarget(WindowID(rawValue: window.windowID), accepting: offer, delegate: self)
    window.onMapped = { [unowned self] in reportReady() }
    window.onKey = { key in if key.shortcut == "q" || key.key == .escape { loop.stop(.cancelled) } }
    show()
    window.show()
    let status = session.run(window)
    driver.onWireEvent = nil
    window.close()
    for reader in readers.values { reader.cancel() }
    return status
  }

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

  private func show(_ line: String = "", highlight: Scene.DropHighlight = .none) {
    if !line.isEmpty { rows = [Scene.Row(line)] + rows.prefix(30) }
    let count = log.count == 1 ? "1 entry" : "\(log.count) entries"
    window.scene = Scene(
      rows: rows, footer: count, placeholder: "Drop something here to record it", density: .compact,
      dropHighlight: highlight,
      appearance: window.scene.appearance)
  }

  /// Counts a finished drop; after the last one, waits briefly for further messages of the source, which belong to the
  /// recording.
  private func end(_ status: ExitStatus) {
    if tally.countDrop() { session.loop.after(0.3) { [session] in session.loop.stop(status) } }
  }
}

extension TargetRecorder: DropDelegate {
  func dropEntered(_ drop: DropSession) {
    var peer: Recording.Peer?
    if knownSources.insert(drop.sourceWindow).inserted, let client {
      let found = Recording.Peer(of: drop.sourceWindow, seenBy: client)
      log.note(found)
      // The window may have moved since it was mapped.
      log.note(target)
      peer = found
    }
    reporter.print(
      "entered",
      "Entered: window \(drop.sourceWindow)" + (peer?.program.map { ", " + Formatting.visible($0) } ?? "")
        + ", XDND \(drop.version)",
      [
        "source": .integer(Int(drop.sourceWindow.rawValue)), "version": .integer(Int(drop.version.number)),
        "types": .strings(drop.types.map(\.name)), "operations": .strings(drop.operations.map(\.description)),
      ])
    show(peer?.program ?? "\(drop.sourceWindow)")
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    show(highlight: drop.suggestedProposal.operation == nil ? .none : .accepting)
    return drop.suggestedProposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) {
    reporter.print("left", reason.sentence, ["reason": .string(reason.rawValue)])
    show(reason.sentence)
    if let status = reason.status { end(status) }
  }

  func performDrop(_ drop: DropSession) {
    let operation = drop.droppedOperation ?? .copy
    show()
    reporter.print(
      "dropped", "Dropped to \(OperationWords.verb(operation)).", ["operation": .string(operation.description)])
    let id = ObjectIdentifier(drop)
    let extent = isTakingAll ? DropReader.Extent.all : .first
    let reader = DropReader(
      drop, types: extent.types(in: drop.negotiation), extent: extent, output: nil,
      limit: PeerLimits().maximumFileTransferSize, reporter: reporter, on: session.loop
    ) { [weak self] failure in
      guard let self, readers.removeValue(forKey: id) != nil else { return }
      guard let failure else { return drop.finish(operation == .ask ? .copy : operation) }
      reporter.print(.failure(failure))
      tally.noteFailure(failure.status, of: drop)
      drop.reject()
    }
    readers[id] = reader
    reader.start()
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) {
    let status = tally.status(of: drop, result)
    // The reason for a failure has been reported already.
    let words = "\((status == .dropped ? "received" : status.words).capitalizedFirst)."
    reporter.print("ended", words, ["outcome": .string(status.word)])
    show(words)
    end(status)
  }
}
