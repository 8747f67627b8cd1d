import XDnDConformance
import XDnD

/// Replays the source of a recording.
final class SourceReplay {
  private let run: ReplayRun
  private let client: ScriptedClient
  private let target: WindowID
  private let proxy: WindowID?
  private let frame: Rect
  private let source: WindowID
  /// The first timestamp of the recording and of this run.
  private var base: (recorded: UInt32, live: UInt32) = (0, 0)
  private var contents: [AtomName: [RecordedContent?]] = [:]
  private var heard: [WireEvent.Message] = []
  /// Whether the target window was destroyed. This is not a failure once all expected messages have arrived.
  private var isGone = false

  /// - Parameter window: A window that accepts drops, or one that contains or lies in such a window.
  init(_ run: ReplayRun, on window: WindowID) throws(ReplayRun.End) {
    let client = run.client
    self.run = run
    self.client = client
    guard let middle = client.frame(of: window)?.rootPosition(of: nil),
      let target = client.dropTarget(at: middle, in: window), let frame = run.recorder.recordTarget(target)
    else { throw .noTarget }
    self.target = target
    self.frame = frame
    proxy = client.dropProxy(of: target)
    source = client.makeWindow()
    for answer in run.recorded.answers { contents[answer.target, default: []].append(answer.content) }
    run.recorder.recordPeer(owning: target)
  }

  func perform() throws(ReplayRun.End) {
    client.watch(target)
    run.setProperties(of: source)
    let now = client.serverTime()
    base = (run.script.firstTimestamp?.rawValue ?? now.rawValue, now.rawValue)
    client.own("XdndSelection", by: source, at: now)
    for step in run.script.steps {
      switch step.action {
      case .send(let message):
        try run.pace(step, handle)
        send(message)
      case .receive(let message): try hear(message.type)
      case .disown:
        try run.pace(step, handle)
        client.disown("XdndSelection", at: client.serverTime())
      case .destroyWindow:
        try run.pace(step, handle)
        client.destroy(source)
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
      case (.position, 2): return .number(run.moved(message.xdnd.point, to: frame))
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
    guard let content, let type = content.type else { return client.answer(conversion, with: nil) }
    let value = run.content(type, content.format, content.bytes, content.names)
    // Content that was recorded as one property is sent as one property, unless it is too large.
    let part = content.partLength.map { max($0, 1024) } ?? (value.bytes.count > Self.largestProperty ? 65536 : nil)
    client.answer(conversion, with: value, part: part)
  }

  /// The maximum size of one property in bytes. Java 17 (AWT) reads no more than 4,000,000 bytes, and a server takes
  /// at most about 16 MiB in one request.
  private static let largestProperty = 4_000_000
}
