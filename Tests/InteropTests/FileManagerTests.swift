import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// Our tools and real file managers, both ways, with the real pointer under a real window manager.
///
/// Each drag is done as often as `XDND_ROUNDS` says; `scripts/interop file-managers` does so ten times and writes the
/// results into `docs/clippings.md`.
@Suite(
  "Drags between the tools and real file managers", .serialized, .requiresXvfb, .requiresOpenbox, .requiresThunar,
  .requiresPCManFM)
struct FileManagerTests {
  @Test(arguments: FileManagerPeer.allCases)
  func `a file dragged out of a file manager arrives with the operation of the keys`(
    _ manager: FileManagerPeer
  ) async throws {
    let bytes = Sample.noise(100_000)
    try await FileManagerStage.with(manager, file: bytes) { stage in
      for keys in DragKeys.allCases {
        var worked = 0
        defer {
          FileManagerReport.record(manager, "a file out of it, \(keys.rawValue)", keys.operation, worked: worked)
        }
        for _ in 0..<InteropReport.rounds {
          let probe = try stage.server.launchProbe(
            PeerStage.left,
            ["--verbose", "--action", "copy,move,link", "--output", stage.server.directory("dropped")])
          let (data, end) = try await stage.dragOut(onto: probe, holding: keys) {
            (try await probe.waitFor("data"), try await probe.waitFor("ended"))
          }
          probe.send(SIGTERM)
          _ = try await probe.exit()
          let files = try #require(data.objects("files"))
          try #require(files.map { $0.string("path") } == [stage.file])
          try #require(files.first?.integer("bytes") == bytes.count)
          try #require(FileManager.default.contents(atPath: stage.file).map(Array.init) == bytes)
          try #require(end.string("outcome") == "dropped")
          try #require(end.string("operation") == keys.operation)
          // Who moves a file is the target.
          try #require(FileManager.default.fileExists(atPath: stage.file))
          worked += 1
        }
      }
    }
  }

  @Test(arguments: FileManagerPeer.allCases)
  func `a file dropped on an open folder is copied there`(_ manager: FileManagerPeer) async throws {
    let directory = try TemporaryDirectory("content")
    let name = "한글, 100% №2.bin"
    let original = try directory.write(Sample.noise(300_000), to: name)
    try await FileManagerStage.with(manager, file: [1]) { stage in
      var worked = 0
      defer { FileManagerReport.record(manager, "a file into it", "copy", worked: worked) }
      for _ in 0..<InteropReport.rounds {
        try await stage.drop([original])
        try await stage.take(name) { FileManager.default.contentsEqual(atPath: $0, andPath: original) }
        worked += 1
      }
    }
  }
}

extension FileManagerStage {
  /// Drags what is at the place of the first file onto a probe with `--verbose`, and holds keys until `end` has seen
  /// what comes of it.
  func dragOut<Result>(
    onto probe: ChildProcess, holding keys: DragKeys, until end: () async throws -> Result
  ) async throws -> Result {
    let goal = try await DragScene.readyPoint(of: probe)
    pointer.move(to: view.icon)
    pointer.press()
    // Keys that were held at the press would select.
    try await pointer.glide(to: Point(x: (view.icon.x + goal.x) / 2, y: (view.icon.y + goal.y) / 2))
    for key in keys.names { try pointer.press(key: key) }
    defer {
      pointer.release()
      for key in keys.names { try? pointer.release(key: key) }
    }
    try await pointer.glide(to: goal)
    // The source says where it is for a second time when it has the first answer; a button that goes up before that
    // would end the drag.
    try await pointer.hover {
      for _ in 0..<2 { try await probe.waitFor("position") { $0.string("proposed") == keys.operation } }
    }
    pointer.release()
    return try await end()
  }
}

/// Writes what came out to the file that `XDND_CLIPPINGS_REPORT` names.
enum FileManagerReport {
  /// Says how often a drag has worked, and how each ended.
  static func record(_ manager: FileManagerPeer, _ what: String, _ result: String, worked: Int) {
    InteropReport.append(
      "| \(manager.rawValue) | \(what) | \(result) | \(worked) of \(InteropReport.rounds) |", "XDND_CLIPPINGS_REPORT")
  }
}
