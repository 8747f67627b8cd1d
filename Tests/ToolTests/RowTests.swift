import XDnDX11
import Foundation
import TestSupport
import Testing
import XDnD

/// What the hand does in the window of `xdnd-source`, and what that drags.
@Suite("Rows, buttons and keys", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct RowTests {
  @Test func `a row drags itself, and the heading drags everything`() async throws {
    try await XServer.with { server in
      let files = try ["one", "two", "three"].map { try server.directory.write($0.utf8, to: $0) }
      let source = try server.launchSource("300x400+60+60", files + ["--text", "four"])
      let ready = try await source.waitFor("ready")
      let probe = try server.launchProbe(DragScene.targetGeometry, [])
      let end = try await DragScene.readyPoint(of: probe)
      let pointer = try Pointer(server)
      let rows = try #require(ready.objects("rows"))
      #expect(rows.map { $0.string("title") } == ["one", "two", "three", "four"])

      func drag(from start: Point) async throws -> JSONLine {
        try await pointer.drag(along: [start, end])
        try await source.waitFor("drag-began")
        pointer.release()
        try await source.waitFor("ended")
        return try await probe.waitFor("data")
      }

      for (row, file) in zip(rows, files) {
        let data = try await drag(from: row.point)
        #expect(data.objects("files")?.map { $0.string("path") } == [file])
      }
      let text = try await drag(from: rows[3].point)
      #expect(text.string("type") == "text/plain;charset=utf-8")
      #expect(text.integer("bytes") == 4)
      let all = try await drag(from: DragScene.heading(of: ready.frame))
      let paths = try #require(all.objects("files")?.compactMap { $0.string("path") })
      #expect(Array(paths.prefix(3)) == files)
      // What is no file becomes one where there are files.
      #expect(paths.count == 4)
      #expect(try String(contentsOfFile: #require(paths.last), encoding: .utf8) == "four")
      let types = try #require(source.printed("drag-began").last?.strings("types"))
      // Text that only some of the rows have is not the text of all of them.
      #expect(types == ["text/uri-list"])
    }
  }

  @Test func `a click and a small move begin nothing`() async throws {
    try await scene { scene in
      let pointer = scene.pointer
      pointer.move(to: scene.start)
      pointer.press()
      pointer.release()
      pointer.press()
      pointer.move(to: Point(x: scene.start.x + 2, y: scene.start.y))
      pointer.move(to: Point(x: scene.start.x + 2, y: scene.start.y - 1))
      pointer.release()
      // A move without a button is none.
      pointer.move(to: scene.end)
      try await scene.dragAndDrop()
      try await scene.source.waitFor("ended")
      #expect(scene.source.printed("drag-began").count == 1)
      #expect(scene.target.printed("entered").count == 1)
    }
  }

  @Test func `only the first button drags`() async throws {
    try await scene { scene in
      for button in [2, 3, 8] {
        try await scene.pointer.drag(along: [scene.start, scene.end], button: button)
        scene.pointer.release(button)
      }
      try await scene.dragAndDrop()
      try await scene.source.waitFor("ended")
      #expect(scene.source.printed("drag-began").count == 1)
      #expect(scene.target.printed("entered").count == 1)
    }
  }

  @Test func `another button changes nothing, neither before nor during a drag`() async throws {
    try await scene { scene in
      let pointer = scene.pointer
      pointer.move(to: scene.start)
      pointer.press()
      pointer.press(3)
      pointer.release(3)
      try await pointer.glide(to: scene.end)
      try await scene.source.waitFor("proposal")
      pointer.press(3)
      pointer.release(3)
      // What follows is seen by the drag, so it has not ended.
      pointer.move(to: DragScene.nowhere)
      try await scene.source.waitFor("proposal") { $0.string("operation") == nil }
      pointer.move(to: scene.end)
      try await scene.source.waitFor("proposal") { $0.string("operation") == "copy" }
      let result = try await scene.drop()
      #expect(result.source.string("outcome") == "dropped")
      #expect(scene.source.printed("drag-began").count == 1)
    }
  }

  @Test func `Escape cancels, and the next drag works`() async throws {
    try await scene { scene in
      let peer = try XlibPeer(scene.server)
      for _ in 0..<2 {
        try await scene.carryUntilAccepted()
        try scene.pointer.tap(key: "Escape")
        let end = try await scene.source.waitFor("ended")
        #expect(end.string("reason") == "escape")
        #expect(peer.isInputFree)
        scene.pointer.release()
        try await scene.target.waitFor("left")
      }
      try await scene.carryUntilAccepted()
      #expect(try await scene.drop().source.string("outcome") == "dropped")
      #expect(scene.source.printed("drag-began").count == 3)
    }
  }

  @Test func `Escape right after a drag leaves the window open, and closes it a second later`() async throws {
    try await scene { scene in
      try await scene.carryUntilAccepted()
      let start = ContinuousClock.now
      try scene.pointer.tap(key: "Escape")
      try await scene.source.waitFor("ended")
      scene.pointer.release()
      // Without a window manager, the window under the pointer gets the keys.
      scene.pointer.move(to: scene.start)
      while scene.source.isRunning {
        try scene.pointer.tap(key: "Escape")
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(ContinuousClock.now - start >= .seconds(1))
      #expect(try await scene.source.exit() == .exited(2))
    }
  }

  @Test func `q closes the window right after a drag`() async throws {
    try await scene { scene in
      try await scene.carryUntilAccepted()
      try scene.pointer.tap(key: "Escape")
      try await scene.source.waitFor("ended")
      scene.pointer.release()
      scene.pointer.move(to: scene.start)
      try scene.pointer.tap(key: "q")
      #expect(try await scene.source.exit() == .exited(2))
    }
  }

  @Test func `a button that goes up where nothing is ends the drag, and the next one works`() async throws {
    try await scene { scene in
      try await scene.carryNowhere()
      scene.pointer.release()
      #expect(try await scene.source.waitFor("ended").string("outcome") == "no-target")
      try await scene.carryUntilAccepted()
      #expect(try await scene.drop().source.string("outcome") == "dropped")
    }
  }

  // MARK: Keys and cursors

  @Test func `keys change the operation of a pointer at rest, and the cursor shows it`() async throws {
    try await scene(["--action", "copy,move,link"]) { scene in
      let pointer = scene.pointer
      try await scene.carryUntilAccepted()
      try await pointer.awaitCursor("dnd-copy")
      try pointer.press(key: "Shift_L")
      try await pointer.awaitCursor("dnd-move")
      try pointer.press(key: "Control_L")
      try await pointer.awaitCursor("dnd-link")
      try pointer.release(key: "Shift_L")
      try await pointer.awaitCursor("dnd-copy")
      try pointer.press(key: "Shift_R")
      try await pointer.awaitCursor("dnd-link")
      try pointer.release(key: "Control_L")
      try await pointer.awaitCursor("dnd-move")
      try pointer.release(key: "Shift_R")
      try await pointer.awaitCursor("dnd-copy")
      #expect(try await scene.drop().source.string("operation") == "copy")
      let proposals = scene.source.printed("proposal").map { $0.string("operation") }
      #expect(proposals == ["copy", "move", "link", "copy", "link", "move", "copy"])
    }
  }

  @Test func `the keys that are down when the button goes up decide`() async throws {
    try await scene(["--action", "copy,move,link"]) { scene in
      let pointer = scene.pointer
      // Nobody waits for an answer: the release comes at once after the key.
      try await scene.carryUntilAccepted()
      try pointer.press(key: "Shift_L")
      let move = try await scene.drop()
      #expect(move.source.string("operation") == "move")
      #expect(move.source.boolean("delete") == true)
      #expect(move.probe.string("operation") == "move")

      try await scene.carryUntilAccepted()
      try pointer.press(key: "Control_L")
      let link = try await scene.drop()
      #expect(link.source.string("operation") == "link")
      try pointer.release(key: "Control_L")

      try await scene.carryUntilAccepted()
      try pointer.release(key: "Shift_L")
      #expect(try await scene.drop().source.string("operation") == "copy")
    }
  }

  @Test func `the cursor says no where nothing can be dropped, and is the old one afterwards`() async throws {
    try await scene { scene in
      let pointer = scene.pointer
      pointer.move(to: DragScene.nowhere)
      let before = pointer.cursorName
      try await scene.carryNowhere()
      try await pointer.awaitCursor(Self.refusal)
      try await pointer.glide(to: scene.end)
      try await pointer.awaitCursor("dnd-copy")
      try await pointer.glide(to: DragScene.nowhere)
      try await pointer.awaitCursor(Self.refusal)
      pointer.release()
      try await scene.source.waitFor("ended")
      try await pointer.awaitCursor(before)
      #expect(try XlibPeer(scene.server).isInputFree)
    }
  }

  /// The first name for it that the theme has, or the first of all.
  private static let refusal: String = {
    let theme = "/usr/share/icons/DMZ-White/cursors/"
    let names = ["dnd-no-drop", "no-drop", "not-allowed", "forbidden", "crossed_circle"]
    return names.first { FileManager.default.fileExists(atPath: theme + $0) } ?? names[0]
  }()

  /// Both tools, with all operations on the probe's side and those of `source` on the other.
  private func scene(_ source: [String] = [], _ body: (DragScene) async throws -> Void) async throws {
    try await XServer.with { server in
      try await body(
        DragScene.tools(
          on: server, source: ["--text", "x"] + source,
          probe: ["--action", "copy,move,link", "--output", server.directory("out")]))
    }
  }
}
