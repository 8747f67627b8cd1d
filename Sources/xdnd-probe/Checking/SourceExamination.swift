import DragConformance
import DragRecording
import RawPeer
import ToolSupport
import ToolWindow
import XDnD

/// A window that takes drops like a well-behaved target that is a little slow, and asks for more than such a one would.
final class SourceExamination {
  private let peer: RawPeer
  private let evidence: Evidence
  private let window: ToolWindow
  private let limit: ContinuousClock.Instant?
  private let printer: VerdictPrinter
  private var id: WindowID { WindowID(rawValue: window.windowID) }

  /// Who is over the window.
  private var visitor: Visitor?
  private var status: ExitStatus?
  private var isDone = false

  private struct Visitor {
    var source: WindowID
    var types: [String]
    var positions = 0
    var isAccepted = false
    /// The answer that is due.
    var due: (at: ContinuousClock.Instant, position: WireEvent.Message)?
  }

  init(_ peer: RawPeer, geometry: Geometry?, until limit: ContinuousClock.Instant?, printer: VerdictPrinter) {
    self.peer = peer
    self.limit = limit
    self.printer = printer
    evidence = Evidence(.target, of: peer)
    window = ToolWindow(
      display: peer.display, title: "xdnd-probe check", applicationName: "xdnd-probe", geometry: geometry,
      defaultSize: PixelSize(width: 400, height: 320))
    window.adoptDesktop(of: peer.display)
  }

  /// Until something was dropped and examined.
  func run() -> (recording: Recording, status: ExitStatus?) {
    peer.onServerEvent = { [window] in window.handle(event: $0) }
    window.onClose = { [unowned self] in status = .cancelled }
    window.onMapped = { [unowned self] in place(isReady: true) }
    window.onResize = { [unowned self] in place() }
    peer.setProperty("XdndAware", of: id, RawPeer.Content(type: AtomName(rawValue: "ATOM"), words: [5]))
    peer.watch(id)
    peer.watchOwner(of: "XdndSelection")
    show("Drag something here and let it go", "Over the left part the answer is yes, over the last quarter no.")
    window.show()
    while !isDone, status == nil {
      if Interruption.hasCome { status = .cancelled }
      if peer.isClosed { status = .serverLost }
      if let limit, limit < .now { status = .timedOut }
      answerIfDue()
      let wake = min(visitor?.due?.at ?? .now + .milliseconds(100), .now + .milliseconds(100))
      if let event = peer.next(until: wake) { receive(event) }
    }
    if peer.isClosed { window.detach() } else { window.close() }
    return (evidence.recording, status)
  }

  private func place(isReady: Bool = false) {
    guard let frame = peer.frame(of: id) else { return }
    evidence.place(Recording.Target(window: id, frame: frame))
    guard isReady else { return }
    printer.ready(
      Report(
        "ready", "Ready: drag something over the window and drop it there; over its last quarter it is refused.",
        [
          "window": .integer(Int(id.rawValue)), "x": .integer(frame.origin.x), "y": .integer(frame.origin.y),
          "width": .integer(frame.width), "height": .integer(frame.height),
        ]))
  }

  private func show(_ title: String, _ footer: String, frame: Scene.Frame = .none) {
    var scene = window.scene
    (scene.placeholder, scene.footer, scene.frame) = (title, footer, frame)
    window.scene = scene
  }

  // MARK: Hovering

  private func receive(_ event: WireEvent) {
    guard case .message(let message) = event.action else { return }
    switch message.type.rawValue {
    case "XdndEnter": enter(message)
    case "XdndPosition":
      visitor?.positions += 1
      // Whoever does not wait is answered once for several.
      let when = visitor?.due?.at ?? .now + delay
      visitor?.due = (when, message)
    case "XdndLeave":
      visitor = nil
      show("Drag something here and let it go", "It has left. A drop over the left part ends the examination.")
    case "XdndDrop": drop(message)
    default: break
    }
  }

  private func enter(_ message: WireEvent.Message) {
    let source = WindowID(rawValue: message.words[0])
    evidence.identify(peer.identity(of: source))
    peer.watch(source)
    peer.lookUpOwner(of: "XdndSelection")
    let list = peer.readProperty("XdndTypeList", of: source)?.words.compactMap { peer.name(of: $0)?.rawValue }
    let inline = [2, 3, 4].compactMap { message.names[$0]?.rawValue }
    let types = message.words[1] & 1 != 0 ? list ?? inline : inline
    _ = peer.readProperty("XdndActionList", of: source)
    if types.contains("XdndDirectSave0") { _ = peer.readProperty("XdndDirectSave0", of: source) }
    visitor = Visitor(source: source, types: types)
  }

  /// Some answers take a while: then it can be seen who waits for them. None comes at once: what was sent without waiting is
  /// here by then.
  private var delay: Duration {
    [2, 4].contains(visitor?.positions ?? 0) ? .milliseconds(150) : .milliseconds(20)
  }

  private func answerIfDue() {
    guard let due = visitor?.due, due.at <= .now, let frame = evidence.recording.target?.frame, let visitor else {
      return
    }
    self.visitor?.due = nil
    let word = due.position.words[2]
    let place = Point(x: Int(Int16(truncatingIfNeeded: word >> 16)), y: Int(Int16(truncatingIfNeeded: word)))
    let edge = frame.origin.x + frame.width * 3 / 4
    let accepts = place.x < edge
    self.visitor?.isAccepted = accepts
    guard accepts else {
      peer.send("XdndStatus", [.window(id)], to: visitor.source)
      return show("Let it go here: it is to be refused", "", frame: .refusing)
    }
    // From the third position on silence is asked for, in a small square around the pointer.
    let quiet = visitor.positions > 2 ? Rect(x: place.x - 24, y: place.y - 24, width: 48, height: 48) : nil
    let origin = quiet.map {
      UInt32(UInt16(truncatingIfNeeded: $0.origin.x)) << 16 | UInt32(UInt16(truncatingIfNeeded: $0.origin.y))
    }
    let size = quiet.map { UInt32($0.width) << 16 | UInt32($0.height) }
    peer.send(
      "XdndStatus",
      [
        .window(id), .number(quiet == nil ? 3 : 1), .number(origin ?? 0), .number(size ?? 0), .atom("XdndActionCopy"),
      ], to: visitor.source)
    show("Let it go here", "", frame: .accepting)
  }

  // MARK: The drop

  private func drop(_ message: WireEvent.Message) {
    let source = visitor?.source ?? WindowID(rawValue: message.words[0])
    guard let visitor, visitor.isAccepted else {
      self.visitor = nil
      peer.send("XdndFinished", [.window(id)], to: source)
      return show("Drag something here and let it go", "That was dropped although it was refused.")
    }
    self.visitor = nil
    show("Examining", "")
    peer.lookUpOwner(of: "XdndSelection")
    Interrogation(peer, of: id, source: source, types: visitor.types, time: Timestamp(rawValue: message.words[2])).run()
    peer.lookUpOwner(of: "XdndSelection")
    peer.send("XdndFinished", [.window(id), 1, .atom("XdndActionCopy")], to: source)
    // What comes too much comes now.
    let end = ContinuousClock.now + .milliseconds(300)
    while peer.next(until: end) != nil {}
    isDone = true
  }
}
