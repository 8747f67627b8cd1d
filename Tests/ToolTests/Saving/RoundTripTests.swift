import Foundation
import TestSupport
import Testing

@testable import XDnD

/// What was dropped on a directory and is dragged out of it again is what it was.
@Suite("Clippings there and back", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct RoundTripTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// For `xdnd-source`, with `FILE` for a file of `bytes`.
    let source: [String]
    var bytes: [UInt8] = []
    var probe: [String] = []
    /// What is asked for afterwards.
    let type: String
    /// The extension of the clipping.
    let suffix: String
    /// Whether the file is a document, whose content is offered only if the user says so. The probe takes for one also
    /// what the source names after a file.
    func isDocument(by maker: Maker) -> Bool {
      ["image/png", "application/pdf"].contains(type) || maker == .probe && type == "text/csv"
    }
    /// The field of the probe's line that says what it is, besides the bytes.
    var field: String?
  }

  static let samples: [Sample] = [
    text("a line", "Just a line."), text("emoji", "🦊👩‍👩‍👧‍👦 and 👍🏽"), text("right to left", "שלום עולם, مرحبا"),
    text("lines as DOS ends them", "one\r\ntwo\r\n"), text("lines as Unix ends them", "one\ntwo\n\n"),
    text("a byte order mark", "\u{FEFF}text"), text("spaces", "   "),
    text("what looks like a link", "https://example.org/"),
    text("what looks like a desktop file", "[Desktop Entry]\nType=Application\nExec=xeyes\n"),
    html("a page", "<p>Grüße, <b>fett</b> &amp; <i>🦊</i></p>"),
    html("a whole page", "<!DOCTYPE html><html><head><title>T & ü</title></head><body><p>x</p></body></html>"),
    html("a page with a wrong charset", "<meta charset=\"iso-8859-1\"><p>żółć</p>"),
    link("a link as .desktop", "desktop"), link("a link as .url", "url"),
    Sample(
      testDescription: "an opaque colour", source: ["--color", "#3584e4"], type: "application/x-color", suffix: "gpl",
      field: "color"),
    Sample(
      testDescription: "a colour with alpha", source: ["--color", "#3584e480"], type: "application/x-color",
      suffix: "gpl", field: "color"),
    color("a colour of 16 bits a channel", [0x1234, 0xFFFE, 0x0001, 0x7FFF]),
    Sample(
      testDescription: "a picture", source: ["--type", "image/png=@FILE"],
      bytes: PNG.encode(width: 2, height: 1, rgb: [1, 2, 3, 4, 5, 6]),
      type: "image/png", suffix: "png"),
    Sample(
      testDescription: "a table", source: ["--type", "text/csv=@FILE"], bytes: Array("a;b\r\n\"ü\";1\r\n".utf8),
      type: "text/csv", suffix: "csv"),
    Sample(
      testDescription: "a document", source: ["--type", "application/pdf=@FILE"],
      bytes: Array("%PDF-1.7\n".utf8) + (0..<1000).map { UInt8($0 % 256) }, type: "application/pdf", suffix: "pdf"),
  ]

  private static func text(_ what: String, _ text: String) -> Sample {
    Sample(
      testDescription: "text: \(what)", source: ["--text", text], type: "text/plain", suffix: "txt", field: "text")
  }

  private static func html(_ what: String, _ html: String) -> Sample {
    Sample(testDescription: what, source: ["--html", html], type: "text/html", suffix: "html", field: "text")
  }

  private static func link(_ what: String, _ suffix: String) -> Sample {
    Sample(
      testDescription: what,
      source: ["--uri", "https://example.org/a%20b?c=d&e=[1];x=%25#f Ein “Titel”; mit = und \\ 🦊"],
      probe: suffix == "url" ? ["--url-files"] : [], type: "text/x-moz-url", suffix: suffix, field: "links")
  }

  private static func color(_ what: String, _ units: [UInt16]) -> Sample {
    let bytes = units.flatMap { unit in withUnsafeBytes(of: unit) { Array($0) } }
    return Sample(
      testDescription: what, source: ["--type", "application/x-color=@FILE"], bytes: bytes, type: "application/x-color",
      suffix: "gpl", field: "color")
  }

  /// A clipping is made by the source, which is told where to, or by who gets the content.
  enum Maker: CaseIterable { case source, probe }

  /// Raw colours have no file type of their own: a source that has nothing else promises bytes.
  static let trips = samples.flatMap { sample in
    Maker.allCases.filter { $0 == .probe || sample.type != "application/x-color" || sample.bytes.isEmpty }
      .map { (sample, $0) }
  }

  @Test(arguments: trips)
  func `a clipping is the same when it is dragged again:`(_ sample: Sample, _ maker: Maker) async throws {
    try await XServer.with { server in
      let directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let file = try server.directory.write(sample.bytes, to: "sample")
      let arguments = ["--once"] + sample.source.map { $0.replacing("FILE", with: file) }

      /// What a probe gets in a drop from a source.
      func receive(_ source: [String], _ output: String) async throws -> (line: JSONLine, bytes: [UInt8]) {
        let output = server.directory(output)
        let scene = try await DragScene.tools(
          on: server, source: source, probe: ["--once", "--accept", sample.type, "--output", output])
        try await scene.dragAndDrop()
        let data = try await scene.target.waitFor("data")
        #expect(try await scene.target.exit() == .exited(0))
        #expect(try await scene.source.exit() == .exited(0))
        return (data, Array(try #require(FileManager.default.contents(atPath: output))))
      }

      let direct = try await receive(arguments, "direct")
      let scene = try await DragScene.tools(
        on: server, source: arguments,
        probe: ["--once", "--save", directory] + sample.probe + (maker == .probe ? ["--accept", sample.type] : []))
      try await scene.dragAndDrop()
      let saved = try await scene.target.waitFor("saved")
      let path = try #require(saved.string("path"))
      #expect(saved.string("how") == (maker == .probe ? "clipping" : "direct-save"))
      #expect(try await scene.target.exit() == .exited(0))
      #expect(try await scene.source.exit() == .exited(0))
      // How links are saved is for the one to say that saves them.
      #expect(path.hasSuffix(maker == .source && sample.suffix == "url" ? ".desktop" : "." + sample.suffix))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory).map { "\(directory)/\($0)" } == [path])

      let again = try await receive(
        ["--once", path] + (sample.isDocument(by: maker) ? ["--content-first"] : []), "again")
      #expect(again.bytes == direct.bytes)
      if !sample.bytes.isEmpty { #expect(again.bytes == sample.bytes) }
      if let field = sample.field {
        #expect(again.line.value(of: field) == direct.line.value(of: field))
        #expect(again.line.value(of: field) != "nil")
      }
    }
  }
}

extension JSONLine {
  /// To compare: a field of whatever kind.
  fileprivate func value(of field: String) -> String {
    if let links = objects(field) {
      return "\(links.map { [$0.string("url"), $0.string("title")] })"
    }
    return string(field) ?? "nil"
  }
}
