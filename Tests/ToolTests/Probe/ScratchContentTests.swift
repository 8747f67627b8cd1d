import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// The files that commands of `xdnd-probe` read dropped content from.
@Suite("Content in temporary files", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ScratchContentTests {
  /// A directory for temporary files that is the probe's alone.
  private struct Stage {
    let run: ProbeRun
    let gate: Gate
    let directory: String
    /// The process of the command, which waits at the gate.
    let command: pid_t

    /// What is there.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }

    /// Drops something on a probe whose command waits.
    static func set(on server: XServer) async throws -> Stage {
      let directory = server.directory("tmp")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let gate = try Gate(server.directory)
      let run = try await ProbeRun.set(
        on: server, source: ["--text", "secret"],
        // Or it would hold the pipe that the end of the probe is seen by.
        probe: ["--exec", gate.command(before: "exec 2> errors", then: "cat {} > got")],
        environment: ["TMPDIR": directory])
      try await run.dragAndDrop()
      let command = try #require(try await run.probe.waitFor("exec-began").integer("process"))
      return Stage(run: run, gate: gate, directory: directory, command: pid_t(command))
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal that ends the tool leaves nothing of the content`(_ signal: CInt) async throws {
    try await XServer.with { server in
      let stage = try await Stage.set(on: server)
      #expect(stage.names.count == 1)
      stage.run.probe.send(signal)
      #expect(try await stage.run.probe.exit() == .exited(2))
      #expect(stage.names == [])
    }
  }

  @Test func `what a killed tool has left is removed by the next, but not from under its command`() async throws {
    try await XServer.with { server in
      let stage = try await Stage.set(on: server)
      // The command is a process group of its own, and outlives the tool.
      stage.run.probe.send(SIGKILL)
      #expect(try await stage.run.probe.exit() == .signalled(SIGKILL))
      #expect(stage.names.count == 1)

      func startAnother() async throws {
        let next = try server.launch(
          "/bin/sh",
          ["-c", #"exec "$0" --json --exec true 2>&1"#, BuiltProducts.executable("xdnd-probe")],
          environment: ["TMPDIR": stage.directory])
        try await next.waitFor("ready")
        next.send(SIGTERM)
        _ = try await next.exit()
      }
      try await startAnother()
      #expect(stage.names.count == 1)
      _ = Glibc.kill(-stage.command, SIGKILL)
      let isGone = try await within(.seconds(10)) {
        while Glibc.kill(-stage.command, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        return true
      }
      #expect(isGone == true)
      try await startAnother()
      #expect(stage.names == [])
    }
  }

  @Test func `nothing that is not the tools' is swept`() async throws {
    try await XServer.with { server in
      let directory = server.directory("tmp")
      for name in ["xdnd-probe.abcdef", ".xdnd-short", ".other-0123456789abcdefghij"] {
        try FileManager.default.createDirectory(
          atPath: "\(directory)/\(name)", withIntermediateDirectories: true)
      }
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "x"], probe: ["--once", "--exec", "true"],
        environment: ["TMPDIR": directory])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 3)
    }
  }
}
