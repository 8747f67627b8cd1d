import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Promised files for targets that take only a list of files: they outlive the tool, and the next one removes what nobody has used for a day.
@Suite("Temporary files that outlive xdnd-source", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct LeftFilesTests {
  enum End: CaseIterable { case orderly, killed }

  @Test(arguments: End.allCases)
  func `they are there after the tool has ended, and removed by the next one once nobody has used them for a day`(
    _ end: End
  ) async throws {
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
      let container = (path as NSString).deletingLastPathComponent
      func startAnother() async throws {
        _ = try await server.launchBareSource(["--to", "1", "--text", "x"]).exit()
      }
      try await startAnother()
      #expect(FileManager.default.fileExists(atPath: path))
      // At last those of the mark: what was changed after it belongs to the user.
      for name in [path, container + "/.xdnd-complete", container] {
        let time = timespec(tv_sec: Int(Date().timeIntervalSince1970) - 86_401, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, name, [time, time], AT_SYMLINK_NOFOLLOW) == 0)
      }
      try await startAnother()
      #expect(!FileManager.default.fileExists(atPath: container))
    }
  }

  private static func drag(from source: ChildProcess, on server: XServer) async throws {
    let pointer = try Pointer(server)
    try await pointer.drag(along: [DragScene.readyPoint(of: source), DragScene.target])
    try await source.waitFor("proposal") { $0.string("operation") != nil }
    pointer.release()
  }
}
