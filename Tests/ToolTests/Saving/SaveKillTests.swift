import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// One side of a save is killed in its middle.
@Suite("Killing one side of a save", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct SaveKillTests {
  enum Way: CaseIterable {
    case directSave, stream

    func arguments(_ gate: Gate) -> [String] {
      ["--save-as", "note.bin", "--type", "a/b=!\(gate.command(before: "head -c 1000000 /dev/zero"))"]
    }

    var probeArguments: [String] { self == .stream ? ["--accept", "a/b"] : [] }
  }

  /// What has been dropped and is not whole: the command that makes it waits at the gate.
  private func dropped(_ way: Way, _ gate: Gate, on server: XServer) async throws -> SavingScene {
    let scene = try await SavingScene.set(on: server, source: way.arguments(gate), probe: way.probeArguments)
    try await scene.carryUntilAccepted()
    scene.drop()
    try await scene.source.waitForCommand()
    return scene
  }

  @Test(arguments: Way.allCases)
  func `a source that is killed leaves nothing in the directory`(_ way: Way) async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let scene = try await dropped(way, gate, on: server)
      scene.source.kill()
      #expect(try await scene.probe.exit() == .exited(5), scene.report)
      #expect(scene.probe.printed("ended").map { $0.string("outcome") } == ["peer-died"], scene.report)
      #expect(scene.entries == [], scene.report)
      gate.open()
    }
  }

  @Test func `files are copied on without the source`() async throws {
    try await XServer.with { server in
      let length = 200 << 20
      let file = server.directory("original.bin")
      #expect(FileManager.default.createFile(atPath: file, contents: Data(count: length)))
      let scene = try await SavingScene.set(
        on: server, source: ["--action", "copy", file], probe: ["--accept", "text/uri-list"])
      try await scene.carryUntilAccepted()
      scene.drop()
      try await scene.source.waitFor("sent")
      // The server leaves unread what a client has sent that is killed.
      try XlibPeer(server).sync()
      scene.source.kill()
      let end = try await scene.probe.exit(timeout: .seconds(60))
      #expect(end == .exited(5) || end == .exited(0), scene.report)
      #expect(scene.entries == ["original.bin"], scene.report)
      #expect(FileManager.default.contentsEqual(atPath: scene.directory + "/original.bin", andPath: file))
    }
  }

  @Test(arguments: Way.allCases)
  func `a probe that is killed is a death to the source, and the next one sweeps`(_ way: Way) async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let scene = try await dropped(way, gate, on: server)
      scene.probe.kill()
      _ = try await scene.probe.exit()
      // The command, which waits at the gate, ends, too.
      #expect(try await scene.source.exit() == .exited(5), scene.report)
      gate.open()
      let left = try #require(scene.entries)
      #expect(left.count == (way == .directSave ? 1 : 0), scene.report)

      // One that is not old may belong to a program on another machine.
      for (seconds, isLeft) in [(300, true), (700, false)] where !left.isEmpty {
        for name in left { try age(scene.directory + "/" + name, seconds: seconds) }
        let next = try server.launchProbe(DragScene.targetGeometry, ["--save", scene.directory])
        try await next.waitFor("ready")
        #expect(scene.entries == (isLeft ? left : []))
        next.send(SIGTERM)
        #expect(try await next.exit() == .exited(2))
      }
    }
  }

  @Test func `a window that is closed during a save asks first, and the save goes on by default`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let scene = try await dropped(.directSave, gate, on: server)
      try await scene.probe.waitFor("busy")
      let window = try #require(scene.probe.printed("ready").first?.integer("window"))
      try XlibPeer(server).close(window)
      #expect(try await scene.probe.waitFor("question").strings("answers") == ["Close", "Keep Open"])
      try scene.scene.pointer.tap(key: "Return")
      #expect(try await scene.probe.waitFor("answer").string("answer") == "Keep Open")
      gate.open()
      #expect(try await scene.probe.exit() == .exited(0), scene.report)
      #expect(scene.entries == ["note.bin"], scene.report)
    }
  }

  @Test func `a user who cancels in the probe ends the command of the source`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let scene = try await dropped(.directSave, gate, on: server)
      let button = try await scene.probe.waitFor("busy").point
      scene.scene.pointer.move(to: button)
      scene.scene.pointer.press()
      scene.scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(1), scene.report)
      #expect(scene.source.printed("not-saved").count == 1, scene.report)
      gate.open()
    }
  }

  private func age(_ path: String, seconds: Int) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -Double(seconds))], ofItemAtPath: path)
  }
}
