import Foundation
import Glibc
import TestSupport
import Testing
import XDnD
import XDnDX11

import enum TestSupport.ExitStatus

/// What `xdnd-source` drags at once, and after which drags it ends.
@Suite("How xdnd-source ends", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct EndingToolTests {
  /// Two files in a window, and a probe.
  private struct Stage {
    let source: ChildProcess
    let probe: ChildProcess
    let pointer: Pointer
    let rows: [Point]
    let files: [String]

    init(_ server: XServer, _ arguments: [String], probe: [String] = []) async throws {
      files = try ["one", "two"].map { try server.directory.write($0.utf8, to: $0) }
      source = try server.launchSource("300x400+60+60", files + arguments)
      rows = try #require(try await source.waitFor("ready").objects("rows")).map(\.point)
      (self.probe, _) = try await server.launchTarget(probe)
      pointer = try Pointer(server)
    }

    func drag(_ row: Int, to end: Point = DragScene.target) async throws -> JSONLine {
      try await pointer.drag(along: [rows[row], end])
      try await source.waitFor("drag-began")
      if end != DragScene.nowhere { try await source.waitFor("proposal") }
      pointer.release()
      return try await source.waitFor("ended")
    }
  }

  @Test func `--and-exit first ends after a drop that was taken, and not after one that failed`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, ["--and-exit", "first"])
      #expect(try await stage.drag(0, to: DragScene.nowhere).string("outcome") == "no-target")
      #expect(stage.source.isRunning)
      #expect(try await stage.drag(1).string("outcome") == "dropped")
      #expect(try await stage.source.exit() == .exited(0))
    }
  }

  @Test func `--and-exit all ends when each row was taken, in whatever order and how often`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, ["--and-exit", "all"])
      _ = try await stage.drag(1)
      _ = try await stage.drag(1)
      #expect(stage.source.isRunning)
      _ = try await stage.drag(0)
      #expect(try await stage.source.exit() == .exited(0))
    }
  }

  @Test func `--and-exit all waits for a drop that is still delivered when the last row is taken`() async throws {
    try await XServer.with { server in
      let (gate, flag) = (try Gate(server.directory), server.directory("flag"))
      let command = "if [ -e '\(flag)' ]; then \(gate.command(then: "printf late")); else printf x; fi"
      let stage = try await Stage(
        server, ["--and-exit", "all", "--type", "a/b=!\(command)"], probe: ["--accept", "a/b,text/uri-list"])
      #expect(try await stage.drag(2).string("outcome") == "dropped")
      _ = try server.directory.write([], to: "flag")
      // A target finishes the drops of one source in their order, so the late one is on another window.
      let slow = try server.launchProbe("300x200+600+400", ["--accept", "a/b"])
      try await slow.waitFor("ready")
      try await stage.pointer.drag(along: [stage.rows[2], Point(x: 750, y: 500)])
      try await stage.source.waitFor("drag-began")
      try await stage.source.waitFor("proposal") { $0.string("operation") != nil }
      stage.pointer.release()
      try await stage.source.waitForCommand()
      for row in [0, 1] { #expect(try await stage.drag(row).string("outcome") == "dropped") }
      gate.open()
      let late = try await slow.waitFor("data") { $0.integer("bytes") == 4 }
      #expect(late.string("type") == "a/b")
      #expect(try await stage.source.exit() == .exited(0))
      #expect(stage.source.printed("ended").count { $0.string("outcome") == "dropped" } == 4)
    }
  }

  @Test(arguments: Tool.allCases)
  func `a signal that the tool was started with as ignored stays so, and another one ends it`(
    _ tool: Tool
  ) async throws {
    try await XServer.with { server in
      let content = tool == .source ? ["--text", "x"] : []
      // As nohup does.
      let process = try server.launch(
        "/bin/sh",
        ["-c", #"trap "" HUP; exec "$0" "$@""#, BuiltProducts.executable(tool.rawValue), "--json"]
          + ["--geometry", DragScene.sourceGeometry] + content)
      let window = try #require(try await process.waitFor("ready").integer("window"))
      process.send(SIGHUP)
      let peer = try XlibPeer(server)
      XMoveWindow(peer.display, UInt(window), 200, 150)
      peer.sync()
      #expect(try await process.waitFor("moved").integer("x") == 200)
      process.send(SIGTERM)
      #expect(try await process.exit() == .exited(2))
    }
  }

  @Test func `the last line is ended, after a move, too`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(
        server, ["--once", "--action", "move"], probe: ["--action", "move", "--output", server.directory("out")])
      #expect(try await stage.drag(0).string("operation") == "move")
      #expect(try await stage.source.exit() == .exited(0))
      let events = stage.source.output.text.split(separator: "\n").compactMap { JSONLine(String($0))?.event }
      #expect(events.suffix(2) == ["selection", "ended"])
    }
  }

  @Test func `the image of the last drag is back at its row before the tool ends`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, ["--once"])
      let image = try DragImageWatch(server)
      let way = DragScene.nowhere.y - stage.rows[0].y
      try await stage.pointer.drag(along: [stage.rows[0], DragScene.nowhere])
      // Otherwise a drag that begins late may end before its image has left the row.
      try await image.wait { $0.middle.y > stage.rows[0].y + way / 2 }
      stage.pointer.release()
      #expect(try await stage.source.waitFor("ended").string("outcome") == "no-target")
      #expect(try await stage.source.exit() == .exited(3))
      let last = try #require(image.frames.last)
      #expect(abs(last.middle.y - stage.rows[0].y) < way / 4, "\(last)")
    }
  }

  @Test func `the image of a drop that was taken sinks in before the tool ends`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, ["--once"])
      let image = try DragImageWatch(server)
      try await stage.pointer.drag(along: [stage.rows[0], DragScene.target])
      try await stage.source.waitFor("proposal")
      // A drop that is quicker than the first image has none.
      try await image.wait { $0.origin.x > DragScene.target.x }
      stage.pointer.release()
      #expect(try await stage.source.waitFor("ended").string("outcome") == "dropped")
      #expect(try await stage.source.exit() == .exited(0))
      let widths = image.frames.map(\.width)
      #expect(try #require(widths.last) < #require(widths.max()) * 3 / 4, "\(widths)")
    }
  }

  @Test func `a signal during the last animation changes nothing about how the tool ends`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, ["--once"])
      #expect(try await stage.drag(0, to: DragScene.nowhere).string("outcome") == "no-target")
      stage.source.send(SIGTERM)
      #expect(try await stage.source.exit() == .exited(3))
      #expect(stage.source.printed("ended").count == 1)
    }
  }

  @Test func `a source that lets the target ask offers what it can choose from`() async throws {
    try await XServer.with { server in
      let (probe, window) = try await server.launchTarget()
      defer { probe.kill() }
      let source = try server.launchBareSource(["--action", "ask,copy,move,link", "--to", "\(window)", "--text", "x"])
      let entered = try await probe.waitFor("entered")
      #expect(entered.strings("operations") == ["ask", "copy", "move", "link"])
      try await probe.waitFor("position") { $0.string("requested") == "ask" }
      source.send(SIGTERM)
      _ = try await source.exit()
    }
  }

  @Test func `a signal during a transfer lets it finish, and the tool ends as the drop does`() async throws {
    try await XServer.with { server in
      let pipe = server.directory("pipe")
      #expect(mkfifo(pipe, 0o600) == 0)
      let (probe, window) = try await server.launchTarget(["--accept", "a/b"])
      defer { probe.kill() }
      let source = try server.launchBareSource(["--to", "\(window)", "--type", "a/b=!cat '\(pipe)'"])
      try await source.waitFor("drop-sent")
      source.send(SIGTERM)
      let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
      try writer.write(contentsOf: Data("late".utf8))
      try writer.close()
      #expect(try await probe.waitFor("data").integer("bytes") == 4)
      #expect(try await source.exit() == .exited(0))
    }
  }

  @Test(arguments: [["--grace", "0.3"], []])
  func `what does not finish in time, or after a second signal, is cancelled`(_ arguments: [String]) async throws {
    try await XServer.with { server in
      let (probe, window) = try await server.launchTarget(["--accept", "a/b"])
      defer { probe.kill() }
      let source = try server.launchBareSource(
        ["--to", "\(window)", "--type", "a/b=!sleep 60"] + arguments)
      try await source.waitFor("drop-sent")
      source.send(SIGINT)
      if arguments.isEmpty {
        try await Task.sleep(for: .milliseconds(200))
        #expect(source.isRunning)
        source.send(SIGINT)
      }
      #expect(try await source.exit(timeout: .seconds(4)) == .exited(2))
    }
  }

  @Test(arguments: [false, true])
  func `a closed window gets small, finishes the transfer, and asks before it stops it`(stops: Bool) async throws {
    try await XServer.with { server in
      let pipe = server.directory("pipe")
      #expect(mkfifo(pipe, 0o600) == 0)
      let scene = try await DragScene.tools(
        on: server, source: ["--grace", "0.1", "--type", "a/b=!cat '\(pipe)'"], probe: ["--accept", "a/b"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.source.waitFor("drop-sent")
      let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
      let window = try #require(scene.source.printed("ready").first?.integer("window"))
      let peer = try XlibPeer(server)
      peer.close(window)
      let small = try await scene.source.waitFor("moved")
      #expect(try #require(small.integer("height")) < DragScene.sourceFrame.height)
      #expect(try DocumentedFields().unknown(in: small) == [])
      peer.close(window)
      let question = try await scene.source.waitFor("question")
      #expect(question.strings("answers") == ["Stop", "Go On"])
      #expect(try DocumentedFields().unknown(in: question) == [])
      try scene.type(stops ? "s" : "Escape", into: window)
      #expect(try await scene.source.waitFor("answer").string("answer") == (stops ? "Stop" : "Go On"))
      if stops {
        #expect(try await scene.source.exit() == .exited(2))
        try writer.close()
      } else {
        try writer.write(contentsOf: Data("late".utf8))
        try writer.close()
        #expect(try await scene.target.waitFor("data").integer("bytes") == 4)
        #expect(try await scene.source.exit() == .exited(0))
      }
    }
  }

  @Test func `a closed window waits for a target that asks`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--grace", "0.1", "--text", "words"], probe: ["--confirm"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("question")
      try XlibPeer(server).close(try #require(scene.source.printed("ready").first?.integer("window")))
      try await scene.source.waitFor("moved")
      try scene.type("a", into: try #require(scene.target.printed("ready").first?.integer("window")))
      #expect(try await scene.source.exit() == .exited(0))
    }
  }

  @Test func `a closed standard output does not become the connection to the server`() async throws {
    try await XServer.with { server in
      let (probe, window) = try await server.launchTarget(["--accept", "a/b"])
      defer { probe.kill() }
      for tool in [Tool.source, .probe] {
        let other = try BuiltProducts.executable(tool.rawValue)
        let link = #"readlink /proc/$PPID/fd/1 >&2; echo x"#
        if tool == .source {
          let source = try server.launch(
            "/bin/sh", ["-c", #"exec "$0" "$@" 0<&- 1>&-"#, other, "--to", "\(window)", "--type", "a/b=!\(link)"])
          #expect(try await source.exit() == .exited(0))
          #expect(source.errors.text == "/dev/null\n")
        } else {
          // What is dropped cannot be printed, and that is said.
          let second = try server.launch(
            "/bin/sh", ["-c", #"exec "$0" "$@" 0<&- 2>&1 1>&-"#, other, "--json", "--print", "text", "--once"])
          let ready = JSONLine(try await second.waitForLine { JSONLine($0)?.event == "ready" })
          let source = try server.launchBareSource(["--to", "\(try #require(ready?.integer("window")))", "--text", "x"])
          #expect(try await source.exit() == .exited(0))
          #expect(try await second.exit() == .exited(6))
          #expect(second.output.text.contains("cannot write to standard output"))
        }
      }
    }
  }

  @Test func `a window that is moved says where it is, and its rows`() async throws {
    try await XServer.with { server in
      let (probe, window) = try await server.launchTarget()
      let source = try server.launchBareSource(["--text", "x", "--geometry", "300x300+60+60"])
      let before = try await source.waitFor("ready")
      let peer = try XlibPeer(server)
      for window in [window, try #require(before.integer("window"))] {
        XMoveWindow(peer.display, UInt(window), 200, 150)
      }
      peer.sync()
      let moved = try await source.waitFor("moved")
      #expect(moved.integer("x") == 200 && moved.integer("y") == 150)
      let rows = [before, moved].map { $0.objects("rows")?.first?.point }
      #expect(rows[1]?.x == rows[0].map { $0.x + 140 } && rows[1]?.y == rows[0].map { $0.y + 90 })
      let other = try await probe.waitFor("moved")
      #expect(other.integer("x") == 200)
      #expect(try DocumentedFields().unknown(in: other) == [])
    }
  }

  @Test func `a window that is mapped anew is not ready again`() async throws {
    try await XServer.with { server in
      let (probe, window) = try await server.launchTarget()
      let source = try server.launchBareSource(["--text", "x"])
      let windows = [window, try #require(try await source.waitFor("ready").integer("window"))]
      let peer = try XlibPeer(server)
      for window in windows {
        // A window manager that starts later does this: the server maps windows again that are put into a frame.
        XUnmapWindow(peer.display, UInt(window))
        XMoveWindow(peer.display, UInt(window), 200, 150)
        XMapWindow(peer.display, UInt(window))
      }
      peer.sync()
      for tool in [probe, source] {
        #expect(try await tool.waitFor("moved").integer("x") == 200)
        #expect(tool.printed("ready").count == 1)
      }
    }
  }

  @Test func `a window that is closed during a transfer waits for it, too`() async throws {
    try await XServer.with { server in
      let pipe = server.directory("pipe")
      #expect(mkfifo(pipe, 0o600) == 0)
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=!cat '\(pipe)'"], probe: ["--accept", "a/b"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.source.waitFor("drop-sent")
      let window = try #require(scene.source.printed("ready").first?.integer("window"))
      try XlibPeer(server).close(window)
      let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
      try writer.write(contentsOf: Data("late".utf8))
      try writer.close()
      #expect(try await scene.target.waitFor("data").integer("bytes") == 4)
      #expect(try await scene.source.exit() == .exited(0))
    }
  }
}
