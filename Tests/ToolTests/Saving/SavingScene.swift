import Foundation
import Glibc
import TestSupport
import Testing

import enum TestSupport.ExitStatus

/// A directory to save in, and the two tools: one promises or offers, the other saves.
struct SavingScene {
  let scene: DragScene
  /// Where it is saved. Nothing else is in it.
  let directory: String

  var source: ChildProcess { scene.source }
  var probe: ChildProcess { scene.target }

  /// - Parameters:
  ///   - limit: The longest file that the source can write, in blocks of 512 bytes; stands for a disk that is full. It
  ///     fails the same call, without privileges, and without filling a disk.
  ///   - probeLimit: The same for the probe.
  ///   - environment: More of it for the source.
  static func set(
    on server: XServer, source: [String], probe: [String] = [], directory name: String = "saved",
    limit: Int? = nil, probeLimit: Int? = nil, environment: [String: String] = [:]
  ) async throws -> SavingScene {
    let directory = server.directory(name)
    if access(directory, F_OK) != 0 { #expect(mkdir(directory, 0o700) == 0) }
    let scene = try await DragScene.set(
      on: server,
      source: {
        try server.launch(
          "xdnd-source", ["--json", "--once", "--timeout", "60", "--geometry", $0] + source, limit: limit, environment)
      },
      target: {
        try server.launch(
          "xdnd-probe", ["--json", "--once", "--timeout", "60", "--geometry", $0, "--save", directory] + probe,
          limit: probeLimit)
      })
    return SavingScene(scene: scene, directory: directory)
  }

  func carryUntilAccepted() async throws {
    try await scene.carryUntilAccepted()
  }

  func drop() { scene.pointer.release() }

  /// Drags, drops, and says how the tools have ended.
  func dragAndDrop() async throws -> (source: ExitStatus, probe: ExitStatus) {
    try await carryUntilAccepted()
    drop()
    return try await ends()
  }

  func ends() async throws -> (source: ExitStatus, probe: ExitStatus) {
    (try await source.exit(), try await probe.exit())
  }

  /// Everything in the directory, hidden or not; `nil` if there is none.
  var entries: [String]? { try? FileManager.default.contentsOfDirectory(atPath: directory).sorted() }

  func content(_ name: String) -> String? {
    FileManager.default.contents(atPath: directory + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  func remove() throws { try FileManager.default.removeItem(atPath: directory) }

  /// What the probe says about a drop that it could not save: an error in one sentence.
  var reason: String? { probe.printed("failed").last?.string("reason") }

  /// The lines that both have printed, for whoever reads a failure.
  var report: Comment { "source:\n\(source.output.text)\nprobe:\n\(probe.output.text)" }
}

extension XServer {
  /// Starts a tool, with a limit on the length of the files that it writes.
  func launch(
    _ tool: String, _ arguments: [String], limit: Int? = nil, _ environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let program = try BuiltProducts.executable(tool)
    guard let limit else { return try launch(program, arguments, environment: environment) }
    return try launch(
      "/bin/sh", ["-c", "ulimit -f \(limit); exec \"$0\" \"$@\"", program] + arguments, environment: environment)
  }
}

/// The input of a command, which the test ends: so a command of `xdnd-source` takes exactly as long as it should.
final class Gate: Sendable {
  private let path: String
  private let descriptor: Int32

  init(_ directory: TemporaryDirectory, _ name: String = "gate") throws {
    path = directory(name)
    guard mkfifo(path, 0o600) == 0 else { throw HarnessError("mkfifo", code: errno) }
    // Not for writing alone, which would wait for a reader.
    descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw HarnessError("open \(path)", code: errno) }
  }

  deinit { close(descriptor) }

  /// A command that says `begun` on its standard error, and goes on with `rest` when the gate is opened.
  func command(before: String = "true", then rest: String = "printf content") -> String {
    "\(before); exec 3<'\(path)'; echo begun >&2; read line <&3; \(rest)"
  }

  /// Lets the commands go on that have begun.
  func open() { _ = write(descriptor, "\n", 1) }
}

extension ChildProcess {
  /// Returns when a command with a ``Gate`` waits there.
  func waitForCommand() async throws {
    let hasBegun = try await within(.seconds(20)) { [errors] () -> Bool in
      var index = 0
      while let line = await errors.line(at: index) {
        if line == "begun" { return true }
        index += 1
      }
      return false
    }
    if hasBegun != true { throw failure("has not run its command") }
  }
}
