import Foundation
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-source FILE`: a file is a file first, and its content comes behind it.
@Suite("What files offer", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ClippingOfferTests {
  struct File: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// What is in it, in this order; others may be behind.
    let content: [String]
    let missing: [String]

    init(_ name: String, _ text: String, _ content: [String], without missing: [String] = []) {
      (self.name, bytes, self.content, self.missing) = (name, Array(text.utf8), content, missing)
    }

    var testDescription: String { name }
  }

  static let text = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]

  static let files = [
    File("note.txt", "Grüße", text, without: ["application/octet-stream", "XdndDirectSave0"]),
    File("page.html", "<p>x</p>", ["text/html"] + text),
    File(
      "link.desktop", "[Desktop Entry]\nType=Link\nName=x\nURL=https://example.org/\n",
      ["text/x-moz-url", "_NETSCAPE_URL"] + text + ["application/x-desktop"]),
    File(
      "program.desktop", "[Desktop Entry]\nType=Application\nName=x\nExec=true\n", ["application/x-desktop"],
      without: ["text/x-moz-url"]),
    File("link.url", "[InternetShortcut]\r\nURL=https://example.org/\r\n", ["text/x-moz-url"] + text),
    File("sky.gpl", "GIMP Palette\nName: x\n#\n 53 132 228 sky\n", ["application/x-color"] + text),
    File("photo.png", "no picture", ["image/png"], without: ["text/plain"]),
    File("x.unknown-extension", "x", [], without: ["text/plain", "XdndDirectSave0"]),
    File(
      "long.txt", String(repeating: "0123456\n", count: 1 << 18), ["text/plain"], without: ["UTF8_STRING"]),
  ]

  /// The types that a drag of the heading offers, best first: of everything that there is.
  private static func offered(_ arguments: [String], on server: XServer) async throws -> [String] {
    let source = try server.launchSource(DragScene.sourceGeometry, ["--once", "--all"] + arguments)
    let heading = try await DragScene.heading(of: source.waitFor("ready", timeout: .seconds(60)).frame)
    let pointer = try Pointer(server)
    try await pointer.drag(along: [heading, DragScene.nowhere])
    let types = try await source.waitFor("drag-began").strings("types")
    try pointer.tap(key: "Escape")
    _ = try await source.exit()
    pointer.release()
    return try #require(types)
  }

  @Test func `a file offers itself first, whatever is in it, and its content behind it`() async throws {
    try await XServer.with { server in
      for file in Self.files {
        let types = try await Self.offered([server.directory.write(file.bytes, to: file.name)], on: server)
        let expected = ["text/uri-list"] + file.content
        #expect(types.filter(expected.contains) == expected, "\(file.name): \(types)")
        #expect(types.first == "text/uri-list", "\(file.name): \(types)")
        #expect(Set(types).count == types.count, "\(file.name): \(types)")
        #expect(types.filter(file.missing.contains) == [], "\(file.name): \(types)")
      }
    }
  }

  @Test func `with content first, it comes before the file, however large it is`() async throws {
    try await XServer.with { server in
      for file in Self.files where !file.content.isEmpty {
        let path = try server.directory.write(file.bytes, to: file.name)
        let types = try await Self.offered(["--content-first", path], on: server)
        #expect(types.first == file.content.first, "\(file.name): \(types)")
        #expect(types.contains("text/uri-list"), "\(file.name): \(types)")
      }
    }
  }

  @Test(arguments: [[], ["--content-first"]])
  func `several files offer themselves, and never their content joined`(_ options: [String]) async throws {
    try await XServer.with { server in
      let paths = try (1...4).map { try server.directory.write("text \($0)".utf8, to: "\($0).txt") }
      #expect(try await Self.offered(options + paths, on: server) == ["text/uri-list"])
    }
  }

  @Test func `exactly a file is its URI and nothing else`() async throws {
    try await XServer.with { server in
      let path = try server.directory.write("text".utf8, to: "note.txt")
      #expect(try await Self.offered(["--exact", path], on: server) == ["text/uri-list"])
    }
  }

  @Test func `a clipping that the probe has saved offers its content first, and a copy of it is a file`() async throws {
    try await XServer.with { server in
      let directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      for options in [["--text", "Hello"], ["--exact", "--text", "Other"]] {
        let scene = try await DragScene.tools(
          on: server, source: ["--once"] + options, probe: ["--once", "--save", directory])
        try await scene.dragAndDrop()
        let saved = try #require(try await scene.target.waitFor("saved").string("path"))
        #expect(try await scene.target.exit() == .exited(0))
        #expect(try await scene.source.exit() == .exited(0))
        let types = try await Self.offered([saved], on: server)
        #expect(Array(types.prefix(Self.text.count)) == Self.text, "\(options): \(types)")
        #expect(types.contains("text/uri-list"))
        let copy = server.directory("\(options.count).txt")
        try Data(contentsOf: URL(fileURLWithPath: saved)).write(to: URL(fileURLWithPath: copy))
        #expect(try await Self.offered([copy], on: server).first == "text/uri-list")
      }
    }
  }

  @Test func `a directory offers nothing but itself`() async throws {
    try await XServer.with { server in
      let path = server.directory("folder.txt")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(try await Self.offered([path], on: server) == ["text/uri-list"])
    }
  }
}
