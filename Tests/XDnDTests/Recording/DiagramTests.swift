import Foundation
import FoundationXML
import TestSupport
import Testing
import XDnD

@testable import XDnDConformance

@Suite("Drawings of recordings")
struct DiagramTests {
  /// A row as one line.
  private static func line(_ row: DragDiagram.Row) -> String {
    let shape =
      switch row.shape {
      case .arrow(let from, let to): "\(from) → \(to):"
      case .end(let lane): "end of \(lane):"
      case .fold: "fold:"
      case .wait: "wait:"
      }
    return ([shape, row.caption.label] + (row.isRefusal ? ["!"] : [])).joined(separator: " ")
  }

  private static func lines(_ recording: Recording) -> [String] { DragDiagram(recording).rows.map(line) }

  private static func recording(_ entries: [Recording.Entry]) -> Recording {
    var recording = Recording(role: .target)
    recording.entries = entries
    return recording
  }

  private static func position(_ time: Int, _ x: UInt32 = 7) -> Recording.Entry {
    RecordingSample.message(time, .received, "XdndPosition", [1, 0, x << 16 | 8, 0, 9], [4: "XdndActionCopy"])
  }

  private static func status(_ time: Int, _ isYes: Bool = true) -> Recording.Entry {
    RecordingSample.message(time, .sent, "XdndStatus", [2, isYes ? 1 : 0, 0, 0, 9], [4: "XdndActionCopy"])
  }

  @Test func `a drag is arrows between its ends and the server, with its repetitions folded and its waits marked`() {
    #expect(
      Self.lines(RecordingSample.drag) == [
        "source → target: XdndEnter, version 5",
        "source → target: XdndPosition 700,120, copy",
        "target → source: XdndStatus: copy",
        "fold: 2 more positions, the last at 702,122, all answered copy",
        "wait: nothing for 2.5 s",
        "source → target: XdndDrop",
        "target → source: text/plain, please",
        "source → target: text/plain is there",
        "server → target: reads XDND_DATA",
        "target → server: deletes XDND_DATA",
        "target → source: XdndFinished: done, copy",
        "server → target: XdndSelection has no owner",
        "end of source: window 0x400002 is gone !",
      ])
    let diagram = DragDiagram(RecordingSample.drag)
    #expect(
      diagram.headers.map(\.subtitle) == [
        "gedit, 0x400002, pid 4711", "properties, selections", "recorded here, 0x600001",
      ])
    #expect(diagram.rows[8].caption.details == ["text/plain, 5 bytes", "“Hello”"])
  }

  @Test func `what the other end has recorded has the same arrows`() {
    var recording = RecordingSample.drag
    recording.role = .source
    recording.entries = recording.entries.prefix(3).map { entry in
      var entry = entry
      entry.event.direction = entry.event.direction == .sent ? .received : .sent
      return entry
    }
    #expect(Self.lines(recording) == Array(Self.lines(RecordingSample.drag).prefix(3)))
    // Nobody has touched a property, so there is no server.
    #expect(DragDiagram(recording).headers.map(\.title) == ["source", "target"])
  }

  @Test func `a position and the other answer that it gets are shown, and not folded with those before`() {
    let entries = [
      Self.position(0), Self.status(1), Self.position(2), Self.status(3), Self.position(4), Self.status(5),
      Self.position(6, 9), Self.status(7, false), Self.position(8, 10), Self.status(9, false),
      Self.position(10, 11), Self.status(11, false),
    ]
    #expect(
      Self.lines(Self.recording(entries)) == [
        "source → target: XdndPosition 7,8, copy", "target → source: XdndStatus: copy",
        "fold: 2 more positions, the last at 7,8, all answered copy",
        "source → target: XdndPosition 9,8, copy", "target → source: XdndStatus: no !",
        "fold: 2 more positions, the last at 11,8, all answered no !",
      ])
  }

  @Test func `an answer that takes long is shown with its wait`() {
    let entries = [
      Self.position(0), Self.status(1), Self.position(2), Self.status(3), Self.position(4), Self.status(700_004),
    ]
    #expect(
      Self.lines(Self.recording(entries)) == [
        "source → target: XdndPosition 7,8, copy", "target → source: XdndStatus: copy",
        "source → target: XdndPosition 7,8, copy", "target → source: XdndStatus: copy",
        "source → target: XdndPosition 7,8, copy", "wait: nothing for 700 ms", "target → source: XdndStatus: copy",
      ])
  }

  @Test func `positions without answers are counted as that`() {
    let flood = (0..<300).map { Self.position($0) }
    #expect(
      Self.lines(Self.recording(flood)).last == "fold: 299 more positions, the last at 7,8, none answered")
    #expect(
      Self.lines(Self.recording(flood + [Self.status(301)])).last
        == "fold: 299 more positions, the last at 7,8, 1 answered copy")
  }

  @Test func `a transfer in parts is folded`() {
    let part = WireEvent.Property(
      .read, RecordingSample.name("P"), of: RecordingSample.target, type: RecordingSample.name("image/png"), format: 8,
      byteCount: 1000)
    let entries = (0..<30).map { Recording.Entry(time: $0, WireEvent(.sent, .property(part))) }
    let lines = Self.lines(Self.recording(entries))
    #expect(lines.count == 5)
    #expect(lines.last == "fold: 26 more changes of P, 26000 bytes in all")
  }

  /// Properties of which the server tells, too.
  private static let echoing: [Recording.Entry] = {
    func entry(_ change: WireEvent.Property.Change, _ name: String) -> Recording.Entry {
      Recording.Entry(
        time: 0, WireEvent(.sent, .property(WireEvent.Property(change, RecordingSample.name(name), of: .none))))
    }
    return [
      entry(.changed, "A"), entry(.read, "A"), entry(.deleted, "A"), entry(.removed, "A"), entry(.changed, "B"),
      entry(.removed, "B"), entry(.written, "C"), entry(.changed, "C"), entry(.removed, "C"),
    ]
  }()

  @Test func `what the server tells of our own doings is left out, and what the other end does is not`() {
    let entries = Self.echoing
    #expect(
      Self.recording(entries).withoutEchoes.map(\.element) == [1, 2, 4, 5, 6, 8].map { entries[$0] })
  }

  @Test func `nothing is lost by folding, and no recording makes it trap`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<QuickTests.cases(of: 400) {
      var entries: [Recording.Entry] = []
      for time in 0..<Int.random(in: 0..<30, using: &random) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2: entries.append(Self.position(time * 1000, UInt32.random(in: 0..<2, using: &random)))
        case 3...4: entries.append(Self.status(time * 1000, random.oneIn(4)))
        default: entries += RecordingSample.random(&random).entries.prefix(1)
        }
      }
      let groups = EntryGroup.groups(of: entries)
      #expect(groups.flatMap(\.entries) == entries)
      let shown = groups.filter { $0.summary == nil }
      #expect(shown.count == entries.count || shown.count < groups.count)
      #expect(Self.isWellFormed(Self.recording(entries).svg()))
    }
  }

  private static func isWellFormed(_ text: String) -> Bool {
    let parser = XMLParser(data: Data(text.utf8))
    return parser.parse()
  }

  @Test func `the picture is XML whatever the names are, and always the same`() {
    var recording = RecordingSample.drag
    recording.peer.program = "<a> & \"b\"\u{1B}[31m\u{202E}\u{FFFF} 한글 😀"
    let svg = recording.svg()
    #expect(Self.isWellFormed(svg))
    #expect(svg == recording.svg())
    #expect(svg.contains("&lt;a&gt; &amp; &quot;b&quot;\u{FFFD}[31m\u{FFFD}\u{FFFD} 한글 😀, 0x400002"))
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""))
    #expect(svg.contains("prefers-color-scheme: dark"))
    var random = SplitMix64(seed: 3)
    for _ in 0..<QuickTests.cases(of: 100) { #expect(Self.isWellFormed(RecordingSample.random(&random).svg())) }
  }

  @Test func `a small recording gives this picture`() {
    var recording = RecordingSample.drag
    recording.entries = Array(recording.entries.prefix(1)) + [Self.status(800_000, false)]
    let lines = recording.svg().split(separator: "\n").map(String.init)
    let end = lines.firstIndex { $0.contains("</style>") } ?? 0
    #expect(
      lines[(end + 1)...].joined(separator: "\n") == #"""
        <rect class="page" width="1034" height="210"/>
        <text class="time" x="76" y="44">ms</text>
        <line class="lane" x1="184" y1="58" x2="184" y2="194"/>
        <text class="title" x="184" y="26">source</text>
        <text class="detail middle" x="184" y="44">gedit, 0x400002, pid 4711</text>
        <line class="lane" x1="884" y1="58" x2="884" y2="194"/>
        <text class="title" x="884" y="26">target</text>
        <text class="detail middle" x="884" y="44">recorded here, 0x600001</text>
        <text class="time" x="76" y="96">0.0</text>
        <text class="label middle" x="534" y="96">XdndEnter, version 5</text>
        <path class="arrow" d="M184 102H882m-7 -4l7 4l-7 4"/>
        <text class="detail middle" x="534" y="116">text/plain</text>
        <rect class="band" x="154" y="128" width="760" height="22" rx="4"/><text class="wait middle" x="534" y="144">nothing for 800 ms</text>
        <text class="time" x="76" y="176">800.0</text>
        <text class="label middle refusal" x="534" y="176">XdndStatus: no</text>
        <path class="arrow refusal" d="M884 182H186m7 -4l-7 4l7 4"/>
        </svg>
        """#)
  }

  @Test func `a remark stands beside what shows its entry, folded or left out as it may be, and below the picture`() {
    func labels(_ recording: Recording, at entry: Int?) -> [Int] {
      let rows = DragDiagram(recording, noting: [Remark("x", at: entry, "")]).rows
      return rows.indices.filter { rows[$0].remarks.map(\.label) == ["x"] }
    }
    let drag = RecordingSample.drag
    #expect(labels(drag, at: 1) == [0])
    // A position and its answer are shown, the rest is one row.
    let fold = DragDiagram(drag).rows.firstIndex { $0.shape == .fold }
    #expect(fold == 3 && labels(drag, at: 4) == [3] && labels(drag, at: 5) == [3])
    #expect(labels(drag, at: drag.entries.count) == [DragDiagram(drag).rows.count - 1])
    #expect(labels(drag, at: nil).isEmpty && labels(drag, at: 0).isEmpty)
    let echoes = Self.recording(Self.echoing)
    #expect((1...9).map { labels(echoes, at: $0) } == [[], [0], [1], [1], [2], [3], [4], [4], [5]])

    let said = [Remark("finished-once", at: 3, "#3 <twice>"), Remark("proxy-self", at: nil, "nowhere")]
    let svg = drag.svg(noting: said)
    #expect(Self.isWellFormed(svg))
    #expect(svg.components(separatedBy: ">finished-once</text>").count == 3)
    #expect(svg.components(separatedBy: ">proxy-self</text>").count == 2)
    #expect(svg.contains(">#3 &lt;twice&gt;</text>"))
    #expect(!svg.contains(#"class="remark advice""#))
    let advice = drag.svg(noting: [Remark("quiet-rectangle", at: 3, "#3", isAdvice: true)])
    #expect(advice.components(separatedBy: #"class="remark advice""#).count == 3)
  }

  @Test func `long lists of types become a few lines`() {
    #expect(XMLText.wrapped("one two three", at: 7, lines: 3) == ["one two", "three"])
    #expect(XMLText.wrapped("abcdefghij", at: 4, lines: 3) == ["abcd", "efgh", "ij"])
    #expect(XMLText.wrapped("abcdefghijklmnop", at: 4, lines: 2) == ["abcd", "efg…"])
    #expect(XMLText.wrapped(" abcd", at: 4, lines: 2) == ["", "abcd"])
    #expect(XMLText.wrapped("", at: 4, lines: 2) == [])
  }
}
