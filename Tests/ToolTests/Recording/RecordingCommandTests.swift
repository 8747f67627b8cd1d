import XDnDConformance
import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

@Suite("The commands for recordings", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct RecordingCommandTests {
  @Test func `a recording comes out line by line, and is whole when its recorder is killed`() async throws {
    try await XServer.with { server in
      let recorder = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["record", "--geometry", RecordingScene.left])
      try await recorder.waitForLine { $0.hasPrefix(#"{"recording":"xdnd","version":1,"role":"target""#) }
      let place = try await recorder.waitForLine { JSONLine($0)?.object("frame") != nil }
      let window = try #require(JSONLine(place)?.object("frame")?.string("window"))
      let scene = RecordingScene(server: server)
      #expect(try await scene.drop(on: window, "--text", "Hello") == .exited(0))
      try await recorder.waitForLine { $0.contains("XdndFinished") }
      recorder.send(SIGKILL)
      _ = try await recorder.exit()
      let recording = try Recording(text: recorder.output.text.utf8)
      #expect(recording.exchange(by: .source).last?.hasPrefix("gives ") == true)
      #expect(recording.date?.hasSuffix("Z") == true && recording.display == server.displayName)
      // Reports are elsewhere.
      #expect(recorder.errors.text.contains("Ready: drop on the window to record it."))
    }
  }

  @Test func `with -o - standard output has the recording, and nothing else`() async throws {
    try await XServer.with { server in
      let recorder = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["record", "--once", "-o", "-", "--geometry", RecordingScene.left])
      let place = try await recorder.waitForLine { JSONLine($0)?.object("frame") != nil }
      let window = try #require(JSONLine(place)?.object("frame")?.string("window"))
      let scene = RecordingScene(server: server)
      #expect(try await scene.drop(on: window, "--text", "Hello") == .exited(0))
      #expect(try await recorder.exit() == .exited(0))
      let recording = try Recording(text: recorder.output.bytes)
      let isFinished = recording.entries.contains { entry in
        if case .message(let message) = entry.event.action { message.type.rawValue == "XdndFinished" } else { false }
      }
      #expect(isFinished)
      #expect(recorder.errors.text.contains("Ready: drop on the window to record it."))
    }
  }

  @Test func `it ends after so many drops, after so much time, and by a signal`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      let two = try scene.probe("record", "--count", "2", "-o", scene.path("two"))
      let window = try await scene.open(two)
      for text in ["one", "two"] { #expect(try await scene.drop(on: window, "--text", text) == .exited(0)) }
      #expect(try await two.exit() == .exited(0))
      let drops = try scene.recording("two").entries.count { entry in
        if case .message(let message) = entry.event.action { message.type.rawValue == "XdndDrop" } else { false }
      }
      #expect(drops == 2)
      let late = try scene.probe("record", "--timeout", "0.2", "-o", scene.path("late"))
      #expect(try await late.exit() == .exited(4))
      let full = try scene.probe("record", "--timeout", "5", "-o", "/dev/full")
      #expect(try await full.exit() == .exited(6))
      #expect(full.errors.text == "xdnd-probe: cannot write the recording: the disk is full\n")
      let stopped = try scene.probe("record", "-o", scene.path("stopped"))
      _ = try await scene.open(stopped)
      stopped.send(SIGTERM)
      #expect(try await stopped.exit() == .exited(2))
    }
  }

  @Test func `the end of a recorded drag is said in the words of the tools`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      let tool = try BuiltProducts.executable("xdnd-probe")
      let target = try server.launch(tool, ["record", "--once"])
      let place = try await target.waitForLine { JSONLine($0)?.object("frame") != nil }
      let window = try #require(JSONLine(place)?.object("frame")?.string("window"))
      let source = try server.launch(tool, ["record", "--to", window, "--text", "Hello", "-o", scene.path("source")])
      #expect(try await source.exit() == .exited(0))
      #expect(try await target.exit() == .exited(0))
      let lines = [source.output.text, target.errors.text].map { $0.split(separator: "\n") }
      #expect(lines[0].first == "Dropped to copy." && lines[0].last == "Copied.", "\(lines)")
      #expect(lines[1].contains("Dropped to copy.") && lines[1].last == "Received.", "\(lines)")
    }
  }

  @Test func `only what is accepted is fetched`() async throws {
    try await XServer.with { server in
      let scene = RecordingScene(server: server)
      let recorder = try scene.probe("record", "--once", "--accept", "text/plain", "-o", scene.path("one"))
      #expect(try await scene.drop(on: scene.open(recorder), "--text", "Hello") == .exited(0))
      #expect(try await recorder.exit() == .exited(0))
      #expect(try scene.recording("one").answers.count == 1)
    }
  }

  @Test func `a recorded drag becomes a picture`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write(RecordingSample.drag.text.utf8, to: "drag.jsonl")
      let picture = server.directory("drag.svg")
      #expect(try await Tool.probe.run(["draw", file, "-o", picture]).status == .exited(0))
      let text = try String(contentsOfFile: picture, encoding: .utf8)
      #expect(text == RecordingSample.drag.svg())
      #expect(try await Tool.probe.run(["draw", file]).output == text)
    }
  }

  @Test func `a rule that was broken is marked in the picture`() async throws {
    try await XServer.with { server in
      var drag = RecordingSample.drag
      drag.entries.removeAll { entry in
        if case .message(let message) = entry.event.action { message.type.rawValue == "XdndEnter" } else { false }
      }
      let file = try server.directory.write(drag.text.utf8, to: "drag.jsonl")
      let picture = try await Tool.probe.run(["draw", file]).output
      #expect(picture.components(separatedBy: ">enter-first</text>").count == 3)
      let clean = try server.directory.write(RecordingSample.drag.text.utf8, to: "clean.jsonl")
      #expect(!(try await Tool.probe.run(["draw", clean]).output.contains("enter-first")))
    }
  }

  @Test func `what is wrong is said in one line`() async throws {
    let directory = try TemporaryDirectory("recordings")
    let broken = try directory.write(
      "{\"recording\":\"xdnd\",\"version\":1,\"role\":\"target\"}\n{\"time\":1,\"sent\":\"x\"}\n".utf8, to: "broken")
    let empty = try directory.write(Recording(role: .target).text.utf8, to: "empty")
    let drag = try directory.write(RecordingSample.drag.text.utf8, to: "drag")
    var long = RecordingSample.drag
    long.entries.append(
      RecordingSample.message(
        3_000_000, .received, "XdndEnter", [1, 0, 2, 0, 0], [2: String(repeating: "x", count: 70_000)]))
    let tooLong = try directory.write(long.text.utf8, to: "long")
    let mistakes: [(arguments: [String], part: String)] = [
      (["draw", "/no/such/file"], "cannot read '/no/such/file': No such file or directory"),
      (["draw", broken], "broken, line 2: \"sent\" must be \"message\" or "),
      (["draw", drag, "-o", "/no/such/file"], "cannot write '/no/such/file': No such file or directory"),
      (["replay", empty, "--to", "1"], "empty contains no action of a source to replay"),
      (["replay", drag], "replaying a source needs --to"),
      (["replay", tooLong, "--to", "1"], "long cannot be replayed: no atom has a name of more than 65535 bytes"),
      (["replay", drag, "--as", "target", "--to", "1"], "replaying a target cannot be used with --to"),
      (["replay", drag, "--as", "spy"], "expected source or target"),
      (["replay", drag, "--to", "1", "--patience", "0"], "expected a number of seconds greater than 0"),
      (["record", "--text", "a"], "--text and files need --to"),
      (["record", "--to", "1"], "--to needs --text or files to drop"),
      (["record", "--to", "1", "--text", "a", "--count", "2"], "--accept and --count cannot be used with --to"),
      (["record", "--count", "0"], "--count must be at least 1"),
    ]
    for (arguments, part) in mistakes {
      let (status, output, errors) = try await Tool.probe.run(arguments)
      #expect(status == .exited(64), "\(arguments)")
      #expect(output == "" && errors.hasPrefix("xdnd-probe: ") && errors.contains(part), "\(arguments): \(errors)")
      #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    }
    for arguments in [["record"], ["replay", drag, "--to", "1"]] {
      #expect(try await Tool.probe.run(arguments).status == .exited(69))
    }
  }

  @Test(arguments: ["record", "replay", "draw"])
  func `help begins with examples`(_ command: String) async throws {
    let (status, output, _) = try await Tool.probe.run([command, "--help"])
    #expect(status == .exited(0))
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let example = lines.firstIndex { $0.hasPrefix("  xdnd-probe \(command)") || $0.hasPrefix("  xdnd-probe record") }
    #expect(example.map { $0 < 8 } == true)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.count <= 70, "\(lines.count) lines")
  }
}
