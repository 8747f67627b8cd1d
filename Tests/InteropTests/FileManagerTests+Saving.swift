import Foundation
import TestSupport
import Testing
import XDnD

/// What is dragged out of a file manager is saved by `xdnd-probe --save`.
extension FileManagerTests {
  @Test(arguments: FileManagerPeer.allCases)
  func `a file dragged out of a file manager is saved with the operation of the keys`(
    _ manager: FileManagerPeer
  ) async throws {
    let bytes = Sample.noise(100_000)
    try await FileManagerStage.with(manager, file: bytes) { stage in
      for keys in DragKeys.allCases {
        var worked = 0
        defer {
          FileManagerReport.record(
            manager, "a file out of it, \(keys.rawValue), into `xdnd-probe --save`", keys.operation, worked: worked)
        }
        for _ in 0..<InteropReport.rounds {
          let directory = try TemporaryDirectory("saved")
          let saved = try await stage.save(in: directory, holding: keys)
          let copy = "\(directory.path)/\(stage.name)"
          try #require(saved.map { $0.string("path") } == [copy])
          try #require(saved.map { $0.string("how") } == [keys.operation])
          try #require(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [stage.name])
          try #require(FileManager.default.contents(atPath: copy) == Data(bytes))
          let isLink = keys == .controlShift
          try #require(
            (try? FileManager.default.destinationOfSymbolicLink(atPath: copy)) == (isLink ? stage.file : nil))
          if keys == .shift {
            try #require(!FileManager.default.fileExists(atPath: stage.file))
            try await stage.awaitView { $0 == nil }
            try Data(bytes).write(to: URL(fileURLWithPath: stage.file))
            try await stage.awaitView { $0 != nil }
          } else {
            try #require(FileManager.default.contents(atPath: stage.file) == Data(bytes))
          }
          worked += 1
        }
      }
    }
  }

  @Test(arguments: FileManagerPeer.allCases)
  func `several files dragged out of a file manager are saved, and numbered where there are such names`(
    _ manager: FileManagerPeer
  ) async throws {
    try await FileManagerStage.with(manager, file: [1, 2, 3]) { stage in
      // They stand to the right of the first one.
      let others = ["h.bin": Sample.noise(1000), "i, 한글.bin": Sample.noise(70_000)]
      for (name, bytes) in others { try Data(bytes).write(to: URL(fileURLWithPath: "\(stage.folder)/\(name)")) }
      var contents = others.mapValues { Data($0) }
      contents[stage.name] = Data([1, 2, 3])
      try await stage.awaitView { $0.map { $0.icon.x > stage.view.icon.x + 50 } ?? false }
      try await stage.selectAll()

      var worked = 0
      defer {
        FileManagerReport.record(
          manager, "three files out of it, twice, into `xdnd-probe --save --existing keep-both`", "copy", worked: worked
        )
      }
      for _ in 0..<InteropReport.rounds {
        let directory = try TemporaryDirectory("saved")
        for number in 1...2 {
          let saved = try await stage.save(in: directory, ["--existing", "keep-both"], holding: .none)
          try #require(saved.count == contents.count)
          for (name, bytes) in contents {
            let path = "\(directory.path)/\(FileName.numbered(name, number))"
            try #require(FileManager.default.contents(atPath: path) == bytes)
          }
          let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
          try #require(names.count == contents.count * number)
        }
        worked += 1
      }
    }
  }
}

extension FileManagerStage {
  /// The name of the first file.
  fileprivate var name: String { String(file.split(separator: "/").last ?? "") }

  /// Drags onto a probe that saves, and says what it has saved.
  fileprivate func save(
    in directory: TemporaryDirectory, _ arguments: [String] = [], holding keys: DragKeys
  ) async throws -> [JSONLine] {
    let probe = try server.launchProbe(
      PeerStage.left, ["--verbose", "--once", "--save", directory.path] + arguments)
    let status = try await dragOut(onto: probe, holding: keys) { try await probe.exit(timeout: .seconds(60)) }
    guard status == .exited(0) else { throw probe.failure("did not save") }
    return probe.printed("saved")
  }

  /// Draws a frame around all files. Thunar does not always hear Control+A that follows a click at once.
  fileprivate func selectAll() async throws {
    pointer.move(to: view.empty)
    pointer.press()
    try await pointer.glide(to: Point(x: view.area.origin.x + 3, y: view.area.origin.y + 3))
    pointer.release()
  }
}
