import Foundation
import TestSupport
import Testing
import XDnDToolSupport
import XDnD

import enum TestSupport.ExitStatus

/// Drops on toolkits that know files and text only, and that look at the order of the types.
@Suite(
  "Drops on toolkits that take files and text", .serialized, .requiresXvfb, .requiresOpenbox, .requiresSDL2,
  .requiresFLTK, .requiresWx)
struct FilesAndTextTests {
  @Test(arguments: [FilesAndTextToolkit.sdl2, .wx])
  func `a file arrives as a file, whatever is in it`(_ toolkit: FilesAndTextToolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let files = try Self.files(in: directory)
    try await Self.stage(toolkit) { scene in
      for file in files {
        let (drop, end) = try await scene.drop([file])
        #expect(toolkit.files(in: drop) == [file])
        #expect(end.string("operation") == "copy")
      }
    }
  }

  @Test(arguments: FilesAndTextToolkit.allCases)
  func `several files arrive as files, and never as what is in them`(_ toolkit: FilesAndTextToolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let files = try Self.files(in: directory)
    try await Self.stage(toolkit) { scene in
      let (drop, _) = try await scene.drop(files)
      #expect(toolkit.files(in: drop) == files)
    }
  }

  @Test func `FLTK, which takes text before files, gets a file where only that is offered`() async throws {
    let directory = try TemporaryDirectory("content")
    let file = try directory.write("Hello".utf8, to: "notes.txt")
    try await Self.stage(.fltk) { scene in
      let (drop, _) = try await scene.drop(["--exact", file])
      #expect(FilesAndTextToolkit.fltk.files(in: drop) == [file])
    }
  }

  @Test(arguments: FilesAndTextToolkit.allCases)
  func `text arrives as text`(_ toolkit: FilesAndTextToolkit) async throws {
    try await Self.stage(toolkit) { scene in
      let (drop, _) = try await scene.drop(["--text", Sample.words])
      #expect(drop.string("text") == Sample.words)
    }
  }

  @Test(arguments: [FilesAndTextToolkit.sdl2, .fltk], ["move", "link"])
  func `what is offered to be moved or linked is copied by toolkits that only copy`(
    _ toolkit: FilesAndTextToolkit, _ operation: String
  ) async throws {
    try await Self.stage(toolkit) { scene in
      let (drop, end) = try await scene.drop(["--action", operation, "--text", Sample.words])
      #expect(drop.string("text") == Sample.words)
      #expect(end.string("outcome") == "dropped")
      #expect(end.string("operation") == "copy")
      #expect(end.boolean("delete") == false)
    }
  }

  @Test func `a drop that FLTK ends without having asked for anything is not called a success`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let peer = try await FilesAndTextToolkit.fltk.launch(on: server, geometry: PeerStage.right, declines: true)
      let ready = try await peer.waitFor("ready", timeout: .seconds(60))
      let window = try #require(ready.integer("window"))
      let source = try server.launch(
        BuiltProducts.executable("xdnd-source"), ["--json", "--to", String(window), "--text", "Hello"])
      let status = try await source.exit()
      try await peer.waitFor("declined")
      #expect(source.sentTypes.isEmpty)
      #expect(status == .exited(XDnDToolSupport.ExitStatus.nothingRequested.rawValue))
      let outcome = source.printed("ended").first?.string("outcome")
      #expect(outcome != nil && outcome != "dropped")
    }
  }

  /// Files that could be taken for their content.
  private static func files(in directory: TemporaryDirectory) throws -> [String] {
    let picture = PNG.encode(width: 64, height: 48, rgb: Sample.noise(64 * 48 * 3))
    return [
      try directory.write("Hello".utf8, to: "notes.txt"), try directory.write("<p>Hello".utf8, to: "page.html"),
      try directory.write("[Desktop Entry]\nType=Link\nURL=https://example.org".utf8, to: "link.desktop"),
      try directory.write(picture, to: "picture.png"),
    ]
  }

  /// A peer that serves several drops.
  private struct Scene {
    let server: XServer
    let pointer: Pointer
    let peer: ChildProcess
    let place: Point

    /// Drops all that `xdnd-source` has with these arguments.
    func drop(_ arguments: [String]) async throws -> (drop: JSONLine, end: JSONLine) {
      let source = try server.launchSource(PeerStage.left, ["--once"] + arguments)
      let start = try await DragScene.everything(in: source.waitFor("ready", timeout: .seconds(60)))
      try await pointer.drag(along: [start, place])
      defer { pointer.release() }
      try await pointer.hover { try await source.waitFor("proposal") { $0.string("operation") != nil } }
      pointer.release()
      let end = try await source.waitFor("ended")
      do { return (try await peer.waitFor("drop"), end) } catch { throw source.failure("\(error)") }
    }
  }

  private static func stage(_ toolkit: FilesAndTextToolkit, _ body: (Scene) async throws -> Void) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let peer = try await toolkit.launch(on: server, geometry: PeerStage.right)
      let place = try await DragScene.readyPoint(of: peer)
      try await body(Scene(server: server, pointer: try Pointer(server), peer: peer, place: place))
      peer.kill()
      _ = try await peer.exit()
    }
  }
}
