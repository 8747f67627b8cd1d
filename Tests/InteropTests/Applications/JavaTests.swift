import Foundation
import TestSupport
import Testing
import XDnD

extension ApplicationTests {
  /// Java's own drag and drop, with text in a Swing window.
  @Suite("Drags between the tools and Java", .serialized, .requiresXvfb, .requiresOpenbox, .requiresJava)
  struct JavaTests {
    @Test func `text out of Java is saved as text, not as a serialized object`() async throws {
      let text = "Hello Grüße"
      try await Self.saveOut(of: "text", text) { line, content in
        #expect(content == text)
        #expect(line.string("path")?.hasSuffix(".txt") == true)
      }
    }

    @Test func `HTML out of Java, which says its encoding in the type, is saved as HTML that browsers read`()
      async throws
    {
      try await Self.saveOut(of: "html", "<b>Hello</b>") { line, content in
        #expect(content.contains("<b>") && content.contains("Hello"))
        #expect(line.string("path")?.hasSuffix(".html") == true)
      }
    }

    @Test func `HTML out of Java is shown`() async throws {
      try await Self.with("html", "<b>Hello</b>") { server, peer, place in
        let probe = try await Self.dragOut(from: place, on: server, onto: [])
        let data = try #require(probe.printed("data").first)
        #expect(data.string("type")?.hasPrefix("text/html") == true)
        #expect(data.string("text")?.contains("<b>") == true)
      }
    }

    @Test func `long text that is dropped on Java arrives whole, and the source says that it sent it`() async throws {
      let directory = try TemporaryDirectory("content")
      let length = 300_000
      let file = try directory.write(Array(repeating: UInt8(ascii: "a"), count: length), to: "long")
      try await Self.with("text", "Hello") { server, peer, place in
        let source = try server.launchSource(PeerStage.left, ["--once", "--type", "text/plain=@\(file)"])
        let pointer = try Pointer(server)
        try await pointer.drag(along: [try await DragScene.readyPoint(of: source), place])
        defer { pointer.release() }
        try await pointer.hover { try await source.awaitSteadyAcceptance() }
        pointer.release()
        #expect(try await source.exit() == .exited(0))
        #expect(source.sentTypes == ["text/plain"])
        let drop = try await peer.waitFor("drop")
        #expect(drop.integer("length") == length)
      }
    }

    /// Runs `body` with a window of Java with selected text in it, and a place on that text.
    private static func with(
      _ kind: String, _ text: String, _ body: (XServer, ChildProcess, Point) async throws -> Void
    ) async throws {
      let program = BuiltProducts.package.appendingPathComponent("Tests/Peers/JavaPeer.java").path
      try await XServer.with(windowManager: .openbox) { server in
        let peer = try server.launch("java", [program, kind, "--geometry", PeerStage.right, "--text", text])
        let ready = try await peer.waitFor("ready", timeout: .seconds(60))
        let x = try #require(ready.integer("text-x"))
        let y = try #require(ready.integer("text-y"))
        do { try await body(server, peer, Point(x: x + 1, y: y)) } catch { throw peer.failure("\(error)") }
        peer.kill()
        _ = try await peer.exit()
      }
    }

    /// Drags the text onto a probe that saves, and gives what that said and the file as UTF-8.
    private static func saveOut(
      of kind: String, _ text: String, _ check: (_ line: JSONLine, _ content: String) throws -> Void
    ) async throws {
      let directory = try TemporaryDirectory("saved")
      try await with(kind, text) { server, _, place in
        let probe = try await dragOut(from: place, on: server, onto: ["--save", directory.path])
        let line = try #require(probe.printed("saved").first)
        let bytes = try #require(line.string("path").flatMap { FileManager.default.contents(atPath: $0) })
        try check(line, try #require(String(bytes: bytes, encoding: .utf8), "\(Array(bytes.prefix(100)))"))
      }
    }

    private static func dragOut(
      from place: Point, on server: XServer, onto arguments: [String]
    ) async throws -> ChildProcess {
      try await server.dragOut(with: Pointer(server), from: place, onto: arguments)
    }
  }
}
