import Foundation
import TestSupport
import Testing
import XDnD

/// What the tools print in the course of a drag, as a whole: numbers that differ from run to run are replaced.
@Suite("What the tools print", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ToolOutputTests {
  @Test func `a drag reads as sentences`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write("first line\n".utf8, to: "a file\n.txt")
      let source = try server.launch(
        BuiltProducts.executable("xdnd-source"),
        [
          "--once", "--geometry", DragScene.sourceGeometry, "--action", "copy,move", file, "--exact", "--text",
          "Grüße\n\u{1B}[31m",
        ])
      let probe = try server.launch(
        BuiltProducts.executable("xdnd-probe"), ["--once", "--geometry", DragScene.targetGeometry, "--action", "copy"])
      try await source.waitForLine { $0 == "Ready: drag a row, or the heading for all." }
      try await probe.waitForLine { $0 == "Ready: drop on the window." }
      let pointer = try Pointer(server)
      // The heading is for all rows.
      try await pointer.drag(along: [DragScene.heading(of: DragScene.sourceFrame), DragScene.target])
      try await source.waitForLine { $0.hasSuffix("a drop would copy.") }
      pointer.release()
      #expect(try await probe.exit() == .exited(0))
      #expect(try await source.exit() == .exited(0))

      #expect(
        Self.leveled(source.output.text) == #"""
          Ready: drag a row, or the heading for all.
          Dragging a file\n.txt, Grüße \u{1B}[31m.
          Over "xdnd-probe": a drop would copy.
          Dropped to copy.
          Sent text/uri-list.
          Copied.

          """#)
      #expect(source.errors.text == "")
      // Of several rows text is offered only if all are text.
      #expect(
        Self.leveled(probe.output.text) == #"""
          Ready: drop on the window.
          Entered: xdnd-source, process P, window 0xW, XDND 5
            types: text/uri-list
            actions: copy, move
          At X,Y: requested copy, accepted as copy
          Dropped to copy; receiving text/uri-list.
          Received text/uri-list: \#(FileList(paths: [file]).encoded.count) bytes
            \#(server.directory.path)/a file\n.txt: 11 bytes
          Received.

          """#)
      #expect(probe.errors.text == "")
    }
  }

  @Test func `a drag is JSON lines, with only the fields that are documented`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write("first line\n".utf8, to: "a file\n.txt")
      let output = server.directory("out")
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--action", "copy,move", file],
        probe: ["--once", "--action", "move", "--output", output])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(0))
      #expect(try await scene.source.exit() == .exited(0))

      #expect(
        Self.leveled(scene.source.output.text) == #"""
          {"event":"ready","time":T,"window":W,"x":N,"y":N,"width":300,"height":300,"rows":[{"title":"a file\\n.txt","x":N,"y":N}]}
          {"event":"selection","time":T,"rows":[0]}
          {"event":"drag-began","time":T,"types":["text/uri-list"],"operations":["copy","move"]}
          {"event":"target","time":T,"window":W}
          {"event":"proposal","time":T,"operation":"move"}
          {"event":"drop-sent","time":T,"operation":"move"}
          {"event":"sent","time":T,"type":"text/uri-list","ok":true}
          {"event":"selection","time":T,"rows":[]}
          {"event":"ended","time":T,"outcome":"dropped","operation":"move","delete":true}

          """#)
      let uri = FileList(paths: [file]).uris[0]
      #expect(
        Self.leveled(scene.target.output.text) == #"""
          {"event":"ready","time":T,"window":W,"x":N,"y":N,"width":300,"height":300}
          {"event":"entered","time":T,"source":W,"program":"xdnd-source","pid":P,"version":5,"types":["text/uri-list"],"operations":["copy","move"]}
          {"event":"position","time":T,"x":N,"y":N,"requested":"copy","proposed":"move"}
          {"event":"dropped","time":T,"operation":"move","type":"text/uri-list"}
          {"event":"data","time":T,"type":"text/uri-list","property_type":"text/uri-list","bytes":\#(uri.utf8.count + 2),"files":[{"uri":"\#(uri)","path":"\#(server.directory.path)/a file\n.txt","bytes":11}],"output":"\#(output)"}
          {"event":"ended","time":T,"outcome":"dropped","operation":"move"}
          {"event":"draggable","time":T,"rows":[{"title":"a file\\n.txt","x":N,"y":N}]}

          """#)
      #expect(scene.source.errors.text + scene.target.errors.text == "")

      let documented = try DocumentedFields()
      for line in (scene.source.output.text + scene.target.output.text).split(separator: "\n") {
        let line = try #require(JSONLine(String(line)))
        #expect(documented.unknown(in: line) == [])
      }
    }
  }

  @Test func `the lines of all other ends are documented too`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--text", "x", "--timeout", "60", "--action", "copy,ask"],
        probe: ["--verbose", "--accept", "a/b"])
      try await scene.carry()
      try await scene.source.waitFor("drag-began")
      // Who leaves before the target has read its lists was never there.
      try await scene.target.waitFor("entered")
      try scene.pointer.tap(key: "Escape")
      try await scene.source.waitFor("ended")
      scene.pointer.release()
      try await scene.target.waitFor("left")
      try await scene.dragAndDrop()
      try await scene.source.waitFor("ended")
      try await scene.target.waitFor("left")
      let lines = (scene.source.output.text + scene.target.output.text).split(separator: "\n")
      let documented = try DocumentedFields()
      for line in lines {
        let line = try #require(JSONLine(String(line)))
        #expect(documented.unknown(in: line) == [])
      }
      let entered = try #require(scene.target.printed("entered").first)
      #expect(entered.strings("descriptions") == ["copy", "ask"])
      #expect(scene.source.printed("ended").map { $0.string("outcome") } == ["cancelled", "refused"])
      #expect(scene.source.printed("ended").map { $0.string("reason") } == ["escape", nil])
      #expect(scene.target.printed("left").map { $0.string("reason") } == ["left", "left"])
      #expect(scene.target.printed("position").allSatisfy { $0.string("proposed") == nil })
    }
  }

  @Test(arguments: Tool.allCases)
  func `a reader that goes away ends neither the drag nor the tool`(_ early: Tool) async throws {
    try await XServer.with { server in
      func launch(_ tool: Tool, _ geometry: String, _ arguments: [String]) throws -> ChildProcess {
        let path = try BuiltProducts.executable(tool.rawValue)
        let arguments = ["--json", "--once", "--geometry", geometry] + arguments
        guard tool == early else { return try server.launch(path, arguments) }
        return try server.launch("bash", ["-c", #"set -o pipefail; "$0" "$@" | head -1"#, path] + arguments)
      }
      let scene = try await DragScene.set(
        on: server, source: { try launch(.source, $0, ["--text", "x"]) }, target: { try launch(.probe, $0, []) })
      try await scene.carry()
      try await scene.pointer.awaitCursor("dnd-copy")
      scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(0))
      #expect(try await scene.target.exit() == .exited(0))
      let lines = (early == .source ? scene.source : scene.target).output.text.split(separator: "\n")
      #expect(lines.count == 1)
    }
  }

  /// The text with all that differs from run to run replaced.
  private static func leveled(_ text: String) -> String {
    text
      // Not in the name of a directory, which may be any letters.
      .replacing(/window 0x[0-9a-f]+/, with: "window 0xW")
      .replacing(/At [^:]+:/, with: "At X,Y:")
      .replacing(/"pid":[0-9]+/, with: #""pid":P"#)
      .replacing(/process [0-9]+/, with: "process P")
      .replacing(/"time":[0-9.e-]+/, with: #""time":T"#)
      .replacing(/"(window|source)":[0-9]+/) { #""\#($0.1)":W"# }
      .replacing(/"(x|y)":-?[0-9]+/) { #""\#($0.1)":N"# }
  }
}

/// The fields that `docs/json-lines.md` knows, by event.
struct DocumentedFields {
  private var fields: [String: Set<String>] = [:]

  init() throws {
    let page = BuiltProducts.package.appendingPathComponent("docs/json-lines.md")
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count > 3, let event = Self.words(in: cells[1]).first else { continue }
      fields[event, default: []].formUnion(Self.words(in: cells[2]))
    }
  }

  /// What a line has and the page does not; also the event, if the page does not know that.
  func unknown(in line: JSONLine) -> Set<String> {
    guard let known = fields[line.event] else { return [line.event] }
    return line.names.subtracting(known).subtracting(["event", "time"])
  }

  private static func words(in cell: Substring) -> [String] {
    cell.matches(of: /`([a-z0-9_-]+)`/).map { String($0.1) }
  }
}
