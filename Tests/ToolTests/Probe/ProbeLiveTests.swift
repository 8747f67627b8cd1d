import Foundation
import TestSupport
import Testing

@testable import XDnD

/// What the window of the probe says about a drag, and shows of what was dropped.
@Suite("What xdnd-probe shows", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeLiveTests {
  @Test func `a drag is from a program with a name and a process`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x"])
      try await scene.carryUntilAccepted()
      let entered = try await scene.target.waitFor("entered")
      #expect(entered.string("program") == "xdnd-source")
      #expect(entered.integer("pid") == Int(scene.source.pid))
      #expect(entered.boolean("own") == nil)
      scene.pointer.release()
      try await scene.source.waitFor("ended")
    }
  }

  @Test func `a drag out of the window itself is called its own`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--once", "--text", "x"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let row = try #require(try await scene.target.waitFor("draggable").objects("rows")?.first)
      let start = Point(x: try #require(row.integer("x")), y: try #require(row.integer("y")))
      try await scene.pointer.drag(along: [start, Point(x: start.x, y: start.y + 60)])
      try await scene.target.waitFor("drag-began")
      let entered = try await scene.target.waitFor("entered")
      #expect(entered.boolean("own") == true)
      #expect(entered.integer("pid") == Int(scene.target.pid))
      scene.pointer.release()
      try await scene.target.waitFor("ended")
    }
  }

  @Test(arguments: [
    (["--text", "some text"], "text"), (["--color", "#3584e4"], "color"), (["PICTURE"], "picture"),
    (["--type", "image/png=@PICTURE"], "picture"), (["NOTES"], "text"),
    (["--type", "text/html=<b>bold</b> text"], "styled"), (["PAGE"], "styled"),
    (["--type", "text/calendar=BEGIN:VCALENDAR\nEND:VCALENDAR\n"], "text"),
    (["--type", "message/rfc822=Subject: Lunch\n\nAt noon.\n"], "text"),
  ])
  func `what was dropped is shown when its row is chosen by key`(_ source: [String], _ kind: String) async throws {
    try await XServer.with { server in
      let picture = try server.directory.write(Array(Self.picture), to: "picture.png")
      let notes = try server.directory.write("one\ntwo\n".utf8, to: "notes.txt")
      let page = try server.directory.write("<h1>Title</h1><p>Text".utf8, to: "page.html")
      let arguments = source.map {
        $0.replacing("PICTURE", with: picture).replacing("NOTES", with: notes).replacing("PAGE", with: page)
      }
      let scene = try await DragScene.tools(on: server, source: ["--once"] + arguments)
      try await scene.pointer.drag(along: [scene.start, scene.end])
      try await scene.source.waitFor("proposal") { $0.string("operation") != nil }
      scene.pointer.release()
      try await scene.target.waitFor("ended")
      let window = try #require(scene.target.printed("ready").first?.integer("window"))
      try scene.type("Up", into: window)
      let shown = try await scene.target.waitFor("preview")
      #expect(shown.string("kind") == kind)
      let documented = try DocumentedFields()
      #expect(documented.unknown(in: shown) == [])
    }
  }

  @Test func `what has arrived is selected, in place of what was`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(on: server, source: ["--text", "x", "--timeout", "60"])
      let list = try #require(scene.target.printed("ready").first).list
      // The place of the selection's color is before the icon.
      func isSelected(_ row: JSONLine, in screenshot: Screenshot) -> Bool {
        screenshot[Point(x: list.origin.x + 12, y: row.point.y)] == Ground.selection
      }
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let first = try #require(try await scene.target.waitFor("draggable").objects("rows"))
      try await server.see("a selected row") { isSelected(first[0], in: $0) }
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let both = try #require(try await scene.target.waitFor("draggable").objects("rows"))
      #expect(both.count == 2)
      try await server.see("another selected row") { isSelected(both[0], in: $0) && !isSelected(both[1], in: $0) }
      // The user has selected nothing.
      #expect(scene.target.printed("preview").isEmpty)
    }
  }

  @Test func `the row of HTML has its text, without markup`() async throws {
    try await XServer.with { server in
      let page = "<title>x</title><style>b{}</style><p><b>Important</b> &amp; new</p><p>more"
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--type", "text/html=\(page)"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let rows = try #require(try await scene.target.waitFor("draggable").objects("rows"))
      #expect(rows.map { $0.string("title") } == ["Important & new"])
    }
  }

  @Test func `keys and the pointer lead from drop to drop`() async throws {
    try await XServer.with { server in
      // High enough for two rows above the preview.
      let scene = try await DragScene.set(
        on: server, source: { try server.launchSource($0, ["--text", "some text", "--timeout", "60"]) },
        target: { _ in try server.launchProbe("300x400+600+60") })
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      try await scene.target.waitFor("draggable")
      let next = try server.launchSource("300x200+60+420", ["--once", "--color", "#3584e4"])
      let start = try await DragScene.readyPoint(of: next)
      try await scene.pointer.drag(along: [start, scene.end])
      try await next.waitFor("proposal") { $0.string("operation") != nil }
      scene.pointer.release()
      let rows = try #require(try await scene.target.waitFor("draggable").objects("rows"))
      #expect(rows.map { $0.string("title") } == ["#3584e4", "some text"])
      let window = try #require(scene.target.printed("ready").first?.integer("window"))
      try scene.type("Down", into: window)
      #expect(try await scene.target.waitFor("preview").string("kind") == "text")
      try scene.type("Up", into: window)
      #expect(try await scene.target.waitFor("preview").string("kind") == "color")
      scene.pointer.move(to: Point(x: try #require(rows[1].integer("x")), y: try #require(rows[1].integer("y"))))
      scene.pointer.press()
      scene.pointer.release()
      #expect(try await scene.target.waitFor("preview").string("kind") == "text")
    }
  }

  /// One red pixel.
  private static let picture =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==") ?? Data()
}
