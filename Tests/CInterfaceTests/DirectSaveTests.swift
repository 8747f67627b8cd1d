import Foundation
import Glibc
import TestSupport
import Testing
import XDnDBindings
import XDnDInterface

@testable import XDnD

/// Direct saves whose drops end before them, as a C program sees them.
@Suite("Direct saves by the C interface", .requiresXvfb, .timeLimit(.minutes(1)))
struct DirectSaveTests {
  /// A C program that has its drops saved, and a source that saves in its own way.
  private final class Stage {
    let target: CClient
    let source: SavingSource
    let directory: TemporaryDirectory
    private let connection: XlibConnection

    init(_ server: XServer) throws {
      directory = try TemporaryDirectory()
      target = try CClient(on: server)
      connection = try XlibConnection(connectingTo: server.displayName)
      source = SavingSource(
        connection, window: connection.dragWindow, target: WindowID(rawValue: UInt32(target.window)))
      guard target.register(["XdndDirectSave0"]) == XDND_OK,
        connection.own(.xdndSelection, at: connection.serverTime())
      else { throw HarnessError("neither a target nor a source") }
      let place = directory.path
      target.onDrop = { client, drop in
        client.drop = drop
        #expect(client.save(drop, into: place) == XDND_OK)
      }
    }

    /// The reported ends of saves.
    var saves: [String] { target.told.filter { $0.hasPrefix("saved") } }

    func run(until isDone: () -> Bool) throws {
      let deadline = ContinuousClock.now + .seconds(20)
      while true {
        _ = xdnd_process(target.context)
        source.takeEvents()
        if isDone() { return }
        guard .now < deadline else { throw HarnessError("nothing more comes after \(target.told)") }
        var waits = [xdnd_fd(target.context), connection.fileDescriptor].map {
          pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let timeout = xdnd_timeout(target.context)
        poll(&waits, nfds_t(waits.count), timeout < 0 ? 100 : min(timeout, 100))
      }
    }

    /// Drags and drops, and runs until the source is asked to save.
    func drop() throws {
      func asked() -> Int { source.requests.filter { $0 == .xdndDirectSave }.count }
      let (statuses, before) = (source.statuses.count, asked())
      source.promise(Array("note.txt".utf8))
      source.enter()
      source.position(at: Point(x: 50, y: 60))
      try run { source.statuses.count > statuses }
      source.drop()
      try run { asked() > before }
    }
  }

  private func withStage(_ body: @escaping @Sendable (Stage) throws -> Void) async throws {
    try await XServer.with { server in
      try await onOwnThread { try body(Stage(server)) }
    }
  }

  @Test func `a save that its source finishes after the drop ends once, and none ends after its context`() async throws
  {
    try await withStage { stage in
      let (target, source) = (stage.target, stage.source)
      // It says that the file is saved, and writes it when the drop is over.
      source.save = { _ in "S" }
      try stage.drop()
      try stage.run { target.told.last == "ended 0 1" && !source.finished.isEmpty }
      #expect(stage.saves.isEmpty)
      #expect(Saving.write("late", to: source.path))
      try stage.run { !stage.saves.isEmpty }
      #expect(stage.saves == ["saved 0"])
      let path = stage.directory("note.txt")
      #expect(target.content.last == Array(path.utf8))
      #expect(FileManager.default.contents(atPath: path).map(Array.init) == Array("late".utf8))

      try stage.drop()
      try stage.run { target.told.filter { $0 == "ended 0 1" }.count == 2 }
      target.close()
      #expect(stage.saves == ["saved 0"])
      #expect(target.told.last == "destroyed")
    }
  }

  @Test func `a save whose drop the program finishes meanwhile is cancelled, and ends once`() async throws {
    try await withStage { stage in
      let (target, source) = (stage.target, stage.source)
      source.isSilent = true
      source.save = { _ in nil }
      try stage.drop()
      #expect(xdnd_drop_finish(target.drop, XDND_COPY) == XDND_OK)
      try stage.run { !stage.saves.isEmpty && !source.finished.isEmpty }
      target.close()
      #expect(stage.saves == ["saved \(XDND_ERROR_CANCELLED.rawValue)"])
      #expect(target.told.contains("ended 0 1"))
    }
  }
}
