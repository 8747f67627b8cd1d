import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Who reads what a tool prints, and does not: a pager that waits, a script that is busy, a terminal that is held.
@Suite("Output that is not read", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct UnreadOutputTests {
  /// A probe whose standard output is a pipe that is full.
  private struct Stage {
    let probe: ChildProcess
    let window: Int
    let pipe: UnreadPipe

    init(_ server: XServer, _ arguments: [String]) async throws {
      pipe = try UnreadPipe(in: server.directory)
      probe = try server.launch(
        "/bin/sh",
        pipe.running(
          BuiltProducts.executable("xdnd-probe"), ["--json", "--geometry", DragScene.targetGeometry] + arguments))
      window = try #require(try await pipe.readLine("ready").integer("window"))
      pipe.fill()
    }
  }

  @Test func `a drop is taken and confirmed, and two signals end the probe`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, [])
      for _ in 0..<2 {
        let source = try server.launchBareSource(["--to", "\(stage.window)", "--text", "x"])
        #expect(try await source.exit() == .exited(0))
        #expect(source.printed("ended").map { $0.string("outcome") } == ["dropped"])
      }
      stage.probe.send(SIGTERM)
      stage.probe.send(SIGINT)
      #expect(try await stage.probe.exit(timeout: .seconds(5)) == .exited(2))
    }
  }

  @Test func `with --verbose the source ends as the drop does, however much it has said`() async throws {
    try await XServer.with { server in
      let pipe = try UnreadPipe(in: server.directory)
      let (probe, window) = try await server.launchTarget()
      defer { probe.kill() }
      pipe.fill()
      let source = try server.launch(
        "/bin/sh",
        pipe.running(
          BuiltProducts.executable("xdnd-source"), ["--json", "--to", "\(window)", "--text", "x", "--timeout", "30"]))
      #expect(try await probe.waitFor("ended").string("outcome") == "dropped")
      #expect(try await source.exit() == .exited(0))
    }
  }

  @Test func `content waits for its reader, with its source, and nothing else does`() async throws {
    try await XServer.with { server in
      let content = TestContent.bytes(8 << 20)
      let file = try server.directory.write(content, to: "blob")
      let pipe = try UnreadPipe(in: server.directory)
      let probe = try server.launch(
        "/bin/sh",
        pipe.running(
          BuiltProducts.executable("xdnd-probe"),
          ["--json", "--geometry", DragScene.targetGeometry, "--count", "1", "--accept", "a/b", "--output", "-"]))
      let ready = try await Self.waitForReport("ready", of: probe)
      let window = try #require(ready.integer("window"))
      let source = try server.launchBareSource(["--to", "\(window)", "--type", "a/b=@\(file)"])
      try await source.waitFor("drop-sent")
      // Another drag is answered meanwhile.
      let other = try server.launchBareSource(["--to", "\(window)", "--type", "c/d=x"])
      #expect(try await other.exit() == .exited(1))
      #expect(source.isRunning)
      let arrived = try await pipe.read(atLeast: content.count)
      #expect(arrived == content)
      #expect(try await source.exit() == .exited(0))
      #expect(try await probe.exit() == .exited(0))
    }
  }

  /// Reports go to standard error where content goes to standard output.
  private static func waitForReport(_ event: String, of probe: ChildProcess) async throws -> JSONLine {
    for await line in probe.errors.lines {
      if let line = JSONLine(line), line.event == event { return line }
    }
    throw probe.failure("did not say \(event)")
  }

  @Test func `content that nobody reads does not keep two signals from ending the probe`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write(TestContent.bytes(8 << 20), to: "blob")
      let pipe = try UnreadPipe(in: server.directory)
      let probe = try server.launch(
        "/bin/sh",
        pipe.running(
          BuiltProducts.executable("xdnd-probe"),
          ["--json", "--geometry", DragScene.targetGeometry, "--accept", "a/b", "--output", "-"]))
      let window = try #require(try await Self.waitForReport("ready", of: probe).integer("window"))
      let source = try server.launchBareSource(["--to", "\(window)", "--type", "a/b=@\(file)"])
      try await source.waitFor("drop-sent")
      probe.send(SIGTERM)
      probe.send(SIGINT)
      #expect(try await probe.exit(timeout: .seconds(5)) == .exited(2))
      _ = try await source.exit()
    }
  }

  @Test(arguments: Tool.allCases)
  func `a second signal ends a tool that is stuck, as it is when the server does not answer`(_ tool: Tool) async throws
  {
    try await XServer.with { server in
      let process =
        tool == .source
        ? try server.launchSource(DragScene.sourceGeometry, ["--text", "x"])
        : try server.launchProbe(DragScene.targetGeometry, [])
      try await process.waitFor("ready")
      server.pause()
      defer { server.resume() }
      process.send(SIGTERM)
      // The first signal has been taken when it is not pending any more; it ends in a question to the server.
      try await process.awaitStandstill()
      process.send(SIGTERM)
      #expect(try await process.exit(timeout: .seconds(5)) == .exited(2))
    }
  }
}

extension ChildProcess {
  /// Returns when it has had no signal to take and nothing to do for a moment.
  fileprivate func awaitStandstill() async throws {
    func state() -> (isPending: Bool, time: String) {
      let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
      let pending = status.split(separator: "\n").contains {
        $0.hasPrefix("ShdPnd") && !$0.hasSuffix("0000000000000000")
      }
      let times = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
      return (pending, times.split(separator: " ").dropFirst(13).prefix(2).joined(separator: " "))
    }
    for _ in 0..<100 {
      let before = state()
      try await Task.sleep(for: .milliseconds(150))
      let after = state()
      if !before.isPending, before.time == after.time { return }
    }
    throw failure("does not stand still")
  }
}
