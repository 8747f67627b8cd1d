import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// Copy and paste between the tools and programs with real toolkits.
@Suite(
  "The clipboard with real toolkits", .serialized, .requiresXvfb, .requiresGTK3, .requiresQt5, .timeLimit(.minutes(5)))
struct ClipboardInteropTests {
  @Test(arguments: ClipboardToolkit.allCases)
  func `what xdnd-source has copied a toolkit pastes`(_ toolkit: ClipboardToolkit) async throws {
    try await XServer.with { server in
      for content in CopiedContent.allCases {
        let prepared = try content.prepare(in: server.directory)
        let source = try server.launchCopy(prepared.tool)
        try await source.waitFor("copied")
        prepared.expect(try await server.paste(content, with: toolkit))
        // Who copies next ends it.
        let next = try toolkit.copy(["--text", "next"], on: server)
        try await next.waitFor("copied")
        try await source.waitFor("released")
        #expect(try await source.exit() == .exited(0), "\(content)")
      }
    }
  }

  @Test(arguments: ClipboardToolkit.allCases)
  func `what a toolkit has copied xdnd-probe pastes`(_ toolkit: ClipboardToolkit) async throws {
    try await XServer.with { server in
      for content in CopiedContent.allCases {
        let prepared = try content.prepare(in: server.directory)
        let peer = try toolkit.copy(prepared.peer, on: server)
        try await peer.waitFor("copied")
        let probe = try server.launchPaste(["--accept", content.type])
        prepared.expect(try await probe.waitFor("data"))
        #expect(try await probe.exit() == .exited(0), "\(content)")
        // Its end is the end of the content.
        peer.send(SIGTERM)
        _ = try await peer.exit()
        #expect(try await server.launchPaste([]).exit() == .exited(1), "\(content)")
      }
    }
  }

  @Test(arguments: ClipboardToolkit.allCases)
  func `the primary selection is another one`(_ toolkit: ClipboardToolkit) async throws {
    try await XServer.with { server in
      let prepared = try CopiedContent.text.prepare(in: server.directory)
      let source = try server.launchTool(.source, ["--primary"] + prepared.tool)
      try await source.waitFor("copied")
      prepared.expect(try await server.paste(.text, with: toolkit, ["--primary"]))
      let empty = try toolkit.paste([], on: server)
      try await empty.waitFor("empty")
      let peer = try toolkit.copy(["--primary"] + prepared.peer, on: server)
      try await peer.waitFor("copied")
      #expect(try await source.exit() == .exited(0))
      let probe = try server.launchTool(.probe, ["--primary", "--accept", "text/plain", "--checksum"])
      prepared.expect(try await probe.waitFor("data"))
    }
  }

  @Test(.requiresClipboardManager)
  func `a clipboard manager keeps what was copied when its program has ended`() async throws {
    try await XServer.with { server in
      let manager = try await server.startClipboardManager()
      for content in [CopiedContent.text, .files, .blob] {
        let prepared = try content.prepare(in: server.directory)
        let source = try server.launchCopy(prepared.tool)
        try await source.waitFor("copied")
        source.send(SIGTERM)
        try await source.waitFor("handed-over")
        #expect(try await source.exit() == .exited(0), "\(content)")
        for toolkit in ClipboardToolkit.allCases { prepared.expect(try await server.paste(content, with: toolkit)) }
        let probe = try server.launchPaste(["--accept", content.type])
        prepared.expect(try await probe.waitFor("data"))
      }
      #expect(manager.isRunning)
    }
  }
}

/// A toolkit whose clipboard there is a program for.
enum ClipboardToolkit: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case gtk3 = "GTK 3"
  case qt5 = "Qt 5"

  var testDescription: String { rawValue }

  /// Starts a program that copies, and stays.
  func copy(_ arguments: [String], on server: XServer) throws -> ChildProcess {
    try launch(["copy"] + arguments, on: server)
  }

  /// Starts a program that pastes once.
  func paste(_ arguments: [String], on server: XServer) throws -> ChildProcess {
    try launch(["paste"] + arguments, on: server)
  }

  private func launch(_ arguments: [String], on server: XServer) throws -> ChildProcess {
    let name = self == .gtk3 ? "gtk3_clipboard.py" : "qt5_clipboard.py"
    let script = BuiltProducts.package.appendingPathComponent("Tests/Peers/\(name)").path
    return try server.launch("/usr/bin/python3", [script] + arguments)
  }
}

/// What is copied.
private enum CopiedContent: String, CaseIterable {
  case text = "text/plain"
  case files = "text/uri-list"
  case png = "image/png"
  case blob = "application/x-xdnd-blob"

  var type: String { rawValue }

  func prepare(in directory: TemporaryDirectory) throws -> Prepared {
    switch self {
    case .text:
      let text = "Grüße, мир — 안녕 🙂 \u{5E9}\u{5DC}\u{5D5}\u{5DD}"
      return Prepared(tool: ["--text", text], peer: ["--text", text], digest: Digest(Array(text.utf8)))
    case .files:
      let paths = try ["a file with spaces.txt", "Файл №2.txt"].map { try directory.write($0.utf8, to: $0) }
      return Prepared(tool: paths, peer: ["--uris"] + paths, paths: paths)
    case .png:
      let pixels = (0..<64 * 48 * 3).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let bytes = Array(PNG.encode(width: 64, height: 48, rgb: pixels))
      let path = try directory.write(bytes, to: "picture.png")
      return Prepared(tool: ["--type", "image/png=@\(path)"], peer: ["--png", path], digest: Digest(bytes))
    case .blob:
      let bytes = TestContent.bytes(8 << 20)
      let path = try directory.write(bytes, to: "blob")
      return Prepared(tool: ["--type", "\(type)=@\(path)"], peer: ["--blob", type, path], digest: Digest(bytes))
    }
  }
}

/// Content on disk, ready to be copied by either side.
private struct Prepared {
  /// The arguments of `xdnd-source`, and those of a peer.
  var tool: [String]
  var peer: [String]
  /// What must arrive, if it is bytes.
  var digest: Digest?
  /// What must arrive, if it is files.
  var paths: [String] = []

  func expect(_ line: JSONLine, sourceLocation: SourceLocation = #_sourceLocation) {
    if let digest {
      #expect(Digest(line) == digest, sourceLocation: sourceLocation)
    } else {
      let uris = line.strings("uris") ?? line.objects("files")?.compactMap { $0.string("uri") }
      #expect(uris?.map { URL(string: $0)?.path } == paths, sourceLocation: sourceLocation)
    }
  }
}

extension XServer {
  /// What a program with a toolkit pastes.
  fileprivate func paste(
    _ content: CopiedContent, with toolkit: ClipboardToolkit, _ arguments: [String] = []
  ) async throws -> JSONLine {
    let type = content == .text ? [] : ["--type", content.type]
    let peer = try toolkit.paste(arguments + type, on: self)
    let line = try await peer.waitFor("pasted", timeout: .seconds(60))
    #expect(try await peer.exit() == .exited(0))
    return line
  }
}
