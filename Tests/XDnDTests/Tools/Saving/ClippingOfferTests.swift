import Foundation
import Testing

@testable import XDnD

/// `xdnd-source CLIPPING`: what a file offers that holds a text, a page, a link, a colour or a picture.
@Suite("What files offer", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ClippingOfferTests {
  struct File: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// In this order; others may be behind.
    let types: [String]
    let missing: [String]

    init(_ name: String, _ text: String, _ types: [String], without missing: [String] = []) {
      (self.name, bytes, self.types, self.missing) = (name, Array(text.utf8), types, missing)
    }

    var testDescription: String { name }
  }

  static let text = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]

  static let files = [
    File("note.txt", "Grüße", text + ["text/uri-list"], without: ["application/octet-stream", "XdndDirectSave0"]),
    File("page.html", "<p>x</p>", ["text/html"] + text + ["text/uri-list"]),
    File(
      "link.desktop", "[Desktop Entry]\nType=Link\nName=x\nURL=https://example.org/\n",
      ["text/x-moz-url", "_NETSCAPE_URL"] + text + ["text/uri-list", "application/x-desktop"]),
    File(
      "program.desktop", "[Desktop Entry]\nType=Application\nName=x\nExec=true\n",
      ["text/uri-list", "application/x-desktop"], without: ["text/x-moz-url"]),
    File(
      "link.url", "[InternetShortcut]\r\nURL=https://example.org/\r\n", ["text/x-moz-url"] + text + ["text/uri-list"]),
    File(
      "sky.gpl", "GIMP Palette\nName: x\n#\n 53 132 228 sky\n", ["application/x-color"] + text + ["text/uri-list"]),
    File("photo.png", "no picture", ["image/png", "text/uri-list"], without: ["text/plain"]),
    File("x.unknown-extension", "x", ["text/uri-list"], without: ["text/plain", "XdndDirectSave0"]),
    File(
      "long.txt", String(repeating: "0123456\n", count: 1 << 18), ["text/uri-list", "text/plain"],
      without: ["UTF8_STRING"]),
  ]

  /// The types that a drag of a file offers, best first.
  private static func offered(_ path: String, on server: XvfbServer) async throws -> [String] {
    let source = try server.launchSource("300x300+60+60", ["--once", path])
    let start = try await DragScene.readyPoint(of: source)
    let pointer = try Pointer(server)
    try await pointer.drag(along: [start, DragScene.nowhere])
    let types = try await source.waitFor("drag-began").strings("types")
    try pointer.tap(key: "Escape")
    _ = try await source.exit()
    pointer.release()
    return try #require(types)
  }

  @Test func `a clipping offers its content before the file, and other files the file before their content`()
    async throws
  {
    try await XvfbServer.with { server in
      for file in Self.files {
        let types = try await Self.offered(server.directory.write(file.bytes, to: file.name), on: server)
        #expect(types.filter(file.types.contains) == file.types, "\(file.name): \(types)")
        #expect(types.first == file.types.first, "\(file.name): \(types)")
        #expect(Set(types).count == types.count, "\(file.name): \(types)")
        #expect(types.filter(file.missing.contains) == [], "\(file.name): \(types)")
      }
    }
  }

  @Test func `a directory offers nothing but itself`() async throws {
    try await XvfbServer.with { server in
      let path = server.directory("folder.txt")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(try await Self.offered(path, on: server) == ["text/uri-list"])
    }
  }
}
