import Foundation
import TestSupport
import Testing
import XDnD

/// What is no file yet becomes one.
extension FileManagerTests {
  @Test(arguments: FileManagerPeer.allCases)
  func `what is no file becomes one in an open folder`(_ manager: FileManagerPeer) async throws {
    let directory = try TemporaryDirectory("content")
    let contents = try PromisedContent.all(in: directory)
    try await FileManagerStage.with(manager, file: [1]) { stage in
      for content in contents {
        var worked = 0
        defer { FileManagerReport.record(manager, content.what, "`\(content.name)`", worked: worked) }
        for _ in 0..<InteropReport.rounds {
          try await stage.drop(content.arguments)
          try await stage.take(content.name, where: content.isRight)
          worked += 1
        }
      }
    }
  }
}

/// Something to drag that is no file, and the file that it should become.
private struct PromisedContent: Sendable {
  let what: String
  /// Of `xdnd-source`.
  let arguments: [String]
  let name: String
  /// Whether the file at a path is the one.
  let isRight: @Sendable (_ path: String) -> Bool

  static func all(in directory: TemporaryDirectory) throws -> [PromisedContent] {
    let pixels = Sample.noise(64 * 48 * 3)
    let picture = try directory.write(PNG.encode(width: 64, height: 48, rgb: pixels), to: "picture.png")
    // It does not arrive by chance before its last byte is there.
    let report = try directory.write(Sample.noise(64 << 20), to: "report")
    let folder = directory("photos, фото")
    try FileManager.default.createDirectory(atPath: "\(folder)/inner", withIntermediateDirectories: true)
    _ = try directory.write(Sample.noise(200_000), to: "photos, фото/inner/1.jpg")
    _ = try directory.write(Sample.noise(10), to: "photos, фото/2.jpg")
    // Names of a length after which PCManFM 1.3.2 reads on, if there is no end to read.
    return [
      PromisedContent(what: "text", arguments: ["--text", "Grüße, мир\nsecond line"], name: "Grüße, мир.txt") {
        FileManager.default.contents(atPath: $0) == Data("Grüße, мир\nsecond line".utf8)
      },
      PromisedContent(
        what: "HTML", arguments: ["--html", "<h1>A long title of HTML</h1><p>한글"], name: "A long title of HTML.html"
      ) {
        let page = FileManager.default.contents(atPath: $0).map { String(decoding: $0, as: UTF8.self) }
        return page?.contains("<h1>A long title of HTML</h1><p>한글") == true && page?.contains("utf-8") == true
      },
      PromisedContent(
        what: "link", arguments: ["--uri", "\(Sample.uri) \(Sample.title)"], name: "\(Sample.title).desktop"
      ) {
        let entry = FileManager.default.contents(atPath: $0).map { String(decoding: $0, as: UTF8.self) }
        let lines = Set(entry?.split(separator: "\n").map(String.init) ?? [])
        return lines.isSuperset(of: ["[Desktop Entry]", "Type=Link", "Name=\(Sample.title)", "URL=\(Sample.uri)"])
      },
      PromisedContent(what: "colour", arguments: ["--color", "#3584e4"], name: "#3584e4.gpl") {
        let palette = FileManager.default.contents(atPath: $0).map { String(decoding: $0, as: UTF8.self) }
        return palette?.hasPrefix("GIMP Palette\n") == true && palette?.contains("\n 53 132 228\t") == true
      },
      PromisedContent(what: "image", arguments: ["--type", "image/png=@\(picture)"], name: "picture.png") {
        FileManager.default.contentsEqual(atPath: $0, andPath: picture)
      },
      PromisedContent(
        what: "promised document of 64 MiB",
        arguments: ["--save-as", "report.bin", "--type", "application/octet-stream=@\(report)"], name: "report.bin"
      ) {
        FileManager.default.contentsEqual(atPath: $0, andPath: report)
      },
      PromisedContent(what: "promised folder", arguments: ["--promise", folder], name: "photos, фото") {
        FileManager.default.contentsEqual(atPath: $0, andPath: folder)
      },
    ]
  }
}
