import Foundation
import TestSupport
import Testing

@testable import XDnD

/// Drops that are counted, asked about, and kept.
@Suite("Drops on xdnd-probe that are counted, confirmed and kept", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeCountTests {
  @Test func `--count ends after so many drops`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"], probe: ["--count", "2"])
      for _ in 0..<2 {
        try await scene.carryUntilAccepted()
        scene.pointer.release()
        try await scene.source.waitFor("ended")
      }
      #expect(try await scene.target.exit() == .exited(0))
      #expect(scene.target.printed("ended").map { $0.string("outcome") } == ["dropped", "dropped"])
    }
  }

  @Test func `--count ends with the code of the last drop that has failed`() async throws {
    try await XServer.with { server in
      let flag = server.directory("flag")
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=!test -e '\(flag)' && echo x"], probe: ["--count", "2"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "transfer-failed")
      _ = try server.directory.write([], to: "flag")
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
      #expect(try await scene.target.exit() == .exited(1))
    }
  }

  @Test(arguments: ["a", "Return", "r", "Escape"])
  func `--confirm does nothing with a drop before the user has said so`(_ key: String) async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--text", "precious"], probe: ["--print", "text", "--once", "--confirm"])
      try await run.dragAndDrop()
      let question = try await run.probe.waitFor("question")
      #expect(question.string("question") == #"Accept "precious"?"#)
      #expect(question.strings("answers") == ["Accept", "Refuse"])
      #expect(run.source.printed("ended").isEmpty && run.probe.printed("data").isEmpty)
      #expect(run.output == [])
      try await run.type(key)
      let isTaken = ["a", "Return"].contains(key)
      #expect(try await run.probe.exit() == .exited(isTaken ? 0 : 1))
      // The target has the content, and reports that it does not take it.
      #expect(try await run.source.exit() == .exited(0))
      #expect(run.source.printed("ended").first?.string("outcome") == (isTaken ? "dropped" : "delivered"))
      #expect(run.text == (isTaken ? "precious\n" : ""))
    }
  }

  @Test func `--confirm asks before anything is saved`() async throws {
    try await XServer.with { server in
      let scene = try await SavingScene.set(on: server, source: ["--text", "precious"], probe: ["--confirm"])
      try await scene.carryUntilAccepted()
      scene.drop()
      try await scene.probe.waitFor("question")
      #expect(scene.entries == [])
      let window = try #require(scene.probe.printed("ready").first?.integer("window"))
      try scene.scene.type("a", into: window)
      #expect(try await scene.ends() == (.exited(0), .exited(0)))
      #expect(scene.entries?.count == 1)
    }
  }

  @Test func `a question ends with the source that it is about`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--text", "x"], probe: ["--confirm", "--once"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("question")
      scene.source.kill()
      #expect(try await scene.target.exit() == .exited(5))
      #expect(scene.target.printed("data").isEmpty)
    }
  }

  @Test func `what was dropped can be dragged out again`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write("content".utf8, to: "a file")
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--action", "copy", file])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(0))
      let row = try #require(try await scene.target.waitFor("draggable").objects("rows")?.first)
      #expect(row.string("title") == "a file")
      let next = try server.launchProbe("300x300+60+400", ["--once"])
      let end = try await DragScene.readyPoint(of: next)
      let start = Point(x: try #require(row.integer("x")), y: try #require(row.integer("y")))
      try await scene.pointer.drag(along: [start, end])
      try await scene.target.waitFor("drag-began")
      try await next.waitFor("position")
      scene.pointer.release()
      #expect(try await next.waitFor("data").objects("files")?.first?.string("path") == file)
      #expect(try await next.exit() == .exited(0))
      #expect(try await scene.target.waitFor("drag-ended").string("outcome") == "dropped")
      let documented = try DocumentedFields()
      for line in scene.target.output.text.split(separator: "\n") {
        #expect(documented.unknown(in: try #require(JSONLine(String(line)))) == [])
      }
    }
  }

  @Test(.requiresOpenbox)
  func `a drag out of an inactive window does not make it active, and a click does`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let scene = try await DragScene.tools(on: server, source: ["--action", "copy", "--text", "x"])
      let (source, probe) = (
        try #require(scene.source.printed("ready").first?.integer("window")),
        try #require(scene.target.printed("ready").first?.integer("window"))
      )
      let active = try ActiveWindow(server)
      // A new window becomes active after it says that it is ready.
      try await active.wait(for: probe)
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let row = try #require(try await scene.target.waitFor("draggable").objects("rows")?.first)
      let item = try #require(scene.source.printed("ready").first?.objects("rows")?.first)
      scene.pointer.move(to: item.point)
      scene.pointer.press()
      scene.pointer.release()
      // The source has seen the release, too.
      try await scene.source.waitFor("selection") { $0.integers("rows") == [0] }
      try await active.wait(for: source)

      try await scene.pointer.drag(along: [row.point, DragScene.nowhere])
      try await scene.target.waitFor("drag-began")
      scene.pointer.release()
      #expect(try await scene.target.waitFor("drag-ended").string("outcome") == "no-target")
      #expect(active.current == source)

      scene.pointer.move(to: row.point)
      scene.pointer.press()
      scene.pointer.release()
      try await active.wait(for: probe)
    }
  }

  @Test func `a window whose last drop can be undone asks before a key closes it`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--text", "kept"], probe: ["--save", server.directory.path])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("ended")
      let window = try #require(scene.target.printed("ready").first?.integer("window"))
      try scene.type("q", into: window)
      let question = try await scene.target.waitFor("question")
      #expect(question.strings("answers") == ["Close", "Keep Open"])
      #expect(try DocumentedFields().unknown(in: question) == [])
      try scene.pointer.tap(key: "Escape")
      #expect(try await scene.target.waitFor("answer").string("answer") == "Keep Open")
      try scene.pointer.tap(key: "q")
      try await scene.target.waitFor("question")
      #expect(scene.target.isRunning)
      try scene.pointer.tap(key: "Return")
      #expect(try await scene.target.exit() == .exited(2))
    }
  }

  @Test func `bytes of which nothing is known are kept as they are`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--type", "a/b=xyz"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(0))
      let row = try #require(try await scene.target.waitFor("draggable").objects("rows")?.first)
      let output = server.directory("out")
      let next = try server.launchProbe("300x300+60+400", ["--once", "--output", output])
      let end = try await DragScene.readyPoint(of: next)
      let start = Point(x: try #require(row.integer("x")), y: try #require(row.integer("y")))
      try await scene.pointer.drag(along: [start, end])
      try await scene.target.waitFor("drag-began")
      try await next.waitFor("position")
      scene.pointer.release()
      #expect(try await next.exit() == .exited(0))
      #expect(next.printed("data").map { $0.string("type") } == ["a/b"])
      #expect(FileManager.default.contents(atPath: output) == Data("xyz".utf8))
    }
  }
}
