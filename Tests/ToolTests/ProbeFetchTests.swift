import Foundation
import Glibc
import TestSupport
import Testing

/// What `xdnd-probe` asks for, in which order, and what it says about it.
@Suite("What xdnd-probe fetches", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeFetchTests {
  private static let content = [
    "--type", "a/b=1", "--html", "<b>x</b>", "--uri", "https://example.org/ Title", "--color", "#3584e4",
  ]

  @Test func `--all fetches each type once, in the order of the offer`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: Self.content, probe: ["--all", "--once", "--accept", "text/html"])
      try await scene.carryUntilAccepted()
      let types = try #require(try await scene.target.waitFor("entered").strings("types"))
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(0))
      // The key to direct save is no content: to ask for it would have the source write a file.
      #expect(types.first == "XdndDirectSave0")
      #expect(scene.target.printed("data").map { $0.string("type") } == Array(types.dropFirst()))
      #expect(scene.source.printed("sent").map { $0.string("type") } == Array(types.dropFirst()))
      #expect(scene.target.printed("ended").map { $0.string("outcome") } == ["dropped"])
      try Self.expectDocumented(scene.target)
    }
  }

  @Test func `--all goes on after a type that is refused, and fails only if all are`() async throws {
    try await XServer.with { server in
      let source = try server.launchCopy(["--type", "a/b=!exit 3", "--type", "c/d=x", "--type", "e/f=!exit 1"])
      try await source.waitFor("copied")
      let probe = try server.launchPaste(["--all"])
      #expect(try await probe.exit() == .exited(0))
      #expect(probe.printed("data").map { $0.string("type") } == ["c/d"])
      let given = probe.printed("not-given").map { $0.string("type") }
      #expect(given == ["a/b", "e/f"])
      let next = try server.launchCopy(["--type", "a/b=!exit 3", "--type", "c/d=!exit 3"])
      try await next.waitFor("copied")
      let other = try server.launchPaste(["--all"])
      #expect(try await other.waitFor("failed").string("status") == "refused")
      #expect(try await other.exit() == .exited(1))
      try Self.expectDocumented(other)
    }
  }

  @Test func `of many types that are refused in a row most are a number`() async throws {
    try await XServer.with { server in
      let (refused, lines) = (11, 8)
      let source = try server.launchCopy(
        (0..<refused).flatMap { ["--type", "x/refused\($0)=!false"] } + ["--type", "x/given=x"])
      try await source.waitFor("copied")
      let probe = try server.launchPaste(["--all"])
      #expect(try await probe.exit() == .exited(0))
      let missed = probe.printed("not-given")
      #expect(missed.count == lines + 1)
      #expect(missed.compactMap { $0.string("type") } == (0..<lines).map { "x/refused\($0)" })
      #expect(missed.last?.integer("count") == refused - lines)
      try Self.expectDocumented(probe)
    }
  }

  @Test func `--explain says of each type whether it is taken, and why`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: Self.content, probe: ["--explain", "--accept", "x/missing,text/html,text/plain"])
      try await scene.carryUntilAccepted()
      let types = try #require(try await scene.target.waitFor("entered").strings("types"))
      let explained = try #require(try await scene.target.waitFor("explained").objects("types"))
      #expect(explained.map { $0.string("type") } == types + ["x/missing"])
      var verdicts: [String: String] = [:]
      for line in explained {
        #expect(line.names == ["type", "verdict", "reason"])
        #expect(line.string("reason")?.isEmpty == false)
        verdicts[line.string("type") ?? ""] = line.string("verdict")
      }
      #expect(verdicts["text/html"] == "taken")
      #expect(verdicts["text/plain;charset=utf-8"] == "fallback")
      #expect(verdicts["a/b"] == "not-taken")
      #expect(verdicts["x/missing"] == "not-offered")
      #expect(try await scene.drop().data.string("type") == "text/html")
      try Self.expectDocumented(scene.target)
    }
  }

  @Test func `--explain reads as sentences, with all decoded content`() async throws {
    try await XServer.with { server in
      let source = try server.launchCopy([
        "--type", "a/b=1", "--color", "#3584e4", "--uri", "https://example.org/ Title",
      ])
      try await source.waitFor("copied")
      let probe = try server.launch(
        BuiltProducts.executable("xdnd-probe"),
        ["--clipboard", "--explain", "--all", "--accept", "application/x-color,c/d"])
      #expect(try await probe.exit() == .exited(0))
      let lines = probe.output.text.split(separator: "\n").map(String.init)
      #expect(lines.contains("Choice of types:"))
      #expect(lines.contains("  a/b: not taken, because no accepted type covers it"))
      #expect(lines.contains { $0.hasPrefix("  application/x-color: taken, because it is accepted") })
      #expect(lines.contains("  c/d: not offered, and neither is a substitute"))
      #expect(lines.contains("  #3584e4"))
      #expect(lines.contains("  https://example.org/ (Title)"))
    }
  }

  @Test func `what is refused is passed over, and the next type is written to the file`() async throws {
    try await XServer.with { server in
      let output = server.directory("out")
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "a/b=!printf half; exit 3", "--type", "c/d=whole"],
        probe: ["--once", "--output", output])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(0))
      #expect(FileManager.default.contents(atPath: output) == Data("whole".utf8))
      let missed = try #require(scene.target.printed("not-given").first)
      #expect(missed.string("type") == "a/b")
      #expect(missed.string("reason")?.isEmpty == false)
      #expect(try await scene.source.waitFor("ended").string("outcome") == "dropped")
      try Self.expectDocumented(scene.target)
    }
  }

  @Test(arguments: [[], ["--save", "."]])
  func `a drag out of the archive manager Ark is refused, and the probe says why`(saving: [String]) async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server,
        source: ["--once"]
          + ["service", "path"].flatMap { ["--type", "application/x-kde-ark-dndextract-\($0)=:1.42"] },
        probe: saving.map { $0 == "." ? server.directory.path : $0 })
      try await scene.carry()
      try await scene.source.waitFor("proposal")
      let types = try await scene.target.waitFor("entered").strings("types")
      #expect(types == ["service", "path"].map { "application/x-kde-ark-dndextract-\($0)" })
      let archive = try await scene.target.waitFor("archive")
      #expect(archive.string("program") == "Ark")
      #expect(archive.string("reason")?.contains("D-Bus") == true)
      scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(1))
      #expect(scene.target.printed("saved").isEmpty && scene.target.printed("data").isEmpty)
      try Self.expectDocumented(scene.target)
    }
  }

  @Test func `if nothing is given the last reason is told, and both sides end with an error`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--once", "--type", "a/b=!exit 3", "--type", "c/d=!exit 3"], probe: ["--once"])
      try await scene.dragAndDrop()
      #expect(try await scene.target.exit() == .exited(1))
      #expect(scene.target.printed("not-given").map { $0.string("type") } == ["a/b"])
      #expect(scene.target.printed("failed").map { $0.string("status") } == ["refused"])
      #expect(scene.target.printed("ended").map { $0.string("outcome") } == ["refused"])
      #expect(try await scene.source.exit() == .exited(6))
    }
  }

  private static func expectDocumented(_ process: ChildProcess) throws {
    let documented = try DocumentedFields()
    for line in process.output.text.split(separator: "\n") {
      let line = try #require(JSONLine(String(line)))
      #expect(documented.unknown(in: line) == [])
    }
  }
}
