import Foundation
import Glibc
import TestSupport
import Testing
import XDnDToolWindow

@testable import XDnD

/// Files that are dropped and take long to read, or for ever.
@Suite("Checksums of dropped files", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeChecksumTests {
  /// Longer than any machine reads while a test runs.
  private static let hugeLength = 1 << 40

  private func hugeFile(on server: XServer) throws -> String {
    let path = try server.directory.write([], to: "huge")
    try #require(truncate(path, Self.hugeLength) == 0)
    return path
  }

  private func source(_ paths: [String], on server: XServer) throws -> [String] {
    let list = try server.directory.write(FileList(paths: paths).encoded, to: "list")
    return ["--once", "--exact", "--type", "text/uri-list=@\(list)"]
  }

  @Test func `dropped files are not read, and what is said of them is what the file system says`() async throws {
    try await XServer.with { server in
      let paths = [try hugeFile(on: server), "/proc/self/pagemap", server.directory.path, "/nowhere"]
      let scene = try await DragScene.tools(on: server, source: try source(paths, on: server), probe: ["--once"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(0))
      #expect(try await scene.source.exit() == .exited(0))
      let files = try #require(scene.target.printed("data").first?.objects("files"))
      #expect(files.map { $0.string("path") } == paths)
      #expect(files.map { $0.integer("bytes") } == [Self.hugeLength, 0, nil, nil])
      #expect(files.allSatisfy { $0.string("sha256") == nil })
    }
  }

  @Test func `--checksum tells of each file once, and of regular files only`() async throws {
    try await XServer.with { server in
      let content = Array("content".utf8)
      let file = try server.directory.write(content, to: "file")
      try #require(mkfifo(server.directory("pipe"), 0o600) == 0)
      let others = [server.directory("pipe"), server.directory.path, "/proc/self/pagemap", "/dev/zero", "/nowhere"]
      let scene = try await DragScene.tools(
        on: server, source: try source(Array(repeating: file, count: 100) + others, on: server),
        probe: ["--once", "--checksum"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(0))
      let lines = scene.target.printed("checksum")
      #expect(lines.map { $0.string("path") } == [file] + others)
      #expect(lines.first.flatMap { Digest($0) } == Digest(content))
      #expect(lines.dropFirst().allSatisfy { $0.string("sha256") == nil && $0.string("reason")?.isEmpty == false })
      let documented = try DocumentedFields()
      for line in lines { #expect(documented.unknown(in: line) == []) }
    }
  }

  @Test func `a checksum that takes long holds up neither the source nor a signal`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: try source([try hugeFile(on: server)], on: server), probe: ["--once", "--checksum"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.source.exit() == .exited(0))
      try await scene.target.waitFor("ended")
      #expect(scene.target.isRunning)
      scene.target.send(SIGTERM)
      #expect(try await scene.target.exit() == .exited(2))
      #expect(scene.target.printed("checksum").isEmpty)
    }
  }

  @Test func `what was copied to the clipboard has checksums, too`() async throws {
    try await XServer.with { server in
      let content = Array("content".utf8)
      let file = try server.directory.write(content, to: "file")
      let source = try server.launchCopy(Array(try self.source([file], on: server).dropFirst()))
      try await source.waitFor("copied")
      let probe = try server.launchPaste(["--checksum"])
      #expect(try await probe.exit() == .exited(0))
      #expect(probe.printed("checksum").compactMap { Digest($0) } == [Digest(content)])
    }
  }
}
