import XDnDConformance
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Replays the target of a recording: reacts to each message of a live source as the recorded target did.
final class TargetReplay {
  private let run: ReplayRun
  private let client: ScriptedClient
  private let window: ToolWindow
  /// The number of visits that have begun.
  private var visitCount = 0
  /// The visit in progress, and its source.
  private var visit: (script: ReplayScript.Visit, source: WindowID, positions: Int)?
  private var dropTime: Timestamp?
  private var isDone = false
  private var status: ReplayRun.End?

  private var id: WindowID { WindowID(rawValue: window.windowID) }

  init(_ run: ReplayRun, geometry: Geometry?) {
    self.run = run
    client = run.client
    let frame = run.recorded.target?.frame
    let desktop = DesktopAppearance(of: client.display)
    window = ToolWindow(
      display: client.display, title: "xdnd-probe replay", applicationName: "xdnd-probe",
      geometry: geometry ?? frame.flatMap { Geometry($0.description) },
      defaultSize: PixelSize(width: 400, height: 320), scale: desktop.scale)
    AppearanceChoice.auto.apply(to: window, desktop)
  }

  func perform() throws(ReplayRun.End) {
    defer { if client.isClosed { window.detach() } else { window.close() } }
    client.onServerEvent = { [window] in window.handle(event: $0) }
    window.onClose = { [unowned self] in status = .cancelled }
    window.onMapped = { [unowned self] in reportReady() }
    window.onPlaced = { [unowned self] in run.recorder.recordTarget(id) }
    run.setProperties(of: id)
    if !run.script.properties.contains(where: { $0.name.rawValue == "XdndAware" }) {
      client.setProperty("XdndAware", of: id, ScriptedClient.Content(type: AtomName("ATOM"), words: [5]))
    }
    window.scene = Scene(
      rows: [], placeholder: "Drag something here to replay the recorded target", density: .compact,
      appearance: window.scene.appearance)
    window.show()
    try run.wait(for: nil, within: nil, until: { isDone || status != nil }, handle)
    if let status { throw status }
    // The source's behavior after the end is part of the comparison.
    try run.wait(for: nil, within: .milliseconds(300), until: { false }) { _ in }
  }

  private func reportReady() {
    guard let frame = run.recorder.recordTarget(id) else { return }
    run.reporter.print(.ready("Ready: drag something over the window.", id, frame))
  }

  private func handle(_ event: WireEvent) throws(ReplayRun.End) {
    switch event.action {
    case .message(let message): try hear(message)
    case .vanished(let gone) where gone == visit?.source: throw .died
    default: break
    }
  }

  private func hear(_ message: WireEvent.Message) throws(ReplayRun.End) {
    let source = message.xdnd.sender
    switch message.kind {
    case .enter:
      // Visits beyond the recorded ones are answered like the last one.
      let visits = run.script.visits
      guard !visits.isEmpty else { return }
      let next = visits[min(visitCount, visits.count - 1)]
      visitCount += 1
      visit = (next, source, 0)
      dropTime = nil
      run.recorder.recordPeer(owning: source)
      if message.xdnd.hasTypeList { _ = client.readProperty("XdndTypeList", of: source) }
      client.watch(source)
      try perform(next.afterEnter)
    case .position:
      guard let (script, _, count) = visit else { return }
      visit?.positions += 1
      guard !script.afterPosition.isEmpty else { return }
      try perform(script.afterPosition[min(count, script.afterPosition.count - 1)])
    case .leave: try leave()
    case .drop:
      dropTime = message.xdnd.dropTime
      guard let script = visit?.script else { return }
      // A recorded visit that ended with XdndLeave has no reaction to a drop.
      if script.dropTime != nil { try perform(script.afterEnd) }
      isDone = true
    default: break
    }
  }

  private func leave() throws(ReplayRun.End) {
    guard let script = visit?.script else { return }
    if script.dropTime == nil {
      try perform(script.afterEnd)
      // If this was the last recorded visit, the recording ends here.
      isDone = visitCount >= run.script.visits.count
    }
    visit = nil
  }

  private func perform(_ steps: [ReplayScript.Step]) throws(ReplayRun.End) {
    guard let source = visit?.source else { return }
    run.restartPace()
    for step in steps {
      try run.pace(step) { _ in }
      switch step.action {
      case .send(let message): send(message, to: source)
      case .convert(let conversion): try convert(conversion)
      case .destroyWindow:
        // A destroyed window sends nothing more.
        window.close()
        isDone = true
        return
      case .receive, .disown: break
      }
    }
  }

  private func send(_ message: WireEvent.Message, to source: WindowID) {
    let script = run.script
    run.send(message, to: source) { place in
      switch (message.kind, place) {
      case (_, 0) where message.xdnd.sender == script.ownWindow: return .window(id)
      case (.status, 2) where message.words[3] != 0:
        return client.frame(of: id).map { .number(run.moved(message.xdnd.point, to: $0)) }
      default: return nil
      }
    }
  }

  private func convert(_ recorded: WireEvent.Conversion) throws(ReplayRun.End) {
    var time = recorded.time
    if time != .currentTime, let dropTime {
      time = Timestamp(rawValue: time.rawValue &- (visit?.script.dropTime ?? time).rawValue &+ dropTime.rawValue)
    }
    let target = recorded.target?.rawValue ?? ""
    let conversion = client.convert(
      "XdndSelection", to: target, property: recorded.property?.rawValue ?? target, on: id, at: time)
    if case .timedOut = client.answer(to: conversion, within: run.patience) {
      throw .silence("the answer to the request for \(target)")
    }
  }
}
