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
      // Until the probe has asked for it, a drag that begins would take the selection away from the content.
      _ = try await Self.waitForReport("busy", of: probe)
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

  // MARK: Two drops at once

  /// A probe that writes content to a pipe, and a drop on it whose content is not whole yet.
  private struct SlowDrop {
    let probe: ChildProcess
    let window: Int
    let pipe: UnreadPipe
    let gate: Gate
    let source: ChildProcess

    /// What the drop has when the gate is open.
    static let content = beginning + Array("whole".utf8)
    /// More than comes at once.
    private static let beginning = [UInt8](repeating: 0, count: 1_000_000)

    /// - Parameter isNamed: Whether the probe opens the pipe by its name. Otherwise it is its standard output.
    init(_ server: XServer, isNamed: Bool) async throws {
      pipe = try UnreadPipe(in: server.directory)
      gate = try Gate(server.directory)
      let tool = try BuiltProducts.executable("xdnd-probe")
      let arguments = [
        "--json", "--geometry", DragScene.targetGeometry, "--count", "2", "--accept", "a/b", "--output",
        isNamed ? pipe.path : "-",
      ]
      probe = try isNamed ? server.launch(tool, arguments) : server.launch("/bin/sh", pipe.running(tool, arguments))
      let ready = try await isNamed ? probe.waitFor("ready") : UnreadOutputTests.waitForReport("ready", of: probe)
      window = try #require(ready.integer("window"))
      let command = gate.command(before: "head -c \(Self.beginning.count) /dev/zero", then: "printf whole")
      source = try server.launchBareSource(["--to", "\(window)", "--type", "a/b=!\(command)"])
      try await source.waitForCommand()
    }

    /// Opens the gate, and expects this content in the pipe.
    func expect(_ content: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) async throws {
      gate.open()
      let written = try await pipe.read(atLeast: content.count)
      // A failed expectation would print all of it.
      let isEqual = TestContent.isEqual(written, content)
      #expect(
        isEqual, "\(written.count) bytes that end with \(String(decoding: written.suffix(20), as: UTF8.self))",
        sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [false, true])
  func `two drops at once are written one after the other, and each is whole`(isNamed: Bool) async throws {
    try await XServer.with { server in
      let first = try await SlowDrop(server, isNamed: isNamed)
      let second = try server.launchBareSource(["--to", "\(first.window)", "--type", "a/b=; second"])
      try await second.waitFor("drop-sent")
      try await server.awaitPing(of: first.window)
      try await first.expect(SlowDrop.content + Array("; second".utf8))
      for source in [first.source, second] { #expect(try await source.exit() == .exited(0)) }
      #expect(try await first.probe.exit() == .exited(0))
    }
  }

  @Test func `a drop whose source is gone before its turn is left out, and the one before it is whole`() async throws {
    try await XServer.with { server in
      let first = try await SlowDrop(server, isNamed: false)
      let second = try server.launchBareSource(["--to", "\(first.window)", "--type", "a/b=; second"])
      try await second.waitFor("drop-sent")
      try await server.awaitPing(of: first.window)
      second.kill()
      _ = try await Self.waitForReport("ended", of: first.probe)
      try await first.expect(SlowDrop.content)
      #expect(try await first.source.exit() == .exited(0))
      #expect(try await first.probe.exit() == .exited(5))
    }
  }

  /// Starts a probe that ends after two drops and prints them to a pipe.
  private func launchPrinter(
    _ form: String, to pipe: UnreadPipe, on server: XServer
  ) async throws -> (probe: ChildProcess, window: Int) {
    let probe = try server.launch(
      "/bin/sh",
      pipe.running(
        BuiltProducts.executable("xdnd-probe"),
        ["--json", "--geometry", DragScene.targetGeometry, "--count", "2", "--print", form]))
    return (probe, try #require(try await Self.waitForReport("ready", of: probe).integer("window")))
  }

  /// Drops content, and returns when the probe has it.
  private func drop(_ content: String, on window: Int, of server: XServer) async throws -> ChildProcess {
    let source = try server.launchBareSource(["--to", "\(window)", "--exact", "--type", content])
    try await source.waitFor("sent")
    // The answer to a ping comes after what the content leads to.
    try await server.awaitPing(of: window)
    return source
  }

  @Test func `a drop that comes while another one is printed has a line of its own`() async throws {
    try await XServer.with { server in
      let pipe = try UnreadPipe(in: server.directory)
      let (probe, window) = try await launchPrinter("shell", to: pipe, on: server)
      // More than the probe writes before it waits for its reader.
      let folder = String(repeating: "/" + String(repeating: "a", count: 199), count: 7)
      let paths = (0..<1200).map { "\(folder)/\($0)" }
      let list = try server.directory.write(paths.map { "file://\($0)\r\n" }.joined(separator: "").utf8, to: "list")
      let first = try await drop("text/uri-list=@\(list)", on: window, of: server)
      var printed = try await pipe.read(atLeast: 1)
      let second = try await drop("text/uri-list=file:///second\r\n", on: window, of: server)
      let lines = Array((paths.joined(separator: " ") + "\n/second\n").utf8)
      printed += try await pipe.read(atLeast: lines.count - printed.count)
      // A failed expectation would print all of them.
      let isWhole = TestContent.isEqual(printed, lines)
      #expect(isWhole)
      for source in [first, second] { #expect(try await source.exit() == .exited(0)) }
      #expect(try await probe.exit() == .exited(0))
    }
  }

  @Test func `a drop waits while more is unread than the probe keeps, and does not fail`() async throws {
    try await XServer.with { server in
      let pipe = try UnreadPipe(in: server.directory)
      let (probe, window) = try await launchPrinter("text", to: pipe, on: server)
      // The probe keeps 4 MiB, and the pipe has 64 KiB.
      let text = [UInt8](repeating: UInt8(ascii: "a"), count: (4 << 20) + (1 << 18))
      let file = try server.directory.write(text, to: "text")
      let first = try await drop("text/plain=@\(file)", on: window, of: server)
      #expect(try await first.exit() == .exited(0))
      let second = try await drop("text/plain=second", on: window, of: server)
      let lines = text + Array("\nsecond\n".utf8)
      let printed = try await pipe.read(atLeast: lines.count)
      let isWhole = TestContent.isEqual(printed, lines)
      #expect(isWhole)
      #expect(try await second.exit() == .exited(0))
      #expect(try await probe.exit() == .exited(0))
    }
  }

  // MARK: Signals

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
