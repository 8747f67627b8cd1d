import DragRecording
import ScriptedClient
import XDnD

/// Replays the source of a recording.
final class SourceReplay {
  private let run: ReplayRun
  private let peer: ScriptedClient
  /// The target window, and its proxy window if it has one.
  private let target: WindowID
  private let proxy: WindowID?
  private let frame: Rect
  private let source: WindowID
  /// The first timestamp of the recording and of this run.
  private var base: (recorded: UInt32, live: UInt32) = (0, 0)
  /// The recorded contents for each type, in the order of the requests.
  private var contents: [AtomName: [RecordedContent?]] = [:]
  /// The received messages that no step has consumed yet.
  private var heard: [WireEvent.Message] = []
  /// Whether the target window was destroyed. It may be, once all expected messages have arrived.
  private var isGone = false

  /// - Parameter window: A window that accepts drops, or one that contains such a window.
  init(_ run: ReplayRun, on window: WindowID) throws(ReplayRun.End) {
    let peer = run.peer
    self.run = run
    self.peer = peer
    guard let whole = peer.frame(of: window) else { throw .noTarget }
    let middle = Point(x: whole.origin.x + whole.width / 2, y: whole.origin.y + whole.height / 2)
    guard let target = DropPlaces(peer).target(at: middle, in: window), let frame = peer.frame(of: target) else {
      throw .noTarget
    }
    self.target = target
    self.frame = frame
    let named = peer.readProperty("XdndProxy", of: target)?.words.first.map(WindowID.init(rawValue:))
    let own = named.flatMap { peer.readProperty("XdndProxy", of: $0)?.words.first }
    proxy = named.flatMap { own == $0.rawValue && $0 != target ? $0 : nil }
    source = peer.makeWindow()
    for answer in run.recorded.answers { contents[answer.target, default: []].append(answer.content) }
    run.identify(target)
    run.place(Recording.Target(window: target, frame: frame))
  }

  func perform() throws(ReplayRun.End) {
    peer.watch(target)
    for property in run.script.properties { run.setProperty(property, of: source) }
    let now = peer.serverTime()
    base = (run.script.firstTimestamp?.rawValue ?? now.rawValue, now.rawValue)
    peer.own("XdndSelection", by: source, at: now)
    for step in run.script.steps {
      switch step.action {
      case .send(let message):
        try run.pace(step, handle)
        send(message)
      case .receive(let message): try hear(message.type)
      case .disown:
        try run.pace(step, handle)
        peer.disown("XdndSelection", at: peer.serverTime())
      case .destroyWindow:
        try run.pace(step, handle)
        peer.destroy(source)
      case .convert: break
      }
    }
    // The target may still fetch content or send more messages than recorded.
    try run.wait(for: nil, within: .milliseconds(300), until: { false }, handle)
  }

  private func send(_ message: WireEvent.Message) {
    let script = run.script
    run.send(message, to: target, via: proxy) { place in
      let word = message.words[place]
      switch (message.kind, place) {
      case (_, 0) where word == script.ownWindow?.rawValue: return .window(source)
      case (.position, 2):
        return .number(run.moved(message.xdnd.point, from: run.recorded.target?.frame, to: frame))
      case (.position, 3), (.drop, 2):
        return word == 0 ? nil : .number(word &- base.recorded &+ base.live)
      default: return nil
      }
    }
  }

  private func hear(_ type: AtomName) throws(ReplayRun.End) {
    try run.wait(
      for: "\(type) from the target", within: run.patience, until: { isGone || heard.contains { $0.type == type } },
      handle)
    guard let index = heard.firstIndex(where: { $0.type == type }) else { throw .died }
    heard.remove(at: index)
  }

  private func handle(_ event: WireEvent) {
    switch event.action {
    case .message(let message): heard.append(message)
    case .conversion(let conversion): answer(conversion)
    case .vanished(let gone) where gone == target: isGone = true
    default: break
    }
  }

  /// Answers a request with the recorded content, in the recorded order. Refuses types that were not recorded.
  private func answer(_ conversion: WireEvent.Conversion) {
    var content: RecordedContent?
    if let target = conversion.target, var list = contents[target], let first = list.first {
      content = first
      // The last recorded content is repeated.
      if list.count > 1 { list.removeFirst() }
      contents[target] = list
    }
    guard let content, let type = content.type else { return peer.answer(conversion, with: nil) }
    let value =
      content.names.isEmpty
      ? ScriptedClient.Content(type: type, format: content.format, bytes: content.bytes)
      : ScriptedClient.Content(type: type, words: content.names.map { $0.map { peer.atom($0.rawValue) } ?? 0 })
    // Content that was recorded as one property is sent as one property.
    let part = content.partLength.map { max($0, 1024) } ?? (value.bytes.count > Self.largestProperty ? 65536 : nil)
    peer.answer(conversion, with: value, part: part)
  }

  /// The maximum size of one property in bytes. Java 17 (AWT) reads no more than 4,000,000 bytes, and a server takes
  /// at most about 16 MiB in one request.
  private static let largestProperty = 4_000_000
}
