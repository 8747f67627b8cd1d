import DragConformance
import DragRecording
import ScriptedClient
import ToolSupport
import XDnD

/// A scripted drag source for examining a target: drags over its window several times, with what a target may
/// encounter.
final class TargetExamination {
  private let peer: ScriptedClient
  private let evidence: Evidence
  private let limit: ContinuousClock.Instant?
  /// The window that accepts drops, and its proxy window, which receives the messages.
  private let target: WindowID
  private let proxy: WindowID?
  private let frame: Rect
  private let place: Point
  private let source: WindowID
  private var started = Timestamp.currentTime
  private var hasVanished = false

  /// The offered types with their content, and the INCR chunk size; `nil` sends the content at once.
  private var offer: [(type: String, content: [UInt8])] = []
  private var part: Int?
  /// How conversion requests are served, and the requests left unanswered.
  private var service = Service.content
  private var unanswered: [WireEvent.Conversion] = []
  /// The IDs of the rules to examine; some of them take long.
  private let rules: Set<String>

  /// How the source treats conversion requests.
  private enum Service {
    case content, refusal, silence
  }

  private static let patience = Duration.seconds(2)
  /// How long a target may take to end a drop whose content it does not get. Java 17 (AWT) gives up after 10 s.
  private static let provocation = Duration.seconds(12)
  private static let textTypes = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]
  private static let unknownType = "application/x-xdnd-probe-unknown"

  /// Returns `nil` if no window accepts drops there.
  ///
  /// - Parameters:
  ///   - window: A window that accepts drops, or one that contains or lies in such a window.
  ///   - place: A window-local point; the middle if `nil`.
  ///   - rules: The rules to examine.
  init?(
    _ peer: ScriptedClient, _ window: WindowID, at place: Point?, until limit: ContinuousClock.Instant?,
    rules: [ConformanceRule]
  ) {
    guard let frame = peer.frame(of: window) else { return nil }
    let middle = Point(x: frame.width / 2, y: frame.height / 2)
    let inside = place ?? middle
    let point = Point(x: frame.origin.x + inside.x, y: frame.origin.y + inside.y)
    guard let target = DropPlaces(peer).target(at: point, in: window), let area = peer.frame(of: target) else {
      return nil
    }
    self.peer = peer
    self.limit = limit
    self.rules = Set(rules.map(\.id))
    self.target = target
    self.frame = area
    self.place = point
    evidence = Evidence(.source, of: peer)
    source = peer.makeWindow()
    evidence.place(Recording.Target(window: target, frame: area))
    evidence.identify(PeerProgram(of: target, seenBy: peer).recorded(by: target))
    _ = peer.readProperty("XdndAware", of: target)
    let named = peer.readProperty("XdndProxy", of: target)?.words.first.map(WindowID.init(rawValue:))
    let own = named.flatMap { peer.readProperty("XdndProxy", of: $0)?.words.first }
    // A proxy window that does not name itself is stale, left behind by a program that has exited (XDND "XdndProxy").
    proxy = named.flatMap { own == $0.rawValue && $0 != target ? $0 : nil }
    if let proxy { _ = peer.readProperty("XdndAware", of: proxy) }
  }

  func run() -> (recording: Recording, status: ExitStatus?) {
    peer.watch(target)
    peer.isInterrupted = { EndSignals.haveCome }
    let files = TemporaryPlace()
    defer { files?.remove() }
    let text = "xdnd-probe checks this program."
    let file = files?.write(text + "\n", to: "xdnd-probe check.txt") ?? "/etc/hostname"
    let list = FileList(paths: [file]).uris[0] + "\r\n"
    // Long enough for an INCR transfer, short enough for a line of text.
    let long = String(repeating: "xdnd-probe checks this program. ", count: 4000)

    let sessions: [() -> Void] = [
      { self.pass(offering: Self.textTypes, text, actions: ["Copy", "Move", "Link"]) },
      { self.ask(afterLeaving: "Copy") },
      { self.drag(offering: ["text/uri-list"], list) },
      { self.pass(offering: [Self.unknownType], text) },
      { self.drag(offering: [Self.unknownType], text, evenIfRefused: true) },
      { self.pass(offering: Self.textTypes, text, version: 3) },
      { self.pass(offering: Self.textTypes, text, version: 4) },
      { self.pass(offering: ["text/uri-list"], list) },
      { self.drag(offering: Self.textTypes + ["STRING", "TEXT"], text) },
      { self.drag(offering: Self.textTypes, long, part: 32768) },
      { self.provoke(text: text, list: list) },
    ]
    for session in sessions where endStatus == nil {
      session()
      serve(for: .milliseconds(100)) { false }
      // After a session its content is gone, so requests that are left over do not affect the next.
      peer.abandonTransfers()
    }
    peer.disown("XdndSelection", at: peer.serverTime())
    // A missing message counts as missing only after enough time.
    serve(for: .seconds(1)) { false }
    // A recording ends with its last entry, so this entry records how long nothing came.
    peer.lookUpOwner(of: "XdndSelection")
    return (evidence.recording, endStatus)
  }

  private var endStatus: ExitStatus? {
    if peer.isClosed { return .serverLost }
    if EndSignals.haveCome { return .cancelled }
    if hasVanished { return .peerDied }
    return limit.map { $0 < .now } ?? false ? .timedOut : nil
  }

  // MARK: Sessions

  /// Enters, sends positions, and leaves.
  private func pass(offering types: [String], _ text: String, version: UInt32 = 5, actions: [String] = ["Copy"]) {
    enter(types, text, version)
    for (index, action) in actions.enumerated() { move(by: index * 3, action) }
    peer.send("XdndLeave", [.window(source)], to: target, via: proxy)
  }

  /// Sends a position for a drag that has left. The target must ignore it.
  private func ask(afterLeaving action: String) {
    move(by: 0, action, patience: .milliseconds(500))
  }

  /// Enters, and drops if the drop is accepted.
  private func drag(offering types: [String], _ text: String, part: Int? = nil, evenIfRefused: Bool = false) {
    self.part = part
    defer { self.part = nil }
    guard let isAccepted = drop(offering: types, text, evenIfRefused: evenIfRefused) else { return }
    awaitFinished(for: isAccepted ? .seconds(8) : Self.patience)
  }

  /// Enters and drops. Returns whether the drop was accepted; `nil` if it was refused and the drag left.
  private func drop(offering types: [String], _ text: String, evenIfRefused: Bool = false) -> Bool? {
    enter(types, text, 5)
    let first = move(by: 0, "Copy")
    // Some targets accept only after they have inspected the content.
    let isAccepted = move(by: 2, "Copy") ?? first ?? false
    guard isAccepted || evenIfRefused else {
      peer.send("XdndLeave", [.window(source)], to: target, via: proxy)
      return nil
    }
    let time = peer.serverTime()
    peer.send("XdndDrop", [.window(source), 0, .number(time.rawValue)], to: target, via: proxy)
    return isAccepted
  }

  /// Serves requests until the drop is finished and all transfers are complete. Returns whether it finished.
  @discardableResult
  private func awaitFinished(for time: Duration) -> Bool {
    var isFinished = false
    serve(for: time) { [unowned self] in
      isFinished = isFinished || lastHeard == .finished
      return isFinished && !peer.isSendingParts
    }
    return isFinished
  }

  /// Drops and refuses all content, then drops again without answering. This comes last because some targets hang
  /// afterwards. A target that has not ended the first drop is not given the second, whose result would not be fair.
  private func provoke(text: String, list: String) {
    var offer = (types: Self.textTypes, content: text)
    defer { service = .content }
    if rules.contains("refusal-ends-drop") {
      service = .refusal
      // A target that refuses text may accept files.
      if drop(offering: offer.types, offer.content) == nil {
        offer = (["text/uri-list"], list)
        guard drop(offering: offer.types, offer.content) != nil else { return }
      }
      guard awaitFinished(for: Self.provocation) else { return }
      serve(for: .milliseconds(100)) { false }
    }
    guard rules.contains("silence-ends-drop"), endStatus == nil else { return }
    service = .silence
    if drop(offering: offer.types, offer.content) == nil {
      guard drop(offering: ["text/uri-list"], list) != nil else { return }
    }
    if awaitFinished(for: Self.provocation) { return }
    // Answers the open requests, so that the target does not hang.
    service = .refusal
    for conversion in unanswered { peer.answer(conversion, with: nil) }
    awaitFinished(for: Self.patience)
  }

  private func enter(_ types: [String], _ text: String, _ version: UInt32) {
    offer = types.map { ($0, Array(text.utf8)) }
    started = peer.serverTime()
    peer.own("XdndSelection", by: source, at: started)
    if types.count > 3 { peer.setProperty("XdndTypeList", of: source, atoms: types) }
    peer.setProperty("XdndActionList", of: source, atoms: ["XdndActionCopy", "XdndActionMove", "XdndActionLink"])
    let inline = (types + ["", "", ""]).prefix(3).map { ScriptedClient.Word.atom($0) }
    peer.send(
      "XdndEnter", [.window(source), .number(version << 24 | (types.count > 3 ? 1 : 0))] + inline, to: target,
      via: proxy)
  }

  /// Sends a position and waits for XdndStatus. Returns whether it accepts; `nil` if none came.
  @discardableResult
  private func move(by step: Int, _ action: String, patience: Duration = patience) -> Bool? {
    let point = Point(x: place.x + step, y: place.y)
    let time = peer.serverTime()
    peer.send(
      "XdndPosition",
      [.window(source), 0, .number(PackedPair.word(point)), .number(time.rawValue), .atom("XdndAction" + action)],
      to: target, via: proxy)
    var answer: Bool?
    serve(for: patience) { [unowned self] in
      if let status = lastStatus { answer = status.xdnd.isAcceptance }
      return answer != nil
    }
    return answer
  }

  // MARK: Serving

  private var lastHeard: XdndMessageKind?
  private var lastStatus: WireEvent.Message?

  /// Serves requests until `isDone` returns true after an event, or until `time` has passed.
  private func serve(for time: Duration, until isDone: () -> Bool) {
    let end = ContinuousClock.now + time
    (lastHeard, lastStatus) = (nil, nil)
    while endStatus == nil, end > .now {
      guard let event = peer.next(until: min(end, .now + .milliseconds(100))) else { continue }
      switch event.action {
      case .conversion(let conversion): answer(conversion)
      case .message(let message):
        lastHeard = message.kind
        if message.kind == .status { lastStatus = message }
      case .vanished(let window) where window == target: hasVanished = true
      default: break
      }
      if isDone() { return }
    }
  }

  private func answer(_ conversion: WireEvent.Conversion) {
    switch service {
    case .content: break
    case .refusal: return peer.answer(conversion, with: nil)
    case .silence: return unanswered.append(conversion)
    }
    peer.watch(conversion.requestor)
    let type = conversion.target?.rawValue ?? ""
    let content: ScriptedClient.Content? =
      switch type {
      case "TARGETS":
        ScriptedClient.Content(
          type: AtomName(rawValue: "ATOM"),
          words: (["TARGETS", "TIMESTAMP"] + offer.map(\.type)).map(peer.atom))
      case "TIMESTAMP": ScriptedClient.Content(type: AtomName(rawValue: "INTEGER"), words: [started.rawValue])
      case "DELETE": ScriptedClient.Content(type: AtomName(rawValue: "NULL"), words: [])
      default:
        offer.first { $0.type == type }.map {
          ScriptedClient.Content(
            type: AtomName(rawValue: $0.type == "TEXT" ? "UTF8_STRING" : $0.type), bytes: $0.content)
        }
      }
    peer.answer(conversion, with: content, part: offer.contains { $0.type == type } ? part : nil)
  }
}
