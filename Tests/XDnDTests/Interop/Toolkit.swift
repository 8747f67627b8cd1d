import Foundation
import Testing
import ToolWindow

/// A toolkit of others, and the peer program that speaks for it.
enum Toolkit: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case gtk3 = "GTK 3"
  case qt5 = "Qt 5"

  var testDescription: String { rawValue }

  private var script: String {
    switch self {
    case .gtk3: "gtk3_peer.py"
    case .qt5: "qt5_peer.py"
    }
  }

  /// Starts the peer as `source` or `target`.
  func launch(_ role: String, on server: XvfbServer, _ arguments: [String]) throws -> ChildProcess {
    let path = BuiltProducts.package.appendingPathComponent("Tests/Peers/\(script)").path
    return try server.launch("/usr/bin/python3", [path, role] + arguments)
  }
}

/// What is dragged in a cell of the matrix.
enum Content: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case text = "UTF-8 text"
  case files = "two files"
  case png = "PNG"
  case blob = "8 MiB"

  var testDescription: String { rawValue }

  static let blobType = "application/x-xdnd-blob"
  static let sample = "Grüße, мир — 안녕 🙂 \u{5E9}\u{5DC}\u{5D5}\u{5DD}"

  /// The arguments of `xdnd-source` and of the peers for this content, and what must arrive.
  func prepare(in directory: String) throws -> PreparedContent {
    func file(_ name: String, _ bytes: Data) throws -> String {
      let path = directory + "/" + name
      try bytes.write(to: URL(fileURLWithPath: path))
      return path
    }
    switch self {
    case .text:
      return PreparedContent(
        toolArguments: ["--text", Self.sample], peerArguments: ["--text", Self.sample], bytes: Data(Self.sample.utf8))
    case .files:
      let paths = [
        try file("a file with spaces.txt", Data("one".utf8)), try file("Файл №2.txt", Data("two".utf8)),
      ]
      return PreparedContent(toolArguments: paths, peerArguments: ["--uris"] + paths, paths: paths)
    case .png:
      let pixels = (0..<64 * 48 * 3).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let bytes = Data(PNG.encode(width: 64, height: 48, rgb: pixels))
      let path = try file("picture.png", bytes)
      return PreparedContent(
        toolArguments: ["--type", "image/png=@\(path)"], peerArguments: ["--png", path], bytes: bytes)
    case .blob:
      var generator = SystemRandomNumberGenerator()
      let words = (0..<(1 << 20)).map { _ in generator.next() }
      let bytes = words.withUnsafeBytes { Data($0) }
      let path = try file("blob.bin", bytes)
      return PreparedContent(
        toolArguments: ["--type", "\(Self.blobType)=@\(path)"], peerArguments: ["--blob", Self.blobType, path],
        bytes: bytes)
    }
  }

  /// What the probe is told to take.
  var acceptedTypes: String {
    switch self {
    case .text: "text/plain"
    case .files: "text/uri-list"
    case .png: "image/png"
    case .blob: Self.blobType
    }
  }

  /// What a peer is told to take; it knows by itself how its toolkit calls text.
  var peerAcceptance: [String] { self == .text ? [] : ["--accept", acceptedTypes] }
}

/// Content on disk, ready to be dragged.
struct PreparedContent {
  var toolArguments: [String]
  var peerArguments: [String]
  /// What must arrive, if it is bytes.
  var bytes: Data?
  /// What must arrive, if it is files.
  var paths: [String] = []

  /// Checks what a target says has arrived.
  func expectArrival(_ line: JSONLine, sourceLocation: SourceLocation = #_sourceLocation) {
    if let bytes {
      var checksum = SHA256()
      bytes.withUnsafeBytes { checksum.update($0) }
      #expect(line.integer("bytes") == bytes.count, sourceLocation: sourceLocation)
      #expect(line.string("sha256") == checksum.hexDigest, sourceLocation: sourceLocation)
    } else {
      let arrived = line.strings("paths") ?? line.objects("files")?.compactMap { $0.string("path") }
      #expect(arrived == paths, sourceLocation: sourceLocation)
    }
  }
}
