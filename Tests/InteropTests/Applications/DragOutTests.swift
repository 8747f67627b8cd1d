import Foundation
import TestSupport
import Testing
import XDnD

extension ApplicationTests {
  /// What applications offer, the probe takes in the form that says most to others.
  @Suite("Out of applications", .serialized)
  struct DragOutTests {
    @Test(.requires(.engrampa))
    func `a file dragged out of Engrampa is extracted where the probe saves`() async throws {
      let directory = try TemporaryDirectory("content")
      let bytes = Sample.noise(100_000)
      let original = try directory.write(bytes, to: "packed.bin")
      let archive = directory("archive.tar")
      let tar = try ChildProcess("tar", ["-C", directory.path, "-cf", archive, "packed.bin"])
      try #require(try await tar.exit() == .exited(0))
      try FileManager.default.removeItem(atPath: original)
      let saved = directory("saved")
      try FileManager.default.createDirectory(atPath: saved, withIntermediateDirectories: false)
      try await ApplicationStage.with(.engrampa, opening: archive) { stage in
        let row = try await stage.awaitLastRow()
        let probe = try await stage.dragOut(from: row, onto: ["--save", saved])
        #expect(probe.printed("ended").first?.string("outcome") == "dropped")
        let path = try #require(probe.printed("saved").first?.string("path"))
        #expect(path == "\(saved)/packed.bin")
        #expect(FileManager.default.contents(atPath: path) == Data(bytes))
        let names = try FileManager.default.contentsOfDirectory(atPath: saved)
        #expect(names == ["packed.bin"])
      }
    }

    @Test(.requires(.gThumb))
    func `a picture dragged out of gThumb, which asks for a move, is taken and left where it is`() async throws {
      let directory = try TemporaryDirectory("content")
      let path = try directory.write(ColoredPicture.png, to: "red.png")
      try await ApplicationStage.with(.gThumb, opening: directory.path) { stage in
        let place = try await stage.awaitPlace(of: ColoredPicture.color)
        let probe = try await stage.dragOut(from: place)
        let files = probe.printed("data").flatMap { $0.objects("files") ?? [] }
        #expect(files.map { $0.string("path") } == [path])
        #expect(probe.printed("ended").first?.string("outcome") == "dropped")
        #expect(FileManager.default.contents(atPath: path) == Data(ColoredPicture.png))
      }
    }
  }
}
