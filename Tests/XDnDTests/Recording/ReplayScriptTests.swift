import TestSupport
import Testing
import XDnD

@testable import XDnDConformance

@Suite("What is to be done again of a recording")
struct ReplayScriptTests {
  private typealias Sample = RecordingSample

  private static func line(_ step: ReplayScript.Step) -> String {
    switch step.action {
    case .send(let message): "send \(message.type)"
    case .receive(let message): "hear \(message.type)"
    case .convert(let conversion): "convert \(conversion.target?.rawValue ?? "None")"
    case .disown: "disown"
    case .destroyWindow: "vanish"
    }
  }

  private static func property(
    _ change: WireEvent.Property.Change, _ name: String, of window: WindowID = Sample.target, type: String? = nil,
    offset: Int = 0, _ bytes: [UInt8] = [], names: [String] = []
  ) -> Recording.Entry {
    Recording.Entry(
      time: 0,
      WireEvent(
        .sent,
        .property(
          WireEvent.Property(
            change, Sample.name(name), of: window, type: type.map(Sample.name), format: type == nil ? 0 : 8,
            offset: offset, bytes: bytes, names: names.map(Sample.name)))))
  }

  private static func conversion(_ target: String, at property: String?) -> WireEvent.Conversion {
    WireEvent.Conversion(
      selection: Sample.name("XdndSelection"), target: Sample.name(target), property: property.map(Sample.name),
      requestor: Sample.target, time: Sample.time(1))
  }

  private static func asked(_ target: String, at property: String = "P") -> Recording.Entry {
    Recording.Entry(time: 0, WireEvent(.sent, .conversion(conversion(target, at: property))))
  }

  private static func answered(_ target: String, at property: String? = "P") -> Recording.Entry {
    Recording.Entry(time: 0, WireEvent(.received, .converted(conversion(target, at: property))))
  }

  private static func recording(_ entries: [Recording.Entry]) -> Recording {
    var recording = Recording(role: .target)
    recording.entries = entries
    return recording
  }

  @Test func `a source sends its messages and waits for those of the target; what it gives is no step`() {
    let script = ReplayScript(Sample.drag, as: .source)
    #expect(
      script.steps.map(Self.line) == [
        "send XdndEnter", "send XdndPosition", "hear XdndStatus", "send XdndPosition", "hear XdndStatus",
        "send XdndPosition", "hear XdndStatus", "send XdndDrop", "hear XdndFinished", "disown", "vanish",
      ])
    #expect(script.ownWindow == Sample.source)
    #expect(script.otherWindow == Sample.target)
    #expect(script.firstTimestamp == Sample.time(1_000))
  }

  @Test func `a target answers to each thing that its source says`() throws {
    let visits = ReplayScript(Sample.drag, as: .target).visits
    #expect(visits.count == 1)
    let visit = try #require(visits.first)
    #expect(visit.afterEnter.isEmpty)
    #expect(
      visit.afterPosition.map { $0.map(Self.line) } == [["send XdndStatus"], ["send XdndStatus"], ["send XdndStatus"]])
    #expect(visit.afterEnd.map(Self.line) == ["convert text/plain", "send XdndFinished"])
    #expect(visit.dropTime == Sample.time(2_500))
  }

  @Test func `positions without an answer go with the next that has one, and each visit is one of its own`() {
    let drag = Sample.drag.entries
    let (enter, position, status) = (drag[0], drag[1], drag[2])
    let leave = Sample.message(0, .received, "XdndLeave", [Sample.source.rawValue, 0, 0, 0, 0])
    let visits = ReplayScript(
      Self.recording([enter, position, position, position, status, position, leave, enter, position, status, leave]),
      as: .target
    ).visits
    #expect(visits.map(\.afterPosition.count) == [2, 1])
    #expect(visits[0].afterPosition.map(\.count) == [1, 0])
    #expect(visits.allSatisfy { $0.dropTime == nil && $0.afterEnd.isEmpty })
  }

  @Test func `an answer that nobody has asked for is not waited for`() {
    let drag = Sample.drag.entries
    let script = ReplayScript(Self.recording([drag[0], drag[1], drag[2], drag[2], drag[1], drag[2]]), as: .source)
    #expect(
      script.steps.map(Self.line) == [
        "send XdndEnter", "send XdndPosition", "hear XdndStatus", "send XdndPosition", "hear XdndStatus",
      ])
  }

  @Test func `lists on the window of the source are put up again, as they were first`() {
    let script = ReplayScript(
      Self.recording([
        Sample.drag.entries[0],
        Self.property(.read, "XdndActionList", of: Sample.source),
        Self.property(.read, "XdndTypeList", of: Sample.source, type: "ATOM", [1], names: ["a/b"]),
        Self.property(.read, "XdndTypeList", of: Sample.source, type: "ATOM", [2], names: ["c/d"]),
        Self.property(.read, "XDND_DATA", type: "text/plain", [3]),
      ]), as: .source)
    #expect(script.properties.map(\.name.rawValue) == ["XdndTypeList"])
    #expect(script.properties.first?.names == [Sample.name("a/b")])
  }

  @Test func `a target is the window that the messages are about, and content on it is not put up again`() {
    var recording = Sample.drag
    recording.target?.window = WindowID(rawValue: 0x77)
    recording.entries.insert(Self.property(.read, "XdndAware", type: "ATOM", [5, 0, 0, 0]), at: 0)
    recording.entries.append(Self.property(.read, "XdndSelection", type: "text/plain", [1]))
    let script = ReplayScript(recording, as: .target)
    #expect(script.ownWindow == Sample.target)
    #expect(script.properties.map(\.name.rawValue) == ["XdndAware"])
  }

  @Test func `content is put together from the pages that it was read in`() {
    let answers = Self.recording([
      Self.asked("a/b"), Self.answered("a/b"), Self.property(.read, "P", type: "a/b", [1, 2]),
      Self.property(.read, "P", type: "a/b", offset: 2, [3]), Self.property(.deleted, "P"),
    ]).answers
    #expect(answers.map(\.content?.bytes) == [[1, 2, 3]])
    #expect(answers.first?.content?.partLength == nil)
    // A page that is read twice is there once.
    let again = Self.recording([
      Self.asked("a/b"), Self.answered("a/b"), Self.property(.read, "P", type: "a/b", [1, 2]),
      Self.property(.read, "P", type: "a/b", [1, 2]),
    ]).answers
    #expect(again.first?.content?.bytes == [1, 2])
  }

  @Test func `content is put together from the parts that it came in`() throws {
    let answers = Self.recording([
      Self.asked("a/b"), Self.answered("a/b"), Self.property(.read, "P", type: "INCR", [9, 0, 0, 0]),
      Self.property(.read, "P", type: "a/b", [1, 2]), Self.property(.read, "P", type: "a/b", [3]),
      Self.property(.read, "P", type: "a/b", []), Self.asked("c/d"), Self.answered("c/d"),
      Self.property(.read, "P", type: "c/d", [7]),
    ]).answers
    #expect(answers.map(\.content?.bytes) == [[1, 2, 3], [7]])
    let first = try #require(answers.first?.content)
    #expect(first.partLength == 2 && first.type == Sample.name("a/b") && first.byteCount == 3)
    #expect(answers.last?.content?.partLength == nil)
  }

  @Test func `what was refused, or never answered, has no content`() {
    var unnamed = Self.conversion("", at: nil)
    unnamed.target = nil
    let answers = Self.recording([
      Self.asked("a/b"), Self.answered("a/b", at: nil), Self.asked("c/d"),
      Recording.Entry(time: 0, WireEvent(.received, .converted(unnamed))), Self.asked("e/f"),
    ]).answers
    #expect(answers.map(\.content) == [nil, nil, nil])
    #expect(answers.map(\.isAnswered) == [true, true, false])
  }

  @Test func `what an end says is the same from both ends`() {
    let drag = Sample.drag
    #expect(
      drag.exchange(by: .source) == [
        "XdndEnter, version 5: text/plain", "XdndPosition, asking for copy", "XdndDrop",
        "gives text/plain: text/plain, 5 bytes, 0xf55c314b",
      ])
    #expect(drag.exchange(by: .target) == ["XdndStatus: copy", "asks for text/plain", "XdndFinished: done, copy"])
    var other = drag
    other.role = .source
    other.entries = drag.entries.map { entry in
      var entry = entry
      entry.event.direction = entry.event.direction == .sent ? .received : .sent
      if case .property(var property) = entry.event.action, property.change == .read {
        property.change = .written
        entry.event.action = .property(property)
      }
      return entry
    }
    #expect(other.exchange(by: .source) == drag.exchange(by: .source))
    #expect(other.exchange(by: .target) == drag.exchange(by: .target))
  }

  /// A drop of two types on a target that asks for some of them, and what it says at the end.
  private static func drop(asking targets: [String], isOwn: Bool = false, finished words: [UInt32]) -> Recording {
    let drag = Sample.drag.entries
    var requests = targets.flatMap { [asked($0), answered($0), property(.read, "P", type: $0, [1])] }
    for index in requests.indices {
      if case .conversion = requests[index].event.action { requests[index].isRecordersOwn = isOwn }
    }
    let finished = Sample.message(
      0, .sent, "XdndFinished", [Sample.target.rawValue] + words + [0, 0], words[1] == 0 ? [:] : [2: "XdndActionCopy"])
    return recording([drag[0], drag[1], drag[2], drag[7]] + requests + [finished])
  }

  @Test func `what a recorder asks for by itself is no difference, whatever a target takes of it`() {
    let all = Self.drop(asking: ["a/b", "c/d", "e/f"], isOwn: true, finished: [1, 0x140])
    let one = Self.drop(asking: ["c/d"], finished: [1, 0x140])
    #expect(all.difference(of: .target, in: one).isEmpty)
    // What it could not have been given is one.
    let other = Self.drop(asking: ["c/d", "x/y"], finished: [1, 0x140])
    #expect(all.difference(of: .target, in: other).additional == ["asks for x/y"])
    // Without marks each request counts.
    let unmarked = Self.drop(asking: ["a/b", "c/d"], finished: [1, 0x140])
    #expect(unmarked.difference(of: .target, in: one).missing == ["asks for a/b"])
  }

  @Test(arguments: [2, 3, 500_000] as [UInt32])
  func `any number but 0 in Finished is success, as xdnd-source counts it`(_ number: UInt32) {
    // tkdnd sets bit 1, and GLFW puts in the number of bytes.
    let proper = Self.drop(asking: ["a/b"], finished: [1, 0x140])
    let odd = Self.drop(asking: ["a/b"], finished: [number, 0x140])
    #expect(proper.difference(of: .target, in: odd).isEmpty)
  }

  @Test func `a target that finishes without asking for anything is a difference, also to what a recorder asked`() {
    let all = Self.drop(asking: ["a/b", "c/d"], isOwn: true, finished: [1, 0x140])
    for (words, line) in [([1, 0x140], "done, copy, nothing asked for"), ([0, 0], "nothing asked for")]
      as [([UInt32], String)]
    {
      let difference = all.difference(of: .target, in: Self.drop(asking: [], finished: words))
      #expect(difference.additional == ["XdndFinished: \(line)"])
      #expect(difference.missing == ["XdndFinished: done, copy"])
    }
  }

  @Test func `differences are told in order, each for the side that has it`() {
    let difference = ExchangeDifference(recorded: ["a", "b", "c", "d"], live: ["a", "x", "c", "y", "z"])
    #expect(difference.missing == ["b", "d"])
    #expect(difference.additional == ["x", "y", "z"])
    #expect(ExchangeDifference(recorded: ["a"], live: ["a"]).isEmpty)
  }

  @Test func `no recording makes it trap`() {
    var random = SplitMix64(seed: 99)
    for _ in 0..<QuickTests.cases(of: 300) {
      var recording = Sample.random(&random)
      recording.entries += Sample.drag.entries
      recording.entries.shuffle(using: &random)
      for role in Recording.Role.allCases {
        _ = ReplayScript(recording, as: role).visits
        _ = recording.exchange(by: role)
      }
    }
  }
}
