import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// `xdnd-source FILE`: a file is a file, and text beside it is its path; a clipping is content.
@Suite("What files offer", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ClippingOfferTests {
  struct File: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// What is in it, in this order.
    let content: [String]

    init(_ name: String, _ text: String, _ content: [String]) {
      (self.name, bytes, self.content) = (name, Array(text.utf8), content)
    }

    var testDescription: String { name }
  }

  static let text = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]

  static let files = [
    File("note.txt", "Grüße", text),
    File("page.html", "<p>x</p>", ["text/html"] + text),
    File(
      "link.desktop", "[Desktop Entry]\nType=Link\nName=x\nURL=https://example.org/\n",
      ["text/x-moz-url", "_NETSCAPE_URL"] + text),
    File(
      "program.desktop", "[Desktop Entry]\nType=Application\nName=x\nExec=true\n", ["application/x-desktop"]),
    File("link.url", "[InternetShortcut]\r\nURL=https://example.org/\r\n", ["text/x-moz-url"] + text),
    File("sky.gpl", "GIMP Palette\nName: x\n#\n 53 132 228 sky\n", ["application/x-color"] + text),
    File("photo.png", "no picture", ["image/png"]),
    File("x.unknown-extension", "x", ["application/octet-stream"]),
    File("long.txt", String(repeating: "0123456\n", count: 1 << 18), ["text/plain"]),
  ]

  /// Marks a file as a clipping.
  static func mark(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    ClippingMark.put(on: descriptor)
    try #require(ClippingMark.isPresent(onFileAt: Array(path.utf8)), "the file system has no extended attributes")
  }

  /// The types that a drag of the heading offers, best first: of everything that there is.
  private static func offered(_ arguments: [String], on server: XServer) async throws -> [String] {
    let source = try server.launchSource(DragScene.sourceGeometry, ["--once"] + arguments)
    let start = try await DragScene.everything(in: source.waitFor("ready", timeout: .seconds(60)))
    let pointer = try Pointer(server)
    try await pointer.drag(along: [start, DragScene.nowhere])
    let types = try await source.waitFor("drag-began").strings("types")
    try pointer.tap(key: "Escape")
    _ = try await source.exit()
    pointer.release()
    return try #require(types)
  }

  @Test func `a file offers itself and its path, and never its content`() async throws {
    try await XServer.with { server in
      for file in Self.files {
        let types = try await Self.offered([server.directory.write(file.bytes, to: file.name)], on: server)
        #expect(types == ["text/uri-list"] + Self.text, "\(file.name)")
      }
    }
  }

  @Test func `the text beside a file is its path, unless a terminal would run a part of it`() async throws {
    try await XServer.with { server in
      for name in ["a b.txt", "Grüße 👋.txt", "line\nline.txt", "bell\u{7}.txt"] {
        let path = try server.directory.write("content".utf8, to: name)
        let isOneLine = !name.unicodeScalars.contains { $0.value < 0x20 }
        let source = try server.launchCopy([path])
        let types = try #require(try await source.waitFor("copied").strings("types"))
        #expect(types.contains("UTF8_STRING") == isOneLine, "\(name): \(types)")
        guard isOneLine else { continue }
        let probe = try server.launchPaste(["--accept", "UTF8_STRING"])
        #expect(try await probe.waitFor("data").string("text") == path)
        #expect(try await probe.exit() == .exited(0))
      }
    }
  }

  @Test func `with content first, it comes before the file, however large it is`() async throws {
    try await XServer.with { server in
      for file in Self.files {
        let path = try server.directory.write(file.bytes, to: file.name)
        let types = try await Self.offered(["--content-first", path], on: server)
        #expect(types.first == file.content.first, "\(file.name): \(types)")
        #expect(types.filter(file.content.contains) == file.content, "\(file.name): \(types)")
        #expect(types.last == "text/uri-list", "\(file.name): \(types)")
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

  @Test func `a clipping that the probe has saved is offered as the text was, and a copy of it as a file`() async throws
  {
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
        #expect(try await Self.offered([saved], on: server) == ["XdndDirectSave0"] + Self.text, "\(options)")
        let copy = server.directory("\(options.count).txt")
        try Data(contentsOf: URL(fileURLWithPath: saved)).write(to: URL(fileURLWithPath: copy))
        #expect(try await Self.offered([copy], on: server).first == "text/uri-list")
      }
    }
  }

  @Test func `a marked link or colour is offered as the option would offer it, and a marked picture with its list`()
    async throws
  {
    try await XServer.with { server in
      let offers: [(name: String, options: [String], types: [String]?)] = [
        ("link.desktop", ["--uri", "https://example.org/ x"], nil), ("sky.gpl", ["--color", "#3584e4"], nil),
        ("page.html", ["--html", "<p>x</p>"], nil),
        ("photo.png", [], ["XdndDirectSave0", "image/png", "application/octet-stream", "text/uri-list"]),
      ]
      for (name, options, types) in offers {
        let file = try #require(Self.files.first { $0.name == name })
        let path = try server.directory.write(file.bytes, to: name)
        try Self.mark(path)
        var expected = types
        if expected == nil { expected = try await Self.offered(options, on: server) }
        #expect(try await Self.offered([path], on: server) == expected, "\(name)")
      }
    }
  }

  @Test func `a directory offers itself and its path`() async throws {
    try await XServer.with { server in
      let path = server.directory("folder.txt")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(try await Self.offered([path], on: server) == ["text/uri-list"] + Self.text)
    }
  }
}
