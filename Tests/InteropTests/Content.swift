import Foundation
import TestSupport
import Testing

/// What is dragged in a cell of the matrix.
enum Content: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case text
  case html = "HTML"
  case link
  case color = "colour"
  /// A picture as the toolkit's own object, which it writes and reads as PNG.
  case picture
  /// The bytes of a PNG file.
  case png = "PNG"
  case files
  case blob = "8 MiB"

  var testDescription: String { rawValue }

  /// Puts on the disk what this needs, for a drag to a `target` if it is a toolkit.
  func prepare(in directory: TemporaryDirectory, target: Toolkit? = nil) throws -> PreparedContent {
    switch self {
    case .text:
      return PreparedContent(
        task: PeerTask(kind: "text", text: Sample.words), toolArguments: ["--text", Sample.words],
        digest: Digest(Array(Sample.words.utf8)))
    case .html:
      return PreparedContent(
        task: PeerTask(kind: "html", text: Sample.words, html: Sample.html),
        toolArguments: ["--html", Sample.html, "--text", Sample.words], digest: Digest(Array(Sample.html.utf8)),
        toolDigest: Digest(Array((Sample.htmlMark + Sample.html).utf8)))
    case .link:
      return PreparedContent(
        task: PeerTask(kind: "link", uri: Sample.uri, title: Sample.title),
        toolArguments: ["--uri", "\(Sample.uri) \(Sample.title)"])
    case .color:
      let bytes = Sample.color.flatMap { withUnsafeBytes(of: $0, Array.init) }
      return PreparedContent(
        task: PeerTask(kind: "color", color: Sample.color), toolArguments: ["--color", Sample.colorNotation],
        digest: Digest(bytes))
    case .picture, .png:
      let pixels = Sample.noise(64 * 48 * 3)
      let file = PNG.encode(width: 64, height: 48, rgb: pixels)
      let path = try directory.write(file, to: "picture.png")
      return PreparedContent(
        task: self == .png
          ? PeerTask(kind: "data", path: path, type: "image/png") : PeerTask(kind: "image", path: path),
        toolArguments: ["--type", "image/png=@\(path)"], digest: Digest(file), pixels: pixels)
    case .files:
      // tkdnd 2.6 takes the bytes of a name for Latin-1.
      let names = target == .tk ? Sample.names.filter { $0.allSatisfy { $0 < 0x80 } } : Sample.names
      let folder = directory("files")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let paths = names.map { Array("\(folder)/".utf8) + $0 }
      for path in paths { try Sample.makeEmptyFile(path) }
      return PreparedContent(
        task: PeerTask(kind: "files", uris: paths.map { "file://" + Sample.escaped($0) }), folder: folder, paths: paths)
    case .blob:
      let path = try directory.write(Sample.blob, to: "blob")
      return PreparedContent(
        task: PeerTask(kind: "data", path: path, type: Sample.blobType),
        toolArguments: ["--type", "\(Sample.blobType)=@\(path)"], digest: Sample.blobDigest)
    }
  }

  /// What the probe is told to take; of a link, the form that the toolkit thinks best.
  func accepted(from toolkit: Toolkit) -> String {
    switch self {
    case .text: "text/plain"
    case .html: "text/html"
    case .link:
      switch toolkit {
      case .gtk3: "_NETSCAPE_URL"
      case .gtk4: "text/x-moz-url"
      case .qt5, .qt6, .tk: "text/uri-list"
      }
    case .color: "application/x-color"
    case .picture, .png: "image/png"
    case .files: "text/uri-list"
    case .blob: Sample.blobType
    }
  }
}
