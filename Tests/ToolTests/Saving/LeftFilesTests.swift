import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Promised files for targets that take only a list of files: they outlive the tool, but not for long.
@Suite("Temporary files that outlive xdnd-source", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct LeftFilesTests {
  enum End: CaseIterable { case orderly, killed }

  @Test(arguments: End.allCases)
  func `they are removed when their time is over, although the tool has ended`(_ end: End) async throws {
    try await XServer.with { server in
      let file = try server.directory.write("promised".utf8, to: "promised.txt")
      let (probe, window) = try await server.launchTarget(["--accept", "text/uri-list"])
      defer { probe.kill() }
      // That of the second drop stays in the window.
      let source =
        end == .orderly
        ? try server.launchBareSource(["--to", "\(window)", "--promise", file])
        : try server.launchSource(DragScene.sourceGeometry, ["--promise", file])
      if end == .killed { try await Self.drag(from: source, on: server) }
      let data = try await probe.waitFor("data")
      let path = try #require(data.objects("files")?.first?.string("path"))
      #expect(FileManager.default.contents(atPath: path) == Data("promised".utf8))
      try await probe.waitFor("ended")
      if end == .killed { source.send(SIGKILL) }
      _ = try await source.exit()
      // They are there for targets that are slow …
      let container = String(path.split(separator: "/").dropLast().joined(separator: "/"))
      #expect(FileManager.default.fileExists(atPath: path))
      // … but no longer than ten minutes after the drag.
      let time = timespec(tv_sec: Int(Date().timeIntervalSince1970) - 600, tv_nsec: 5000)
      _ = utimensat(AT_FDCWD, "/" + container, [time, time], AT_SYMLINK_NOFOLLOW)
      #expect(try await Self.isRemoved("/" + container))
    }
  }

  private static func drag(from source: ChildProcess, on server: XServer) async throws {
    let pointer = try Pointer(server)
    try await pointer.drag(along: [DragScene.readyPoint(of: source), DragScene.target])
    try await source.waitFor("proposal") { $0.string("operation") != nil }
    pointer.release()
  }

  /// Whether it is gone within the time in which it is looked for.
  private static func isRemoved(_ path: String) async throws -> Bool {
    for _ in 0..<100 {
      if !FileManager.default.fileExists(atPath: path) { return true }
      try await Task.sleep(for: .milliseconds(100))
    }
    return false
  }
}
