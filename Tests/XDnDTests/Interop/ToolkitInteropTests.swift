import Foundation
import Testing

/// Our tools against real toolkits, both ways, with the real pointer under a real window manager.
///
/// Each cell runs in one pair of windows, as often as `XDND_ROUNDS` says; `scripts/interop` does so ten times and writes
/// what came out into `docs/interop.md`.
@Suite("Drags between the tools and real toolkits", .requiresXvfb, .requiresOpenbox, .requiresGTK3, .requiresQt5)
struct ToolkitInteropTests {
  private static let rounds = ProcessInfo.processInfo.environment["XDND_ROUNDS"].flatMap(Int.init) ?? 1

  @Test(arguments: Toolkit.allCases, Content.allCases)
  func `xdnd-source copies into a toolkit`(_ toolkit: Toolkit, _ content: Content) async throws {
    try await dragOut(to: toolkit, content, operation: "copy")
  }

  @Test(arguments: Toolkit.allCases, ["move", "link"])
  func `xdnd-source moves and links into a toolkit`(_ toolkit: Toolkit, _ operation: String) async throws {
    for content in Content.allCases { try await dragOut(to: toolkit, content, operation: operation) }
  }

  @Test(arguments: Toolkit.allCases, Content.allCases)
  func `xdnd-probe takes copies from a toolkit`(_ toolkit: Toolkit, _ content: Content) async throws {
    try await dragIn(from: toolkit, content, operation: "copy")
  }

  @Test(arguments: Toolkit.allCases, ["move", "link"])
  func `xdnd-probe takes moves and links from a toolkit`(_ toolkit: Toolkit, _ operation: String) async throws {
    for content in Content.allCases { try await dragIn(from: toolkit, content, operation: operation) }
  }

  private func dragOut(to toolkit: Toolkit, _ content: Content, operation: String) async throws {
    try await XvfbServer.with(windowManager: .openbox) { server in
      let prepared = try content.prepare(in: server.directory.path)
      let scene = try await DragScene.set(
        on: server,
        source: { try server.launchSource($0, ["--action", operation] + prepared.toolArguments) },
        target: {
          try toolkit.launch(
            "target", on: server, ["--geometry", $0, "--actions", operation] + content.peerAcceptance)
        })
      for _ in 0..<Self.rounds {
        try await scene.dragAndDropEverything()
        let drop = try await scene.target.waitFor("drop")
        #expect(drop.string("action") == operation)
        prepared.expectArrival(drop)
        let end = try await scene.source.waitFor("ended")
        #expect(end.string("outcome") == "dropped")
        #expect(end.string("operation") == operation)
      }
      InteropReport.record("xdnd-source → \(toolkit.rawValue)", content, operation, rounds: Self.rounds)
    }
  }

  private func dragIn(from toolkit: Toolkit, _ content: Content, operation: String) async throws {
    try await XvfbServer.with(windowManager: .openbox) { server in
      let prepared = try content.prepare(in: server.directory.path)
      let scene = try await DragScene.set(
        on: server,
        source: {
          try toolkit.launch(
            "source", on: server, ["--geometry", $0, "--actions", operation] + prepared.peerArguments)
        },
        target: { try server.launchProbe($0, ["--accept", content.acceptedTypes, "--action", operation]) })
      for _ in 0..<Self.rounds {
        try await scene.carry()
        // Toolkits do not wait for an answer that is due when the button goes up; a hand does, when it sees it.
        try await scene.pointer.awaitCursor("dnd-\(operation)")
        scene.pointer.release()
        prepared.expectArrival(try await scene.target.waitFor("data"))
        let end = try await scene.target.waitFor("ended")
        #expect(end.string("outcome") == "dropped")
        #expect(end.string("operation") == operation)
        let told = try await scene.source.waitFor("drag-end")
        #expect(told.string("action") == operation)
        #expect(told.boolean("success") == true)
        if operation == "move" { #expect(told.boolean("deleted") == true) }
      }
      InteropReport.record("\(toolkit.rawValue) → xdnd-probe", content, operation, rounds: Self.rounds)
    }
  }
}
