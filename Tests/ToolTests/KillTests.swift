import XDnDFiles
import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// One side of a transfer into a file is killed at a random moment, again and again; `scripts/soak-kills` does it more
/// often.
@Suite("Killing one side of a transfer into a file", .requiresXvfb, .timeLimit(.minutes(30)))
struct KillTests {
  private static let isCounted = ProcessInfo.processInfo.environment["XDND_KILLS"] != nil
  private static let rounds = ProcessInfo.processInfo.environment["XDND_KILLS"].flatMap(Int.init) ?? 12
  private static let size = 32 << 20
  private static let type = "application/x-blob"

  /// What is found under the name of the file afterwards.
  private enum Found: String { case nothing, old, whole }

  @Test(.enabled(if: canBeUnnamed, "the file system has no files without names"))
  func `the file is whole or not there, and there is nothing else`() async throws {
    try await XServer.with { server in
      let blob = try server.directory.write(TestContent.bytes(Self.size), to: "blob")
      var counts: [String: Int] = [:]
      for round in 0..<Self.rounds {
        let (killsSource, replaces) = (round % 2 == 0, round % 4 >= 2)
        let found = try await kill(round, source: killsSource, replacing: replaces, blob, on: server)
        counts["\(killsSource ? "source" : "probe") killed, \(found)", default: 0] += 1
      }
      if Self.isCounted { for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count)  \(what)") } }
    }
  }

  private func kill(
    _ round: Int, source killsSource: Bool, replacing: Bool, _ blob: String, on server: XServer
  ) async throws -> Found {
    let directory = try TemporaryDirectory("kill")
    if replacing { _ = try directory.write("old".utf8, to: "out") }
    let scene = try await DragScene.tools(
      on: server, source: ["--once", "--type", "\(Self.type)=@\(blob)"],
      probe: ["--once", "--accept", Self.type, "--output", directory("out")])
    try await scene.carryUntilAccepted()
    scene.pointer.release()
    // The probe has a line for each 8 MiB but the last; the moments after the third have the end of the file in them.
    let lines = Int.random(in: 0...3)
    let delay = Duration.microseconds(Int.random(in: 0..<120_000))
    for _ in 0..<lines { try await scene.target.waitFor("progress") }
    try await Task.sleep(for: delay)
    (killsSource ? scene.source : scene.target).kill()
    let sourceEnd = try await scene.source.exit()
    let targetEnd = try await scene.target.exit()

    let circumstances: Comment =
      "round \(round): \(lines) lines and \(delay), source \(sourceEnd), probe \(targetEnd), replacing \(replacing)"
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let isWhole = FileManager.default.contentsEqual(atPath: directory("out"), andPath: blob)
    let isOld = FileManager.default.contents(atPath: directory("out")) == Data("old".utf8)
    if targetEnd == .exited(0) { #expect(isWhole, circumstances) }
    // A file that replaces another has a temporary name for an instant, when it is whole.
    let others = names.filter { $0 != "out" }
    #expect(
      others.isEmpty
        || replacing && isOld
          && others.allSatisfy { FileManager.default.contentsEqual(atPath: directory($0), andPath: blob) },
      circumstances)
    guard names.contains("out") else {
      #expect(!replacing, circumstances)
      return .nothing
    }
    #expect(isWhole || replacing && isOld, circumstances)
    return isWhole ? .whole : .old
  }

  private static var canBeUnnamed: Bool {
    guard let directory = try? TemporaryDirectory(),
      let parent = try? OpenDirectory(Array(directory.path.utf8))
    else { return false }
    return StagedEntry.openUnnamed(in: parent, mode: 0o600) != nil
  }
}
