import XDnDConformance
import XDnDToolSupport
import XDnDToolWindow
import XDnD
import XDnDFiles
import Glibc

/// A drop target that checks a source: it behaves well, answers slowly at times, and requests more than a normal
/// target.
final class SourceProber {
  private let client: ScriptedClient
  private let recorder: TrafficRecorder
  private let window: ToolWindow
  private let limit: ContinuousClock.Instant?
  private let printer: RuleResultPrinter
  private var id: WindowID { WindowID(rawValue: window.windowID) }

  private var visitor: Visitor?
  private var status: ExitStatus?
  private var isDone = false

  private struct Visitor {
    let source: WindowID
    let types: [String]
    var positions = 0
    /// Whether the last XdndStatus accepted; `nil` before the first.
    var answer: Bool?
    var isAccepted: Bool { answer == true }
    /// The XdndStatus that is due, and the XdndPosition that it answers.
    var due: (at: ContinuousClock.Instant, position: WireEvent.Message)?
    /// Whether a pointer button was down. In a scripted drag there is no release to wait for.
    var isByHand = false
    /// Whether the due XdndStatus is held back until the user moves on or releases the button.
    var isHeld = false
  }

  init(_ client: ScriptedClient, geometry: Geometry?, until limit: ContinuousClock.Instant?, printer: RuleResultPrinter)
  {
    self.client = client
    self.limit = limit
    self.printer = printer
    recorder = TrafficRecorder(.target, of: client, isAskingForAll: true)
    let desktop = DesktopAppearance(of: client.display)
    window = ToolWindow(
      display: client.display, title: "xdnd-probe check", applicationName: "xdnd-probe", geometry: geometry,
      defaultSize: PixelSize(width: 400, height: 320), scale: desktop.scale)
    AppearanceChoice.auto.apply(to: window, desktop)
  }

  /// Runs until a drop has been examined, the window is closed, the time limit passes, a signal arrives or the server
  /// is lost.
  func run() -> (Recording, ExitStatus?) {
    client.onServerEvent = { [window] in window.handle(event: $0) }
    window.onClose = { [unowned self] in status = .cancelled }
    window.onMapped = { [unowned self] in reportReady() }
    window.onPlaced = { [unowned self] in recorder.recordTarget(id) }
    client.setProperty("XdndAware", of: id, ScriptedClient.Content(type: AtomName("ATOM"), words: [5]))
    client.watch(id)
    client.watchPointer(over: id)
    client.watchOwner(of: "XdndSelection")
    client.isInterrupted = { TerminationSignals.haveArrived }
    show("Drag something here and drop it", "Drops are accepted on the left, and refused in the right quarter.")
    window.show()
    while !isDone, status == nil {
      if TerminationSignals.haveArrived { status = .cancelled }
      if client.isClosed { status = .serverLost }
      if let limit, limit < .now { status = .timedOut }
      answerIfDue()
      let isHeld = visitor?.isHeld ?? false
      if isHeld { watchHand() }
      let look = ContinuousClock.now + .milliseconds(isHeld ? 10 : 100)
      let wake = min(visitor?.due?.at ?? look, look)
      if let event = client.next(until: wake) { receive(event) }
    }
    if TerminationSignals.haveArrived { status = .cancelled }
    if client.isClosed { window.detach() } else { window.close() }
    return (recorder.recording, status)
  }

  private func reportReady() {
    guard let frame = recorder.recordTarget(id) else { return }
    printer.ready(.ready("Ready: drop something on the window; its right quarter refuses drops.", id, frame))
  }

  private func show(_ title: String, _ footer: String, highlight: Scene.DropHighlight = .none) {
    var scene = window.scene
    (scene.placeholder, scene.footer, scene.dropHighlight) = (title, footer, highlight)
    window.scene = scene
  }

  // MARK: Hovering

  private func receive(_ event: WireEvent) {
    guard case .message(let message) = event.action else { return }
    switch message.kind {
    case .enter: enter(message)
    case .position:
      visitor?.positions += 1
      // Several positions from a source that does not wait are answered once.
      let isFirst = visitor?.due == nil
      let when = visitor?.due?.at ?? .now + delay
      visitor?.due = (when, message)
      if isFirst { holdBack() }
    case .leave:
      visitor = nil
      show("Drag something here and drop it", "The drag left. Drop on the left part to finish the check.")
    case .drop: drop(message)
    default: break
    }
  }

  private func enter(_ message: WireEvent.Message) {
    let source = message.xdnd.sender
    recorder.recordPeer(owning: source)
    client.watch(source)
    client.lookUpOwner(of: "XdndSelection")
    let list = client.readProperty("XdndTypeList", of: source)?.words.compactMap { client.name(of: $0)?.rawValue }
    let inline = message.inlineTypes.map(\.rawValue)
    let types = message.xdnd.hasTypeList ? list ?? inline : inline
    _ = client.readProperty("XdndActionList", of: source)
    if types.contains("XdndDirectSave0") { _ = client.readProperty("XdndDirectSave0", of: source) }
    visitor = Visitor(source: source, types: types)
  }

  /// Some answers are delayed to show whether the source waits for them. None is immediate, so that messages sent
  /// without waiting have arrived by then.
  private var delay: Duration {
    [2, 4].contains(visitor?.positions ?? 0) ? .milliseconds(150) : .milliseconds(20)
  }

  /// Holds the XdndStatus back if the user may be about to release the button. Whether a source waits for an
  /// outstanding XdndStatus before it drops is visible only if one is outstanding at the release, which would
  /// otherwise be left to chance.
  private func holdBack() {
    let isPressed = client.pointer.isPressed
    if isPressed { visitor?.isByHand = true }
    guard let visitor, visitor.isByHand, visitor.isAccepted, visitor.positions > Self.promptAnswers,
      let due = visitor.due,
      accepts(due.position.xdnd.point)
    else { return }
    self.visitor?.isHeld = isPressed
    if isPressed { printer.progress("holding") }
    self.visitor?.due?.at = .now + (isPressed ? Self.longestHold : Self.waitAfterRelease)
  }

  /// Sends a held answer at once when the pointer moves on, and after a delay when the button is released.
  private func watchHand() {
    guard let due = visitor?.due, due.at > .now else { return }
    let (place, isPressed) = client.pointer
    let asked = due.position.xdnd.point
    if !isPressed {
      visitor?.due?.at = min(due.at, .now + Self.waitAfterRelease)
      visitor?.isHeld = false
    } else if abs(place.x - asked.x) > Self.reach || abs(place.y - asked.y) > Self.reach {
      visitor?.due?.at = .now
      visitor?.isHeld = false
    }
  }

  /// The number of answers at the start of a visit that are never held back.
  private static let promptAnswers = 4
  /// Shorter than the timeout after which sources consider a target hung.
  private static let longestHold = Duration.milliseconds(1500)
  /// A source that does not wait for the answer drops within this time. A source that waits gets the answer before it
  /// gives up, as Chromium does after a second.
  private static let waitAfterRelease = Duration.milliseconds(800)
  /// The distance in pixels from the last position beyond which the pointer counts as moved on.
  private static let reach = 2

  /// Whether a drop at a point is accepted: everywhere but in the right quarter of the window.
  private func accepts(_ place: Point) -> Bool {
    guard let frame = recorder.recording.target?.frame else { return false }
    return place.x < frame.origin.x + frame.width * 3 / 4
  }

  private func answerIfDue() {
    guard let visitor, let due = visitor.due, due.at <= .now else { return }
    self.visitor?.due = nil
    self.visitor?.isHeld = false
    let place = due.position.xdnd.point
    let isAccepted = accepts(place)
    self.visitor?.answer = isAccepted
    defer { if isAccepted != visitor.answer { printer.progress("answered", ["accepted": .boolean(isAccepted)]) } }
    guard isAccepted else {
      client.send("XdndStatus", [.window(id)], to: visitor.source)
      return show("Drop here to test a refusal", "")
    }
    // From the third position on, asks for no positions within a small rectangle around the pointer.
    let quiet = visitor.positions > 2 ? Rect(x: place.x - 24, y: place.y - 24, width: 48, height: 48) : nil
    let origin = quiet.map { PackedPair.word($0.origin) } ?? 0
    let size = quiet.map { PackedPair.word($0.width, $0.height) } ?? 0
    client.send(
      "XdndStatus",
      [.window(id), .number(quiet == nil ? 3 : 1), .number(origin), .number(size), .atom("XdndActionCopy")],
      to: visitor.source)
    show("Drop here", "", highlight: .accepting)
  }

  // MARK: The drop

  private func drop(_ message: WireEvent.Message) {
    let source = visitor?.source ?? message.xdnd.sender
    guard let visitor, visitor.isAccepted else {
      self.visitor = nil
      client.send("XdndFinished", [.window(id)], to: source)
      return show("Drag something here and drop it", "The source dropped although the drop was refused.")
    }
    self.visitor = nil
    show("Examining", "")
    client.lookUpOwner(of: "XdndSelection")
    var prober = SelectionProber(client, of: id, source: source, types: visitor.types, time: message.xdnd.dropTime)
    prober.run()
    client.lookUpOwner(of: "XdndSelection")
    client.send("XdndFinished", [.window(id), 1, .atom("XdndActionCopy")], to: source)
    // Collects surplus messages that arrive late.
    let end = ContinuousClock.now + .milliseconds(300)
    while client.next(until: end) != nil {}
    isDone = true
  }
}

/// Requests every offered type of a dropped selection, and the standard targets, from the selection owner, one after
/// the other. The recording has the answers.
struct SelectionProber {
  private let client: ScriptedClient
  private let window: WindowID
  private let source: WindowID
  private let types: [String]
  private let time: Timestamp
  /// The number of unanswered requests. After two, the time to wait for an answer is shorter; after
  /// ``mostUnanswered``, no further types are requested.
  private var unansweredCount = 0

  private static let property = "XDND_PROBE_CHECK"
  private static let unofferedType = "application/x-xdnd-probe-unheard-of"
  /// A source may offer any number of types. The result reports how many were left out.
  private static let mostTypes = 1000
  private static let mostUnanswered = 12
  private static let requestedSeparately: Set<String> = [
    "XdndDirectSave0", "TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE",
  ]

  init(_ client: ScriptedClient, of window: WindowID, source: WindowID, types: [String], time: Timestamp) {
    (self.client, self.window, self.source, self.types, self.time) = (client, window, source, types, time)
  }

  mutating func run() {
    if types.contains("XdndDirectSave0") { saveDirectly() }
    ask("TARGETS")
    ask("TIMESTAMP")
    // A source may list a type twice.
    var asked = Self.requestedSeparately
    let content = types.filter { asked.insert($0).inserted }
    for type in content.prefix(Self.mostTypes) where unansweredCount < Self.mostUnanswered { ask(type) }
    ask(Self.unofferedType)
    if let first = content.first {
      askFromHiddenWindow(first)
      askForSeveral(first)
    }
  }

  /// Requests a type as GTK 4.8 does: with `CurrentTime`, and from a window that took no part in the drag.
  private mutating func askFromHiddenWindow(_ type: String) {
    let hidden = client.makeWindow()
    defer { client.destroy(hidden) }
    ask(type, on: hidden, at: .currentTime)
  }

  private var isOver: Bool { client.isClosed || TerminationSignals.haveArrived }

  private mutating func ask(
    _ type: String, on requestor: WindowID? = nil, at time: Timestamp? = nil, patience: Duration = .seconds(3)
  ) {
    guard !isOver else { return }
    let conversion = client.convert(
      "XdndSelection", to: type, property: Self.property, on: requestor ?? window, at: time ?? self.time)
    if client.answer(to: conversion, within: unansweredCount < 2 ? patience : .milliseconds(300)) == .timedOut {
      unansweredCount += 1
    }
  }

  private func askForSeveral(_ type: String) {
    guard !isOver else { return }
    let pairs = [type, Self.property + "_1", Self.unofferedType, Self.property + "_2"]
    let content = ScriptedClient.Content(type: AtomName("ATOM_PAIR"), words: pairs.map(client.atom))
    client.setProperty(Self.property, of: window, content)
    let conversion = client.convert("XdndSelection", to: "MULTIPLE", property: Self.property, on: window, at: time)
    _ = client.answer(to: conversion, within: .seconds(3))
    for name in ["", "_1", "_2"] { client.deleteProperty(Self.property + name, of: window) }
  }

  /// Performs a direct save (XDS) into a temporary directory.
  private mutating func saveDirectly() {
    let name = (client.readProperty("XdndDirectSave0", of: source)?.bytes ?? []).prefix { $0 != 0 }
    // The source's file name must not lead out of the directory.
    let leaf = name.isEmpty || name.contains(UInt8(ascii: "/")) ? Array("file".utf8) : Array(name)
    guard let directory = PrivateDirectory.temporary() else { return }
    defer { directory.remove() }
    let uri = FileList(rawPaths: [directory.path.appending(leaf)]).uris[0]
    client.setProperty(
      "XdndDirectSave0", of: source, ScriptedClient.Content(type: AtomName("text/plain"), bytes: Array(uri.utf8)))
    ask("XdndDirectSave0", patience: .seconds(10))
  }
}
