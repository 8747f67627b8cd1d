import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// Our tools against real toolkits, both ways, with the real pointer under a real window manager.
///
/// Each cell runs as often as `XDND_ROUNDS` says; `scripts/interop toolkits` does so ten times and writes the results
/// into `docs/interop.md`.
@Suite(
  "Drags between the tools and real toolkits", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3,
  .requiresGTK4, .requiresQt5, .requiresQt6, .requiresTk)
struct ToolkitInteropTests {
  @Test(arguments: Toolkit.allCases)
  func `a toolkit takes all that xdnd-source drags`(_ toolkit: Toolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let prepared = try Self.prepare(toolkit.contents, in: directory, target: toolkit)
    try await PeerStage.perform(
      Cell.all(toolkit.contents),
      launch: { [try toolkit.launch("target", on: $0, geometry: PeerStage.right)] }
    ) { stage, peers, places, cell in
      guard let content = prepared[cell.content] else { return }
      var worked = 0
      defer { InteropReport.record("xdnd-source → \(toolkit.rawValue)", cell, worked: worked) }
      var task = content.task
      task.take = toolkit.hearsProposal ? nil : cell.operation
      try task.post(on: stage.server)
      let source = try content.launchSource(on: stage.server, PeerStage.left, operation: cell.operation)
      let scene = DragScene(
        server: stage.server, pointer: stage.pointer, source: source, target: peers[0],
        start: try await DragScene.readyPoint(of: source), end: places[0])
      for _ in 0..<InteropReport.rounds {
        try await scene.dragAndDropEverything()
        let drop = try await peers[0].waitFor("drop")
        try #require(drop.string("action") == cell.operation)
        try content.require(drop, isFromTool: true)
        let end = try await source.waitFor("ended")
        try #require(end.string("outcome") == "dropped")
        try #require(end.string("operation") == cell.operation)
        worked += 1
      }
      if cell.operation == "copy" {
        let asked = source.printed("sent").compactMap { $0.string("type") }
        InteropReport.record(types: asked, toolkit, .asks, cell.content)
      }
      try await Self.end(source)
    }
  }

  @Test func `GTK 4 has nothing to complain about, whatever drop follows a drop`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      try PeerTask(kind: "text", text: Sample.words).post(on: server)
      let scene = try await DragScene.set(
        on: server, source: { try server.launchSource($0, ["--text", Sample.words]) },
        target: { try Toolkit.gtk4.launch("target", on: server, geometry: $0) })
      for _ in 0..<3 {
        try await scene.dragAndDropEverything()
        try await scene.target.waitFor("drop")
        try await scene.source.waitFor("ended")
      }
      try await Self.end(scene.source)
      scene.target.send(SIGTERM)
      #expect(try await scene.target.exit() == .exited(0))
      #expect(scene.target.errors.text == "")
    }
  }

  @Test(arguments: Toolkit.allCases)
  func `xdnd-probe takes all that a toolkit drags`(_ toolkit: Toolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let prepared = try Self.prepare(toolkit.contents, in: directory)
    try await PeerStage.perform(
      // Ten seconds after a drop tkdnd ends whatever drag there is then.
      Cell.all(toolkit.contents), isRenewing: toolkit == .tk,
      launch: { [try toolkit.launch("source", on: $0, geometry: PeerStage.left)] }
    ) { stage, peers, places, cell in
      guard let content = prepared[cell.content] else { return }
      var worked = 0
      defer { InteropReport.record("\(toolkit.rawValue) → xdnd-probe", cell, worked: worked) }
      var task = content.task
      task.actions = [cell.operation]
      try task.post(on: stage.server)
      let probe = try stage.server.launchProbe(
        PeerStage.right,
        [
          "--verbose", "--checksum", "--accept", cell.content.accepted(from: toolkit), "--action", cell.operation,
          "--output",
          stage.server.directory("dropped"),
        ])
      let scene = DragScene(
        server: stage.server, pointer: stage.pointer, source: peers[0], target: probe, start: places[0],
        end: try await DragScene.readyPoint(of: probe))
      for _ in 0..<InteropReport.rounds {
        try await scene.carry()
        let begin = try await peers[0].waitFor("drag-begin")
        // Toolkits do not wait for an answer that is due when the button goes up; a hand does, when it sees it.
        try await Self.awaitAnswer(scene, toolkit, cell.operation)
        scene.pointer.release()
        try content.require(try await probe.waitFor("data"), from: toolkit, begin: begin)
        let end = try await probe.waitFor("ended")
        try #require(end.string("outcome") == "dropped")
        try #require(end.string("operation") == cell.operation)
        let told = try await peers[0].waitFor("drag-end")
        if toolkit.tellsOutcome {
          try #require(told.string("action") == cell.operation)
          try #require(told.boolean("success") == true)
          if cell.operation == "move" { try #require(told.boolean("deleted") == true) }
        }
        worked += 1
      }
      if cell.operation == "copy", let types = probe.printed("entered").first?.strings("types") {
        InteropReport.record(types: types, toolkit, .offers, cell.content)
      }
      try await Self.end(probe)
    }
  }

  /// Returns when the toolkit shows what would happen now; the cursors of tkdnd 2.6 have no names.
  private static func awaitAnswer(_ scene: DragScene, _ toolkit: Toolkit, _ operation: String) async throws {
    if toolkit == .tk {
      try await scene.target.waitFor("position") { $0.string("proposed") == operation }
      // When it tells of the next motion it has read the answer to the one before.
      scene.pointer.move(to: Point(x: scene.end.x + 2, y: scene.end.y))
      try await scene.target.waitFor("position") { $0.string("proposed") == operation }
    } else {
      try await scene.pointer.awaitCursor("dnd-\(operation)")
    }
  }

  private static func prepare(
    _ contents: [Content], in directory: TemporaryDirectory, target: Toolkit? = nil
  ) throws -> [Content: PreparedContent] {
    try contents.reduce(into: [:]) { $0[$1] = try $1.prepare(in: directory, target: target) }
  }

  private static func end(_ tool: ChildProcess) async throws {
    tool.send(SIGTERM)
    _ = try await tool.exit()
  }
}
