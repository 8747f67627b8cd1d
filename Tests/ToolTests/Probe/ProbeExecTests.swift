import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Commands that run with what was dropped.
@Suite("Commands of xdnd-probe", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeExecTests {
  @Test func `each file is an argument, whatever it is called`() async throws {
    try await XServer.with { server in
      let names = ["a b", "$(touch injected)", "`touch injected`", "'; touch injected; '", "x\ny", "-e"]
      let files = try names.filter { !$0.contains("/") }.map { try server.directory.write([], to: $0) }
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--"] + files,
        probe: ["--once", "--exec", #"cd '\#(server.directory.path)' && printf '%s\0' {}; printf "$XDND_ACTION""#])
      try await run.dragAll()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(try await run.source.exit() == .exited(0))
      #expect(run.text == files.map { $0 + "\0" }.joined() + "copy")
      #expect(!FileManager.default.fileExists(atPath: server.directory("injected")))
      let began = try #require(run.probe.printed("exec-began").first)
      #expect(began.strings("files") == files)
      #expect(run.probe.printed("exec-ended").map { $0.integer("status") } == [0])
      let documented = try DocumentedFields()
      for line in run.probe.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test func `content is standard input, and a file with the right extension, which is gone afterwards`() async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        // Otherwise the picture is promised as a file, and the probe takes that.
        on: server, source: ["--once", "--exact", "--type", "image/png=pixels"],
        probe: ["--once", "--exec", #"cat; echo; cat {}; echo; echo {} "$XDND_FILE" "$XDND_TYPE""#])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      let lines = run.text.split(separator: "\n").map(String.init)
      #expect(lines.prefix(2) == ["pixels", "pixels"])
      let words = try #require(lines.last).split(separator: " ").map(String.init)
      #expect(words.count == 3 && words[0] == words[1] && words[2] == "image/png")
      #expect(words[0].hasSuffix("/content.png"))
      #expect(!FileManager.default.fileExists(atPath: words[0]))
      #expect(!FileManager.default.fileExists(atPath: (words[0] as NSString).deletingLastPathComponent))
    }
  }

  @Test func `the source waits for the command, and hears that it has failed`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "x"], probe: ["--once", "--exec", gate.command(then: "exit 3")])
      try await run.dragAndDrop()
      try await run.probe.waitFor("exec-began")
      #expect(run.source.printed("ended").isEmpty)
      gate.open()
      #expect(try await run.probe.exit() == .exited(6))
      #expect(try await run.source.exit() == .exited(0))
      #expect(run.probe.printed("exec-ended").map { $0.integer("status") } == [3])
      #expect(run.probe.printed("failed").map { $0.string("status") } == ["transfer-failed"])
    }
  }

  @Test func `a source whose content was read says so, although the target has failed`() async throws {
    try await XServer.with { server in
      // Its reports go to standard error: standard output is the command's.
      let arguments = ["--json", "--geometry", DragScene.targetGeometry, "--once", "--exec", "false"]
      let probe = try server.launch(
        "/bin/sh", ["-c", #"exec "$0" "$@" 2>&1"#, BuiltProducts.executable("xdnd-probe")] + arguments)
      let window = try #require(try await probe.waitFor("ready").integer("window"))
      let source = try server.launch(
        BuiltProducts.executable("xdnd-source"), ["--to", String(window), "--text", "x", "--timeout", "60"])
      #expect(try await source.exit() == .exited(0))
      #expect(source.output.text.contains("The other program read it, but did not take it."))
      #expect(try await probe.exit() == .exited(6))
    }
  }

  @Test func `--and-exit first ends with content that the target has read, although the target has failed`()
    async throws
  {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--and-exit", "first", "--text", "x"], probe: ["--exec", "false"])
      try await run.dragAndDrop()
      #expect(try await run.source.exit() == .exited(0))
      #expect(run.source.printed("ended").map { $0.string("outcome") } == ["delivered"])
    }
  }

  @Test func `what a command writes is passed on, and shown in the window while it runs`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "x"],
        probe: ["--exec", gate.command(before: "echo first; echo problem >&2", then: "echo last")])
      try await run.dragAndDrop()
      try await run.probe.waitForLine { $0 == "begun" }
      // It is drawn a moment later. A key that selects the row says what is shown of it.
      while !run.probe.printed("preview").contains(where: { $0.string("kind") == "output" }) {
        try await run.type("Home")
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(run.probe.printed("exec-ended").isEmpty)
      gate.open()
      #expect(try await run.source.exit() == .exited(0))
      run.probe.send(SIGTERM)
      #expect(try await run.probe.exit() == .exited(2))
      #expect(run.text == "first\nlast\n")
      #expect(run.probe.output.text.split(separator: "\n").contains("problem"))
    }
  }

  @Test func `a command is stopped by the button of its row, and the source hears that it was not done`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "x"], probe: ["--once", "--exec", gate.command()])
      try await run.dragAndDrop()
      let busy = try await run.probe.waitFor("busy") { $0.string("action") == "stop" }
      #expect(busy.string("words")?.hasPrefix("running") == true)
      run.scene.pointer.move(to: busy.point)
      run.scene.pointer.press()
      run.scene.pointer.release()
      let ended = try await run.probe.waitFor("exec-ended")
      #expect(ended.integer("signal") == Int(SIGTERM) && ended.boolean("stopped") == true)
      #expect(try DocumentedFields().unknown(in: ended) == [])
      #expect(try await run.probe.exit() == .exited(2))
      #expect(try await run.source.exit() == .exited(0))
    }
  }

  @Test func `a command that fails adds nothing to the row of what was dropped`() async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "x"], probe: ["--exec", "exit 3"])
      try await run.dragAndDrop()
      #expect(try await run.source.exit() == .exited(0))
      try await run.probe.waitFor("ended")
      // The row of several parts would show a list of them.
      try await run.type("Home")
      #expect(try await run.probe.waitFor("preview").string("kind") == "text")
    }
  }

  @Test func `a command that a signal ends has failed`() async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "x"], probe: ["--once", "--exec", "kill -9 $$"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(6))
      #expect(run.probe.printed("exec-ended").map { $0.integer("signal") } == [9])
    }
  }

  @Test func `a command goes on without its source, and ends with the tool`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let run = try await ProbeRun.set(
        on: server, source: ["--text", "x"],
        probe: ["--once", "--exec", gate.command(then: "cat > '\(server.directory("got"))'")])
      try await run.dragAndDrop()
      try await run.probe.waitFor("exec-began")
      run.source.kill()
      try await run.probe.waitFor("ended")
      #expect(run.probe.isRunning)
      gate.open()
      #expect(try await run.probe.exit() == .exited(5))
      #expect(FileManager.default.contents(atPath: server.directory("got")) == Data("x".utf8))
    }
  }

  @Test func `a command is ended when the tool is`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let run = try await ProbeRun.set(
        on: server, source: ["--text", "x"], probe: ["--once", "--exec", gate.command()])
      try await run.dragAndDrop()
      let command = try #require(try await run.probe.waitFor("exec-began").integer("process"))
      run.probe.send(SIGTERM)
      #expect(try await run.probe.exit() == .exited(2))
      let isGone = try await within(.seconds(10)) {
        while Glibc.kill(pid_t(command), 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        return true
      }
      #expect(isGone == true)
    }
  }
}
