import TestSupport
import Testing
import XDnD

/// The toolkit programs with themselves: what fails here is not the library's fault.
@Suite(
  "The toolkit peers among themselves", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3, .requiresGTK4,
  .requiresQt5, .requiresQt6, .requiresTk, .timeLimit(.minutes(5)))
struct PeerSelfTests {
  @Test(arguments: Toolkit.allCases)
  func `a toolkit takes from itself all that it drags`(_ toolkit: Toolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let prepared = try toolkit.contents.map { ($0, try $0.prepare(in: directory, target: toolkit)) }
    try await PeerStage.perform(
      Cell.all(toolkit.contents),
      launch: { server in
        [
          try toolkit.launch("source", on: server, geometry: PeerStage.left),
          try toolkit.launch("target", on: server, geometry: PeerStage.right),
        ]
      }
    ) { stage, peers, places, cell in
      guard let content = prepared.first(where: { $0.0 == cell.content })?.1 else { return }
      var task = content.task
      task.actions = [cell.operation]
      task.take = cell.operation
      try task.post(on: stage.server)
      try await stage.pointer.drag(along: places)
      try await peers[0].waitFor("drag-begin")
      try await peers[1].waitFor("motion") { $0.string("action") == cell.operation }
      if toolkit == .tk {
        // When it tells of the next motion it has read the answer to the one before.
        stage.pointer.move(to: Point(x: places[1].x + 2, y: places[1].y))
        try await peers[1].waitFor("motion") { $0.string("action") == cell.operation }
      } else {
        try await stage.pointer.awaitCursor("dnd-\(cell.operation)")
      }
      stage.pointer.release()
      let drop = try await peers[1].waitFor("drop")
      try #require(drop.string("action") == cell.operation)
      try content.require(drop)
      let end = try await peers[0].waitFor("drag-end")
      if toolkit.tellsOutcome {
        try #require(end.string("action") == cell.operation)
        try #require(end.boolean("success") == true)
        try #require(end.boolean("deleted") == (cell.operation == "move"))
      }
    }
  }

  @Test(arguments: Toolkit.allCases)
  func `a peer ends by itself when its time is up`(_ toolkit: Toolkit) async throws {
    try await XServer.with { server in
      let late = try toolkit.launch("source", on: server, geometry: PeerStage.left, ["--timeout", "1"])
      #expect(try await late.exit() == .exited(3))
    }
  }
}
