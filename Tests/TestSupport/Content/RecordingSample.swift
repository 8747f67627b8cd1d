package import XDnDConformance
package import XDnD

/// Recordings for tests.
package enum RecordingSample {
  package static let source = WindowID(rawValue: 0x40_0002)
  package static let target = WindowID(rawValue: 0x60_0001)

  /// A short drag of text, as its target has seen it.
  package static let drag: Recording = {
    var recording = Recording(role: .target)
    recording.peer = Recording.Peer(window: source, program: "gedit", processID: 4711)
    recording.target = Recording.Target(window: target, frame: Rect(x: 600, y: 60, width: 300, height: 300))
    recording.display = ":7"
    recording.date = "2026-11-21T16:20:05Z"
    recording.entries = [
      message(0, .received, "XdndEnter", [source.rawValue, 0x0500_0000, 0x138, 0, 0], [2: "text/plain"]),
      message(
        900, .received, "XdndPosition", [source.rawValue, 0, 700 << 16 | 120, 1_000, 0x140], [4: "XdndActionCopy"]),
      message(1_200, .sent, "XdndStatus", [target.rawValue, 1, 0, 0, 0x140], [4: "XdndActionCopy"]),
      message(
        9_000, .received, "XdndPosition", [source.rawValue, 0, 701 << 16 | 121, 1_009, 0x140], [4: "XdndActionCopy"]),
      message(9_300, .sent, "XdndStatus", [target.rawValue, 1, 0, 0, 0x140], [4: "XdndActionCopy"]),
      message(
        17_000, .received, "XdndPosition", [source.rawValue, 0, 702 << 16 | 122, 1_017, 0x140], [4: "XdndActionCopy"]),
      message(17_300, .sent, "XdndStatus", [target.rawValue, 1, 0, 0, 0x140], [4: "XdndActionCopy"]),
      message(2_500_000, .received, "XdndDrop", [source.rawValue, 0, 2_500, 0, 0]),
      Recording.Entry(time: 2_500_200, WireEvent(.sent, .conversion(conversion))),
      Recording.Entry(time: 2_501_000, WireEvent(.received, .converted(conversion))),
      Recording.Entry(
        time: 2_501_200,
        WireEvent(
          .sent,
          .property(
            WireEvent.Property(
              .read, name("XDND_DATA"), of: target, type: name("text/plain"), format: 8, bytes: Array("Hello".utf8))))),
      Recording.Entry(
        time: 2_501_300, WireEvent(.sent, .property(WireEvent.Property(.deleted, name("XDND_DATA"), of: target)))),
      message(2_501_500, .sent, "XdndFinished", [target.rawValue, 1, 0x140, 0, 0], [2: "XdndActionCopy"]),
      Recording.Entry(time: 2_600_000, WireEvent(.received, .owner(of: name("XdndSelection"), .none, time(2_600)))),
      Recording.Entry(time: 2_700_000, WireEvent(.received, .vanished(source))),
    ]
    return recording
  }()

  /// The same drag with content that came by INCR.
  package static func dragInParts(_ content: [UInt8], of length: Int) -> Recording {
    func read(_ type: String, _ bytes: [UInt8]) -> Recording.Entry {
      Recording.Entry(
        time: 2_501_200,
        WireEvent(
          .sent,
          .property(
            WireEvent.Property(
              .read, name("XDND_DATA"), of: target, type: name(type), format: type == "INCR" ? 32 : 8, bytes: bytes))))
    }
    var recording = drag
    let place = recording.entries.firstIndex { if case .property = $0.event.action { true } else { false } } ?? 0
    recording.entries[place] = read("INCR", withUnsafeBytes(of: UInt32(content.count)) { Array($0) })
    let parts = stride(from: 0, to: content.count, by: length).map { start in
      read("text/plain", Array(content[start..<min(start + length, content.count)]))
    }
    recording.entries.insert(contentsOf: parts + [read("text/plain", [])], at: place + 1)
    return recording
  }

  package static let conversion = WireEvent.Conversion(
    selection: name("XdndSelection"), target: name("text/plain"), property: name("XDND_DATA"), requestor: target,
    time: time(2_500))

  package static func message(
    _ microseconds: Int, _ direction: WireEvent.Direction, _ type: String, _ words: [UInt32],
    _ names: [Int: String] = [:]
  ) -> Recording.Entry {
    Recording.Entry(
      time: microseconds,
      WireEvent(
        direction,
        .message(
          WireEvent.Message(
            type: name(type), window: direction == .received ? target : source, words: words,
            names: names.mapValues(name)))))
  }

  package static func name(_ name: String) -> AtomName { AtomName(rawValue: name) }

  package static func time(_ milliseconds: UInt32) -> Timestamp { Timestamp(rawValue: milliseconds) }

  /// Anything that can be recorded.
  package static func random(_ random: inout SplitMix64) -> Recording {
    var recording = Recording(role: Recording.Role.allCases.randomElement(using: &random) ?? .source)
    if random.oneIn(2) {
      recording.peer = Recording.Peer(
        window: random.oneIn(2) ? window(&random) : nil, program: random.oneIn(2) ? text(&random) : nil,
        processID: random.oneIn(2) ? Int.random(in: 0...99_999, using: &random) : nil)
    }
    if random.oneIn(2) {
      recording.target = Recording.Target(
        window: window(&random),
        frame: Rect(x: Int.random(in: -900...900, using: &random), y: -3, width: 40, height: 30))
    }
    if random.oneIn(2) { recording.display = ":1.0" }
    if random.oneIn(2) { recording.date = text(&random) }
    for index in 0..<Int.random(in: 0..<12, using: &random) {
      recording.entries.append(
        Recording.Entry(time: index * 1000, WireEvent(random.oneIn(2) ? .sent : .received, action(&random))))
    }
    return recording
  }

  private static func action(_ random: inout SplitMix64) -> WireEvent.Action {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      var names: [Int: AtomName] = [:]
      for place in 0..<5 where random.oneIn(3) { names[place] = name(text(&random)) }
      return .message(
        WireEvent.Message(
          type: name(text(&random)), window: window(&random), destination: random.oneIn(3) ? window(&random) : nil,
          words: (0..<5).map { _ in UInt32(truncatingIfNeeded: random.next()) }, names: names))
    case 1: return .conversion(conversion(&random))
    case 2: return .converted(conversion(&random))
    case 3: return .owner(of: name(text(&random)), window(&random), time(UInt32(truncatingIfNeeded: random.next())))
    case 4: return .vanished(window(&random))
    default:
      let bytes =
        random.oneIn(3)
        ? (0..<Int.random(in: 0..<20, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        : Array(text(&random).utf8)
      return .property(
        WireEvent.Property(
          WireEvent.Property.Change.allCases.randomElement(using: &random) ?? .read, name(text(&random)),
          of: window(&random), type: random.oneIn(2) ? name(text(&random)) : nil,
          format: [0, 8, 16, 32].randomElement(using: &random) ?? 8,
          offset: random.oneIn(3) ? Int.random(in: 0...1_000_000, using: &random) : 0, bytes: bytes,
          byteCount: bytes.count + (random.oneIn(3) ? 77 : 0),
          names: random.oneIn(3) ? [nil, name(text(&random)), nil] : []))
    }
  }

  private static func conversion(_ random: inout SplitMix64) -> WireEvent.Conversion {
    WireEvent.Conversion(
      selection: name(text(&random)), target: random.oneIn(4) ? nil : name(text(&random)),
      property: random.oneIn(4) ? nil : name(text(&random)), requestor: window(&random),
      time: time(UInt32(truncatingIfNeeded: random.next())))
  }

  private static func window(_ random: inout SplitMix64) -> WindowID {
    random.oneIn(5) ? .none : WindowID(rawValue: UInt32(truncatingIfNeeded: random.next()))
  }

  private static func text(_ random: inout SplitMix64) -> String {
    let samples = ["", "text/plain", "XdndEnter", "a\nb\u{0}\"\\", "한글 😀 e\u{301}", "\u{2028}\u{7F}", "0x10"]
    return samples.randomElement(using: &random) ?? ""
  }
}
