import Foundation
import TestSupport
import Testing
import XDnD

/// What becomes of a drop that the user is asked about when it is also saved.
@Suite("Asking about what is saved", .requiresXvfb, .timeLimit(.minutes(2)))
struct AskedSavingTests {
  /// A source that asks, and a probe that saves in an empty directory.
  private struct Stage {
    let scene: DragScene
    let directory: String

    init(_ server: XServer, source: [String], probe: [String] = []) async throws {
      directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let asking = ["--action", "ask,copy,move"]
      scene = try await DragScene.tools(
        on: server, source: asking + source, probe: asking + ["--save", directory] + probe)
    }

    /// - Returns: What the user can answer.
    func drop() async throws -> [String] {
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      return try await scene.target.waitFor("question").strings("answers") ?? []
    }

    var saved: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() } }
  }

  enum Answer: String, CaseIterable { case copy = "c", move = "m", cancel = "Escape" }

  @Test(arguments: Answer.allCases)
  func `files are left alone until the user has said what to do with them`(_ answer: Answer) async throws {
    try await XServer.with { server in
      let file = try server.directory.write("new".utf8, to: "note.txt")
      let stage = try await Stage(server, source: [file], probe: ["--once"])
      #expect(try await stage.drop() == ["Copy", "Move", "Cancel"])
      #expect(try stage.saved == [])
      try stage.scene.pointer.tap(key: answer.rawValue)
      let ended = try await stage.scene.source.waitFor("ended")
      #expect(ended.string("outcome") == (answer == .cancel ? "refused" : "dropped"))
      #expect(ended.string("operation") == ["c": "copy", "m": "move"][answer.rawValue])
      #expect(try await stage.scene.target.exit() == .exited(answer == .cancel ? 2 : 0))
      #expect(try stage.saved == (answer == .cancel ? [] : ["note.txt"]))
      #expect(FileManager.default.fileExists(atPath: file) == (answer != .move))
    }
  }

  @Test(arguments: ["clipping", "direct-save"], [true, false])
  func `content is saved before the question, and Cancel takes it away again`(_ how: String, once: Bool) async throws {
    try await XServer.with { server in
      let stage = try await Stage(
        server, source: ["--text", "Hello"],
        probe: (once ? ["--once"] : []) + (how == "clipping" ? ["--accept", "text/plain"] : []))
      #expect(try await stage.drop().last == "Cancel")
      #expect(stage.scene.target.printed("saved").map { $0.string("how") } == [how])
      #expect(try stage.saved == ["Hello.txt"])
      try stage.scene.pointer.tap(key: "x")
      // A source that has saved a file has done so, whatever it is told then.
      let outcome = how == "clipping" ? "refused" : "dropped"
      #expect(try await stage.scene.source.waitFor("ended").string("outcome") == outcome)
      #expect(try await stage.scene.target.waitFor("undone").boolean("complete") == true)
      if once { #expect(try await stage.scene.target.exit() == .exited(2)) }
      #expect(try stage.saved == [])
    }
  }

  @Test func `what is saved stays when the source ends, and Cancel still takes it away`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, source: ["--text", "Hello"])
      _ = try await stage.drop()
      stage.scene.source.kill()
      try await stage.scene.target.waitFor("ended")
      #expect(try stage.saved == ["Hello.txt"])
      try stage.scene.pointer.tap(key: "x")
      #expect(try await stage.scene.target.waitFor("undone").boolean("complete") == true)
      #expect(try stage.saved == [])
    }
  }

  @Test func `Cancel while something else is being taken back comes after it`() async throws {
    try await XServer.with { server in
      let stage = try await Stage(server, source: ["--text", "Hello"])
      _ = try await stage.drop()
      // The second one has its turn when the first is answered.
      let source = try server.launchSource("300x300+60+420", ["--action", "ask,copy,move", "--text", "Hello"])
      try await stage.scene.pointer.drag(along: [try await DragScene.readyPoint(of: source), stage.scene.end])
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      stage.scene.pointer.release()
      try await stage.scene.target.waitFor("saved") { $0.string("path")?.hasSuffix("2.txt") ?? false }
      #expect(try stage.saved.count == 2)
      #expect(stage.scene.target.printed("question").count == 1)
      // Control and Z is for the last one, and the first question about the first. The probe reads both keys at once.
      try stage.scene.pointer.press(key: "Control_L")
      try stage.scene.pointer.tap(key: "z")
      try stage.scene.pointer.release(key: "Control_L")
      try stage.scene.pointer.tap(key: "x")
      for _ in 0..<2 { #expect(try await stage.scene.target.waitFor("undone").boolean("complete") == true) }
      #expect(try stage.saved == [])
    }
  }
}
