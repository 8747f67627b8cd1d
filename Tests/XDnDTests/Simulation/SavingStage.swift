import Foundation
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A drop on a simulated server that is saved directly into a real directory.
final class SavingStage {
  let stage: DropStage
  let directory: TemporaryDirectory
  let source: SavingSource
  private let peer: SimulatedPeer
  private(set) var drop: DropSession?
  private(set) var task: DirectSaveTask?
  private(set) var result: Result<[SavedFile], XDnDError>?
  private(set) var progress: [Int] = []
  /// Whether the drop is answered when the save has ended.
  var answersDrop = true

  init(_ configuration: Configuration = Configuration()) throws {
    stage = DropStage(accepting: [.directSave], configuration)
    directory = try TemporaryDirectory()
    peer = SimulatedPeer(stage.simulation, frame: Rect(x: 0, y: 0, width: 1, height: 1))
    stage.server.setOwner(peer.window, of: .xdndSelection, at: stage.server.time)
    source = SavingSource(peer.client, window: peer.window, target: stage.window)
    peer.onEvent = { [source] in source.handle($0) }
    source.promise(Array("note.txt".utf8))
    source.save = { Saving.write("saved", to: $0) ? "S" : "E" }
  }

  var server: FakeXServer { stage.server }

  func run(_ duration: Duration? = nil) { stage.run(duration) }

  /// Where it is saved.
  func target() throws -> FileDirectory { try FileDirectory(directory.path) }

  func hover() {
    stage.receiver.onDrop = { [weak self] in self?.drop = $0 }
    source.enter()
    source.position(at: DropStage.inside)
    run(.milliseconds(100))
  }

  /// Drags and drops, and begins to save; runs for a while, or for as long as it takes.
  func save(into target: FileDirectory? = nil, for duration: Duration? = nil) throws {
    let target = try target ?? self.target()
    hover()
    source.drop()
    run(.milliseconds(50))
    stage.receiver.onDrop = { $0.reject() }
    task = try #require(drop).directSave(
      into: target, progress: { [weak self] count, _ in self?.progress.append(count) }
    ) {
      [weak self] in self?.end($0)
    }
    run(duration)
  }

  private func end(_ result: Result<[SavedFile], XDnDError>) {
    #expect(self.result == nil)
    self.result = result
    if answersDrop {
      if case .success = result { drop?.finish(.copy) } else { drop?.reject() }
    }
    drop = nil
  }

  func kill() { server.kill(peer.client) }

  /// What the saved files are called; `nil` if the save has failed, or has not ended.
  var names: [String]? {
    try? result?.get().map { String($0.path.dropFirst(directory.path.count + 1)) }
  }

  var failure: XDnDError.Code? { result?.failure }

  /// Everything in the directory, hidden or not.
  var entries: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted() }

  func content(_ name: String) -> String? {
    FileManager.default.contents(atPath: directory(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func expectClean() {
    task = nil
    run()
    stage.target.driver.unregisterDropTarget(stage.window)
    stage.simulation.expectClean()
  }

  /// What holds after a save that has come to nothing.
  func expectNothing(
    _ code: XDnDError.Code, besides others: [String] = [], isTold: Bool = true,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(failure == code, sourceLocation: location)
    #expect(entries == others, sourceLocation: location)
    if isTold {
      #expect(source.property == [], sourceLocation: location)
      #expect(source.finished.map(\.result) == [.refused], sourceLocation: location)
    }
    expectClean()
  }

  /// What holds after a save that worked.
  func expectSaved(
    _ files: [String: String], besides others: [String] = [], _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(names?.sorted() == files.keys.sorted(), sourceLocation: location)
    for (name, text) in files { #expect(content(name) == text, sourceLocation: location) }
    #expect(entries == (files.keys + others).sorted(), sourceLocation: location)
    #expect(source.finished.map(\.result) == [.accepted(.copy)], sourceLocation: location)
    expectClean()
  }
}
