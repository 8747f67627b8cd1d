import Foundation
import TestSupport
import Testing
import XDnD

extension ApplicationTests {
  /// A file that is dropped is opened or copied as a file.
  @Suite("Files dropped on applications", .serialized)
  struct FileDropTests {
    @Test(.requires(.emacs))
    func `a text file is opened by Emacs`() async throws {
      try await Self.isOpened(by: .emacs, name: "notes.txt", bytes: Array("Hello".utf8))
    }

    @Test(.requires(.gedit))
    func `a text file is opened by gedit`() async throws {
      try await Self.isOpened(by: .gedit, name: "notes.txt", bytes: Array("Hello".utf8))
    }

    @Test(.requires(.dolphin))
    func `Dolphin copies a file, however early the source could end`() async throws {
      let directory = try TemporaryDirectory("content")
      let folder = directory("open")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let bytes = Sample.noise(100_000)
      let names = ["first.bin", "second.txt", "third.bin"]
      try await ApplicationStage.with(.dolphin, opening: folder) { stage in
        for name in names {
          // With the key Dolphin does not ask what it shall do.
          let source = try await stage.drop(
            [try directory.write(bytes, to: name)], on: stage.empty, holding: .control)
          let isThere = try await FolderWatch(folder).wait {
            FileManager.default.contents(atPath: "\(folder)/\(name)") == Data(bytes)
          }
          #expect(isThere, "\(source.failure("did not give it"))")
          #expect(try await source.exit() == .exited(0))
        }
      }
    }

    /// Drops a file on an application and waits until that has it in its title.
    private static func isOpened(by application: Application, name: String, bytes: [UInt8]) async throws {
      let file = try TemporaryDirectory("content")
      let path = try file.write(bytes, to: name)
      try await ApplicationStage.with(application) { stage in
        let source = try await stage.drop([path])
        do { try await stage.awaitTitle { $0.contains(name) } } catch { throw source.failure("\(error)") }
        #expect(Set(source.sentTypes) == ["text/uri-list"])
      }
    }
  }
}
