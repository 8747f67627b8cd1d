import XDnDConformance
import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD

/// A scripted drag source that checks a target: it drags over the target's window several times, with the variations
/// that a target may encounter.
final class TargetProber {
  private let client: ScriptedClient
  private let recorder: TrafficRecorder
  private let limit: ContinuousClock.Instant?
  /// The window that accepts drops, and its proxy window, which receives the messages.
  private let target: WindowID
  private let proxy: WindowID?
  private let place: Point
  private let source: WindowID
  private var started = Timestamp.currentTime
  private var hasVanished = false

  /// The offered types with their content, and the INCR chunk size; `nil` sends the content at once.
  private var offer: [(type: String, content: [UInt8])] = []
  private var part: Int?
  private var service = Service.content
  private var unanswered: [WireEvent.Conversion] = []
  /// The rules to check. A slow test of ``provoke(text:list:)`` runs only if its rule is among them.
  private let ruleIDs: Set<String>

  private enum Service {
    case content, refusal, silence
  }

  private static let patience = Duration.seconds(2)
  /// How long a target may take to end a drop whose content it does not get. Java 17 (AWT) gives up after 10 s.
  private static let provocation = Duration.seconds(12)
  private static let textTypes = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]
  private static let unknownType = "application/x-xdnd-probe-unknown"

  /// - Parameters:
  ///   - window: A window that accepts drops, or one that contains or lies in such a window.
  ///   - place: A window-local point; the middle if `nil`.
  init?(
    _ client: ScriptedClient, _ window: WindowID, at place: Point?, until limit: ContinuousClock.Instant?,
    rules: [ConformanceRule]
  ) {
    guard let point = client.frame(of: window)?.rootPosition(of: place),
      let target = client.dropTarget(at: point, in: window)
    else { return nil }
    self.client = client
    self.limit = limit
    self.target = target
    self.place = point
    ruleIDs = Set(rules.map(\.id))
    recorder = TrafficRecorder(.source, of: client)
    source = client.makeWindow()
    guard recorder.recordTarget(target) != nil else { return nil }
    recorder.recordPeer(owning: target)
    _ = client.readProperty("XdndAware", of: target)
    proxy = client.dropProxy(of: target)
    if let proxy { _ = client.readProperty("XdndAware", of: proxy) }
  }

  func run() -> (Recording, ExitStatus?) {
    client.watch(target)
    client.isInterrupted = { TerminationSignals.haveArrived }
    let directory = PrivateDirectory.temporary()
    defer { directory?.remove() }
    let text = "xdnd-probe checks this program."
    let file = directory.flatMap { Self.writeFile(text + "\n", in: $0) } ?? Array("/etc/hostname".utf8)
    let list = FileList(rawPaths: [file]).uris[0] + "\r\n"
    // Long enough for an INCR transfer of four parts, and short enough for a target to show it as one line.
    let long = String(repeating: "xdnd-probe checks this program. ", count: 4000)

    let sessions: [() -> Void] = [
      { self.pass(offering: Self.textTypes, text, actions: ["Copy", "Move", "Link"]) },
      // A position for a drag that has left, which the target must ignore.
      { self.move(by: 0, "Copy", patience: .milliseconds(500)) },
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
      serve(for: .milliseconds(100))
      // Transfers that are left over must not affect the next session.
      client.abandonTransfers()
    }
    client.disown("XdndSelection", at: client.serverTime())
    // A rule reports an answer as missing only if the recording covers enough time after the question.
    serve(for: .seconds(1))
    // A recording ends with its last entry, so this entry shows that the prober waited until now.
    client.lookUpOwner(of: "XdndSelection")
    return (recorder.recording, endStatus)
  }

  private static func writeFile(_ text: String, in directory: PrivateDirectory) -> RawPath? {
    let name = Array("xdnd-probe check.txt".utf8)
    guard let file = try? createFile(name, in: directory.handle.descriptor, mode: 0o666) else { return nil }
    defer { close(file) }
    try? writeAll(Array(text.utf8)[...], to: file)
    return directory.path.appending(name)
  }

  private var endStatus: ExitStatus? {
    if client.isClosed { return .serverLost }
    if TerminationSignals.haveArrived { return .cancelled }
    if hasVanished { return .peerDied }
    return limit.map { $0 < .now } ?? false ? .timedOut : nil
  }

  // MARK: Sessions

  /// Enters, sends positions, and leaves.
  private func pass(offering types: [String], _ text: String, version: UInt32 = 5, actions: [String] = ["Copy"]) {
    enter(types, text, version)
    for (index, action) in actions.enumerated() { move(by: index * 3, action) }
    send("XdndLeave")
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
      send("XdndLeave")
      return nil
    }
    let time = client.serverTime()
    send("XdndDrop", [0, .number(time.rawValue)])
    return isAccepted
  }

  /// Serves requests until the drop is finished and all transfers are complete. Returns whether it finished.
  @discardableResult
  private func awaitFinished(for time: Duration) -> Bool {
    var isFinished = false
    serve(for: time) { message in
      isFinished = isFinished || message?.kind == .finished
      return isFinished && !client.isSendingParts
    }
    return isFinished
  }

  /// Drops and refuses all content, then drops again without answering. This comes last because some targets hang
  /// afterwards. A target that has not ended the first drop does not get the second, because a failure would then
  /// prove nothing.
  private func provoke(text: String, list: String) {
    var offer = (types: Self.textTypes, content: text)
    defer { service = .content }
    if ruleIDs.contains("refusal-ends-drop") {
      service = .refusal
      // A target that refuses text may accept files.
      if drop(offering: offer.types, offer.content) == nil {
        offer = (["text/uri-list"], list)
        guard drop(offering: offer.types, offer.content) != nil else { return }
      }
      guard awaitFinished(for: Self.provocation) else { return }
      serve(for: .milliseconds(100))
    }
    guard ruleIDs.contains("silence-ends-drop"), endStatus == nil else { return }
    service = .silence
    if drop(offering: offer.types, offer.content) == nil {
      guard drop(offering: ["text/uri-list"], list) != nil else { return }
    }
    if awaitFinished(for: Self.provocation) { return }
    // Answers the open requests, so that the target does not hang.
    service = .refusal
    for conversion in unanswered { client.answer(conversion, with: nil) }
    awaitFinished(for: Self.patience)
  }

  private func enter(_ types: [String], _ text: String, _ version: UInt32) {
    offer = types.map { ($0, Array(text.utf8)) }
    started = client.serverTime()
    client.own("XdndSelection", by: source, at: started)
    if types.count > 3 { client.setProperty("XdndTypeList", of: source, atoms: types) }
    client.setProperty("XdndActionList", of: source, atoms: ["XdndActionCopy", "XdndActionMove", "XdndActionLink"])
    let inline = (types + ["", "", ""]).prefix(3).map { ScriptedClient.Word.atom($0) }
    send("XdndEnter", [.number(version << 24 | (types.count > 3 ? 1 : 0))] + inline)
  }

  /// Sends a position and waits for XdndStatus. Returns whether it accepts; `nil` if none came.
  @discardableResult
  private func move(by step: Int, _ action: String, patience: Duration = patience) -> Bool? {
    let point = Point(x: place.x + step, y: place.y)
    let time = client.serverTime()
    send("XdndPosition", [0, .number(PackedPair.word(point)), .number(time.rawValue), .atom("XdndAction" + action)])
    var answer: Bool?
    serve(for: patience) { message in
      if let message, message.kind == .status { answer = message.xdnd.isAcceptance }
      return answer != nil
    }
    return answer
  }

  private func send(_ type: String, _ words: [ScriptedClient.Word] = []) {
    client.send(type, [.window(source)] + words, to: target, via: proxy)
  }

  // MARK: Serving

  /// Serves requests until `isDone` returns `true` after an event, or until `time` has passed.
  ///
  /// - Parameter isDone: Receives the message; `nil` for another event.
  private func serve(for time: Duration, until isDone: (WireEvent.Message?) -> Bool = { _ in false }) {
    let end = ContinuousClock.now + time
    while endStatus == nil, end > .now {
      guard let event = client.next(until: min(end, .now + .milliseconds(100))) else { continue }
      var message: WireEvent.Message?
      switch event.action {
      case .conversion(let conversion): answer(conversion)
      case .message(let received): message = received
      case .vanished(let window) where window == target: hasVanished = true
      default: break
      }
      if isDone(message) { return }
    }
  }

  private func answer(_ conversion: WireEvent.Conversion) {
    switch service {
    case .content: break
    case .refusal: return client.answer(conversion, with: nil)
    case .silence: return unanswered.append(conversion)
    }
    client.watch(conversion.requestor)
    let type = conversion.target?.rawValue ?? ""
    let content: ScriptedClient.Content? =
      switch type {
      case "TARGETS":
        ScriptedClient.Content(
          type: AtomName("ATOM"),
          words: (["TARGETS", "TIMESTAMP"] + offer.map(\.type)).map(client.atom))
      case "TIMESTAMP": ScriptedClient.Content(type: AtomName("INTEGER"), words: [started.rawValue])
      case "DELETE": ScriptedClient.Content(type: AtomName("NULL"), words: [])
      default:
        offer.first { $0.type == type }.map {
          ScriptedClient.Content(type: AtomName(type == "TEXT" ? "UTF8_STRING" : type), bytes: $0.content)
        }
      }
    client.answer(conversion, with: content, part: offer.contains { $0.type == type } ? part : nil)
  }
}
