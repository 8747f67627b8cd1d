import XDnDConformance
import Foundation
import TestSupport
import Testing
import XDnD

@Suite("Recording and replaying drags", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct RecordReplayTests {
  /// Records a drop of `xdnd-source`, as its target.
  private static func brokenRules(in recording: Recording) -> [RuleResult] {
    ConformanceChecker(role: recording.role, entries: recording.entries, frame: recording.target?.frame).results()
      .filter { $0.outcome == .broken }
  }

  @Test func `a recorded source drops the same again, with the same messages in the same order`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      try await scene.recordSource("first", "--text", "Grüße, 한글", "--steps", "3")
      let again = try scene.probe("record", "--once", "-o", scene.path("second"), "--geometry", RecordingScene.right)
      let window = try await scene.open(again)
      let replay = try scene.probe("replay", scene.path("first"), "--to", window, "-o", scene.path("live"))
      #expect(try await replay.exit() == .exited(0))
      #expect(try await again.exit() == .exited(0))
      #expect(replay.printed("ended").first?.string("outcome") == "same")

      let (first, second) = (try scene.recording("first"), try scene.recording("second"))
      #expect(first.peer.program == "xdnd-source")
      #expect(Self.brokenRules(in: first).isEmpty)
      #expect(first.steps(of: .source).count >= 4)
      #expect(second.steps(of: .source) == first.steps(of: .source))
      #expect(second.steps(of: .target) == first.steps(of: .target))
      #expect(second.exchange(by: .source) == first.exchange(by: .source))
      #expect(second.answers.map(\.content?.bytes) == first.answers.map(\.content?.bytes))
      #expect(first.answers.contains { $0.content?.bytes == Array("Grüße, 한글".utf8) })
      // The places are where they were in the window, though that is elsewhere.
      let places = [first, second].map { recording in
        recording.entries.compactMap { entry -> Point? in
          guard case .message(let message) = entry.event.action, message.type.rawValue == "XdndPosition",
            let origin = recording.target?.frame.origin
          else { return nil }
          return Point(x: message.xdnd.point.x - origin.x, y: message.xdnd.point.y - origin.y)
        }
      }
      #expect(places[0] == places[1])
      #expect(first.target?.frame != second.target?.frame)
      // The replay has recorded itself.
      let live = try scene.recording("live")
      #expect(live.role == .source)
      #expect(live.steps(of: .source) == first.steps(of: .source))
    }
  }

  @Test func `a recorded target answers the same again to a live source`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      let probe = try server.launchProbe(RecordingScene.left, ["--once"])
      let window = try await scene.open(probe)
      let recorder = try scene.probe("record", "--to", window, "--text", "Hello", "-o", scene.path("first"))
      #expect(try await recorder.exit() == .exited(0))
      #expect(try await probe.exit() == .exited(0))
      let first = try scene.recording("first")
      #expect(first.role == .source && first.peer.program == "xdnd-probe")
      #expect(Self.brokenRules(in: first).isEmpty)

      let replay = try scene.probe(
        "replay", scene.path("first"), "--geometry", RecordingScene.right, "-o", scene.path("live"))
      let second = try scene.probe(
        "record", "--to", try await scene.open(replay), "--text", "Hello", "-o", scene.path("second"))
      #expect(try await second.exit() == .exited(0))
      #expect(try await replay.exit() == .exited(0))
      let again = try scene.recording("second")
      #expect(first.steps(of: .target).count >= 3)
      #expect(again.steps(of: .target) == first.steps(of: .target))
      #expect(again.steps(of: .source) == first.steps(of: .source))
      #expect(try scene.recording("live").steps(of: .target) == first.steps(of: .target))
    }
  }

  @Test func `our own end can be done again too, and other content is a difference`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      try await scene.recordSource("first", "--text", "Hello")
      let replay = try scene.probe(
        "replay", scene.path("first"), "--as", "target", "--geometry", RecordingScene.right)
      #expect(try await scene.drop(on: scene.open(replay), "--text", "Howdy") == .exited(0))
      #expect(try await replay.exit() == .exited(1))
      let differences = replay.printed("difference").compactMap { $0.string("line") }
      #expect(!differences.isEmpty)
      #expect(differences.allSatisfy { $0.hasPrefix("gives ") })
    }
  }

  @Test func `content that came in parts goes out in parts`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 5) }
      _ = try server.directory.write(RecordingSample.dragInParts(bytes, of: 3000).text.utf8, to: "made")
      // The second time it is what our own recorder has seen.
      for (from, to) in [("made", "first"), ("first", "second")] {
        let recorder = try scene.probe("record", "--once", "-o", scene.path(to))
        let replay = try scene.probe("replay", scene.path(from), "--to", try await scene.open(recorder))
        #expect(try await recorder.exit() == .exited(0))
        #expect(try await replay.exit() == .exited(0))
        let answer = try #require(try scene.recording(to).answers.first)
        #expect(answer.content?.bytes == bytes)
        #expect(answer.content?.partLength == 3000)
      }
    }
  }

  @Test func `a target that says nothing is named with what is missing`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      try await scene.recordSource("first", "--text", "Hello")
      let silent = try #require(ScriptedClient(connectingTo: server.displayName))
      let window = silent.makeWindow(Rect(x: 600, y: 60, width: 200, height: 200), mapped: true)
      silent.setProperty("XdndAware", of: window, ScriptedClient.Content(type: AtomName(rawValue: "ATOM"), words: [5]))
      let replay = try scene.probe(
        "replay", scene.path("first"), "--to", String(window.rawValue), "--patience", "0.3")
      #expect(try await replay.exit() == .exited(4))
      let ended = try #require(replay.printed("ended").first)
      #expect(ended.string("outcome") == "timed-out")
      #expect(ended.string("reason") == "timed out waiting for XdndStatus from the target")

      silent.deleteProperty("XdndAware", of: window)
      let unaware = try scene.probe("replay", scene.path("first"), "--to", String(window.rawValue))
      #expect(try await unaware.exit() == .exited(3))
      let spoken = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["replay", scene.path("first"), "--to", String(window.rawValue)])
      #expect(try await spoken.exit() == .exited(3))
      #expect(spoken.output.text == "The window does not take drops.\n")
    }
  }

  @Test func `pauses are kept if that is wanted, and left out if not`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      let file = try server.directory.write(RecordingSample.drag.text.utf8, to: "drag")
      for (speed, pause) in [("recorded", 2_400_000...), ("fast", 0...1_500_000)]
        as [(String, any RangeExpression<Int>)]
      {
        let recorder = try scene.probe("record", "--once", "-o", scene.path("again"))
        let replay = try scene.probe(
          "replay", file, "--to", try await scene.open(recorder), "--speed", speed, "-o", scene.path(speed))
        #expect(try await recorder.exit() == .exited(0))
        _ = try await replay.exit()
        let times = try scene.recording(speed).entries.compactMap { entry -> Int? in
          guard case .message = entry.event.action, entry.event.direction == .sent else { return nil }
          return entry.time
        }
        // The last of them is the drop; what comes late is not made up for.
        #expect(times.count == 5)
        #expect(pause.contains(times[4] - times[0]), "\(speed): \(times)")
      }
    }
  }

  @Test(.requiresOpenbox) func `a target that a drag left and entered again takes the drop again`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let scene = RecordingScene(server: server)
      var recording = RecordingSample.drag
      let leave = WireEvent.Message(
        type: AtomName("XdndLeave"), window: RecordingSample.target,
        words: [RecordingSample.source.rawValue, 0, 0, 0, 0])
      recording.entries =
        recording.entries.prefix(3) + [Recording.Entry(time: 2000, WireEvent(.received, .message(leave)))]
        + recording.entries.map { Recording.Entry(time: $0.time + 10_000, $0.event) }
      let file = try server.directory.write(recording.text.utf8, to: "twice")
      let replay = try scene.probe(
        "replay", file, "--as", "target", "--geometry", RecordingScene.right, "-o", scene.path("live"))
      _ = try await scene.open(replay)
      let source = try server.launchSource(RecordingScene.left, ["--text", "Hello", "--once"])
      let start = try await DragScene.readyPoint(of: source)
      let pointer = try Pointer(server)
      try await pointer.drag(along: [start, DragScene.target, Point(x: 480, y: 500), DragScene.target])
      _ = try await source.waitFor("proposal") { $0.string("operation") == "copy" }
      pointer.release()
      _ = try await replay.exit()
      let steps = try scene.recording("live").steps(of: .target)
      #expect(steps.contains { $0.hasPrefix("XdndFinished") }, "\(steps)")
    }
  }

  @Test func `a source that died dies again`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      try await scene.recordSource("first", "--text", "Hello")
      var recording = try scene.recording("first")
      let source = try #require(recording.peer.window)
      let end = recording.entries.firstIndex { entry in
        if case .message(let message) = entry.event.action { message.type.rawValue == "XdndStatus" } else { false }
      }
      recording.entries = Array(recording.entries.prefix(through: try #require(end)))
      recording.entries.append(
        Recording.Entry(time: recording.entries.last?.time ?? 0, WireEvent(.received, .vanished(source))))
      _ = try server.directory.write(recording.text.utf8, to: "death")

      let probe = try server.launchProbe(RecordingScene.right, ["--once"])
      let replay = try scene.probe("replay", scene.path("death"), "--to", try await scene.open(probe))
      #expect(try await probe.waitFor("left").string("reason") == "source-vanished")
      #expect(try await probe.exit() == .exited(5))
      _ = try await replay.exit()
    }
  }

  @Test func `a target that died dies again`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      var recording = RecordingSample.drag
      recording.role = .source
      recording.entries = RecordingSample.drag.entries.prefix(3).map { entry in
        var entry = entry
        entry.event.direction = entry.event.direction == .sent ? .received : .sent
        return entry
      }
      recording.entries.append(Recording.Entry(time: 1300, WireEvent(.received, .vanished(RecordingSample.target))))
      let file = try server.directory.write(recording.text.utf8, to: "death")
      let replay = try scene.probe("replay", file)
      #expect(try await scene.drop(on: scene.open(replay), "--text", "Hello") == .exited(5))
      _ = try await replay.exit()
    }
  }
}
