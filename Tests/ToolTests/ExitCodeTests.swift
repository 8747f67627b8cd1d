import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// The documented exit codes of `--once`; those of deaths are in `DeathTests`.
@Suite("Exit codes of the tools", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ExitCodeTests {
  /// A way to end a tool.
  enum Ending: CaseIterable {
    case signal, interrupt, hangUp, close, escape, q
  }

  @Test func `a drop that is taken is 0 on both sides`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--text", "x"], probe: ["--once"])
      try await scene.dragAndDrop()
      #expect(try await scene.source.exit() == .exited(0))
      #expect(try await scene.target.exit() == .exited(0))
    }
  }

  @Test(arguments: [["--accept", "image/png"], ["--action", "link"]])
  func `a drop that is not wanted is 1 for the source, and the probe waits for a better one`(
    _ arguments: [String]
  ) async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--action", "move", "--text", "x"], probe: ["--once"] + arguments)
      try await scene.dragAndDrop()
      #expect(try await scene.source.exit() == .exited(1))
      #expect(scene.source.printed("ended").map { $0.string("outcome") } == ["refused"])
      #expect(scene.source.printed("drop-sent").isEmpty)
      try await scene.target.waitFor("left")
      #expect(scene.target.isRunning)
    }
  }

  @Test(arguments: Ending.allCases)
  func `what ends a drag from outside is 2`(_ ending: Ending) async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--text", "x"])
      try await scene.carryUntilAccepted()
      try end(scene.source, ending, scene.pointer, server)
      if ending == .q {
        // The keyboard belongs to the drag, and only Escape means something to it.
        scene.pointer.release()
        #expect(try await scene.source.exit() == .exited(0))
        return
      }
      #expect(try await scene.source.exit() == .exited(2))
      let reason = ending == .escape ? "escape" : "application"
      #expect(scene.source.printed("ended").map { $0.string("reason") } == [reason])
      try await scene.target.waitFor("left")
      #expect(try XlibPeer(server).isInputFree)
    }
  }

  @Test(arguments: Tool.allCases, Ending.allCases)
  func `what ends an idle tool is 2`(_ tool: Tool, _ ending: Ending) async throws {
    try await XServer.with { server in
      let process =
        try tool == .source
        ? server.launchSource(DragScene.sourceGeometry, ["--text", "x"])
        : server.launchProbe(DragScene.sourceGeometry, [])
      // Without a window manager keys go to the window under the pointer.
      let pointer = try Pointer(server)
      pointer.move(to: try await DragScene.readyPoint(of: process))
      try end(process, ending, pointer, server)
      #expect(try await process.exit() == .exited(2))
      #expect(process.errors.text == "")
    }
  }

  private func end(_ process: ChildProcess, _ ending: Ending, _ pointer: Pointer, _ server: XServer) throws {
    switch ending {
    case .signal: process.send(SIGTERM)
    case .interrupt: process.send(SIGINT)
    case .hangUp: process.send(SIGHUP)
    case .close: try XlibPeer(server).close(#require(process.printed("ready").first?.integer("window")))
    case .escape: try pointer.tap(key: "Escape")
    case .q: try pointer.tap(key: "q")
    }
  }

  @Test func `a drop on nothing is 3`() async throws {
    try await XServer.with { server in
      let source = try server.launchSource(DragScene.sourceGeometry, ["--once", "--text", "x"])
      let pointer = try Pointer(server)
      try await pointer.drag(along: [DragScene.readyPoint(of: source), DragScene.nowhere])
      try await source.waitFor("drag-began")
      pointer.release()
      #expect(try await source.exit() == .exited(3))
      #expect(source.printed("ended").map { $0.string("outcome") } == ["no-target"])
    }
  }

  @Test(arguments: Tool.allCases)
  func `a drag that nobody begins is 4 when the time is over`(_ tool: Tool) async throws {
    try await XServer.with { server in
      let arguments = ["--once", "--timeout", "0.2"]
      let process =
        try tool == .source
        ? server.launchSource(DragScene.sourceGeometry, ["--text", "x"] + arguments)
        : server.launchProbe(DragScene.sourceGeometry, arguments)
      #expect(try await process.exit() == .exited(4))
      #expect(process.printed("timed-out").count == 1)
    }
  }

  @Test func `a drag that takes too long is 4, and gives the pointer back`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--timeout", "15", "--text", "x"])
      try await scene.carryUntilAccepted()
      #expect(try await scene.source.exit() == .exited(4))
      try await scene.target.waitFor("left")
      #expect(try XlibPeer(server).isInputFree)
    }
  }

  @Test func `a target that does not answer is 4`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--text", "x"], probe: ["--once"])
      scene.target.send(SIGSTOP)
      try await scene.carry()
      try await scene.source.waitFor("target")
      scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(4))
      #expect(scene.source.printed("ended").map { $0.string("outcome") } == ["timed-out"])
      scene.target.send(SIGCONT)
    }
  }

  @Test func `content that is gone at the drop is 6 for the source and 1 for the probe`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write([1, 2, 3], to: "bytes")
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--type", "a/b=@\(file)"], probe: ["--once"])
      try await scene.carryUntilAccepted()
      #expect(unlink(file) == 0)
      scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(6))
      #expect(try await scene.target.exit() == .exited(1))
      #expect(scene.source.printed("sent").map { $0.boolean("ok") } == [false])
      #expect(scene.target.printed("failed").map { $0.string("status") } == ["refused"])
    }
  }
}
