import Foundation
import TestSupport
import Testing

/// Content on disk, ready to be dragged by either side.
struct PreparedContent {
  var task: PeerTask
  /// Those of `xdnd-source`.
  var toolArguments: [String] = []
  /// All files in here are dragged.
  var folder: String?
  /// Of what is dragged, if it is bytes.
  var digest: Digest?
  /// The same of what leaves `xdnd-source`, where that is not the same.
  var toolDigest: Digest?
  /// Of a picture, three bytes for each.
  var pixels: [UInt8] = []
  /// Of files.
  var paths: [[UInt8]] = []

  /// Starts `xdnd-source` with this content; the shell names the files, for a string cannot hold all names.
  func launchSource(on server: XServer, _ geometry: String, operation: String) throws -> ChildProcess {
    guard let folder else { return try server.launchSource(geometry, ["--action", operation] + toolArguments) }
    return try server.launch(
      "bash",
      [
        "-c", #"exec "$@" "$0"/*"#, folder, BuiltProducts.executable("xdnd-source"), "--json", "--geometry", geometry,
        "--action", operation,
      ])
  }

  /// Checks what a toolkit says that it got, from its own kind or from `xdnd-source`.
  func require(_ drop: JSONLine, isFromTool: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) throws {
    switch task.kind {
    case "link":
      try #require(drop.string("uri") == task.uri, sourceLocation: sourceLocation)
      // Qt has no title in its list of addresses.
      if drop.names.contains("title") {
        try #require(drop.string("title") == task.title, sourceLocation: sourceLocation)
      }
    case "color":
      let numbers = task.color.map { $0.map(String.init).joined(separator: " ") }
      try #require(drop.string("color") == numbers, sourceLocation: sourceLocation)
    case "image":
      let opaque = stride(from: 0, to: pixels.count, by: 3).flatMap { pixels[$0..<$0 + 3] + [0xFF] }
      try #require(Digest(drop) == Digest(opaque), sourceLocation: sourceLocation)
    case "files":
      try #require(drop.strings("uris")?.map(Self.path) == paths, sourceLocation: sourceLocation)
    default:
      let digest = isFromTool ? toolDigest ?? digest : digest
      try #require(Digest(drop) == digest, sourceLocation: sourceLocation)
    }
  }

  /// Checks what `xdnd-probe` says that it got from a toolkit, or `xdnd-source` if that is `nil`, whose drag began with the
  /// line `begin`.
  func require(
    _ data: JSONLine, from toolkit: Toolkit?, begin: JSONLine, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if task.kind == "files" {
      try #require(data.objects("files")?.compactMap { $0.string("uri") }.map(Self.path) == paths)
    } else {
      try #require(Digest(data) == expected(from: toolkit, begin: begin), sourceLocation: sourceLocation)
    }
    try requireMeaning(data, sourceLocation: sourceLocation)
  }

  /// Checks what `xdnd-probe` has made of the bytes.
  private func requireMeaning(_ data: JSONLine, sourceLocation: SourceLocation) throws {
    switch task.kind {
    case "text":
      let text = data.string("text")?.replacingOccurrences(of: "\r\n", with: "\n")
      try #require(text == task.text, sourceLocation: sourceLocation)
    case "html": try #require(data.string("text") == task.html, sourceLocation: sourceLocation)
    case "link" where data.string("type") == "text/uri-list":
      let files = try #require(data.objects("files"), sourceLocation: sourceLocation)
      try #require(files.map { $0.string("uri") } == [task.uri], sourceLocation: sourceLocation)
    case "link":
      let links = try #require(data.objects("links"), sourceLocation: sourceLocation)
      try #require(links.map { $0.string("url") } == [task.uri], sourceLocation: sourceLocation)
      try #require(links.map { $0.string("title") } == [task.title], sourceLocation: sourceLocation)
    case "color":
      try #require(data.string("color") == Sample.colorNotation, sourceLocation: sourceLocation)
    default: break
    }
  }

  /// What a toolkit, or `xdnd-source`, makes of this on its way out.
  private func expected(from toolkit: Toolkit?, begin: JSONLine) -> Digest? {
    guard let toolkit else { return toolDigest ?? digest }
    return switch (task.kind, toolkit) {
    case ("text", .gtk3):
      // GTK 3 writes lines of `text/plain` as the network does.
      Digest(Array(Sample.words.replacingOccurrences(of: "\n", with: "\r\n").utf8))
    case ("text", .tk): Digest(Sample.cesu8(Sample.words))
    case ("link", .gtk3): Digest(Array("\(Sample.uri)\n\(Sample.title)".utf8))
    case ("link", .gtk4): Digest(Sample.utf16("\(Sample.uri)\n\(Sample.title)"))
    case ("link", _): Digest(Array("\(Sample.uri)\r\n".utf8))
    case ("image", _): Digest(begin)  // as the toolkit itself has written it
    default: digest
    }
  }

  /// The bytes of the path in a URI.
  private static func path(_ uri: String) -> [UInt8] {
    var rest = Array(uri.utf8.dropFirst("file://".utf8.count))[...]
    var path: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        rest = rest.dropFirst(2)
        path.append(value)
      } else {
        path.append(byte)
      }
    }
    return path
  }
}
