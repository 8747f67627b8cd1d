import Glibc
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("A target that has files saved, and sources that do not")
struct DirectSaveFailureTests {
  private let run: SavingStage
  private var source: SavingSource { run.source }

  init() throws { run = try SavingStage() }

  /// A second of a save whose source has written something and does not answer.
  private func saveHalf() throws {
    source.isSilent = true
    source.save = { Saving.write("ha", to: $0) ? "S" : "E" }
    try run.save(for: .seconds(1))
  }

  @Test func `F with data has the data loaded, under the promised name`() throws {
    source.data = Array("data".utf8)
    source.save = { _ in "F" }
    try run.save()
    run.expectSaved(["note.txt": "data"])
    #expect(source.requests == [.xdndDirectSave, AtomName("application/octet-stream")])
  }

  @Test func `F without data is a failure`() throws {
    source.save = { _ in "F" }
    try run.save()
    run.expectNothing(.transferRefused)
  }

  @Test func `a refusal is F`() throws {
    source.data = Array("data".utf8)
    source.save = { _ in nil }
    try run.save()
    run.expectSaved(["note.txt": "data"])
    let other = try SavingStage()
    other.source.save = { _ in nil }
    try other.save()
    other.expectNothing(.transferRefused)
  }

  @Test func `what was half saved before F is not kept`() throws {
    source.data = Array("data".utf8)
    source.save = { Saving.write("ha", to: $0) ? "F" : "E" }
    try run.save()
    run.expectSaved(["note.txt": "data"])
  }

  @Test(arguments: ["E", "", "\0", "OK", "file:///tmp/x", String(repeating: "S", count: 5000)])
  func `E and nonsense are failures, and nothing is kept`(answer: String) throws {
    source.data = Array("data".utf8)
    source.save = { Saving.write("saved", to: $0) ? answer : nil }
    try run.save()
    run.expectNothing(.transferFailed)
    #expect(source.requests == [.xdndDirectSave])
  }

  @Test func `S without a file is a failure after half a minute`() throws {
    source.save = { _ in "S" }
    try run.save(for: .seconds(29))
    #expect(run.result == nil)
    run.run()
    run.expectNothing(.transferFailed, isTold: false)
    // It has said that all is well, and was believed.
    #expect(source.finished.map(\.result) == [.accepted(.copy)])
  }

  @Test func `a source that says nothing is given up on, and its late answer is removed`() throws {
    source.isSilent = true
    source.save = { _ in nil }
    try run.save(for: .seconds(40))
    #expect(run.failure == .timedOut)
    source.answerLate("S")
    run.run()
    run.expectNothing(.timedOut)
  }

  @Test func `a source that saves for minutes before it answers is not given up on, nor is the drop`() throws {
    source.isSilent = true
    source.save = { _ in nil }
    try run.save(for: .milliseconds(100))
    for count in 1...20 {
      #expect(Saving.write(String(repeating: "x", count: count), to: source.path))
      run.run(.seconds(20))
    }
    #expect(run.result == nil)
    #expect(run.stage.receiver.results.isEmpty)
    source.answerLate("S")
    run.run()
    run.expectSaved(["note.txt": String(repeating: "x", count: 20)])
  }

  @Test(arguments: [true, false])
  func `a source that saves more than is accepted is stopped, and nothing is kept`(isBeforeAnswer: Bool) throws {
    var configuration = Configuration()
    configuration.limits.maximumFileTransferSize = 5
    let run = try SavingStage(configuration)
    run.source.isSilent = isBeforeAnswer
    run.source.save = { Saving.write("123456", to: $0) ? "S" : "E" }
    try run.save(for: .seconds(1))
    run.expectNothing(.tooLarge)
  }

  @Test func `a source that is killed leaves nothing`() throws {
    try saveHalf()
    run.kill()
    run.run()
    run.expectNothing(.sourceVanished, isTold: false)
    #expect(run.stage.receiver.results == [.sourceVanished])
  }

  @Test func `a source that is killed after S and before it has written leaves nothing`() throws {
    source.save = { Saving.write("", to: $0) ? "S" : "E" }
    try run.save(for: .seconds(1))
    run.kill()
    run.run()
    run.expectNothing(.sourceVanished, isTold: false)
  }

  @Test func `what is cancelled leaves nothing, and the source hears of it`() throws {
    try saveHalf()
    run.task?.cancel()
    run.task?.cancel()
    run.run()
    run.expectNothing(.cancelled)
  }

  @Test func `a drop that is answered in the middle ends the save`() throws {
    run.answersDrop = false
    try saveHalf()
    run.drop?.reject()
    run.run()
    run.expectNothing(.cancelled)
  }

  @Test func `a save that nobody waits for any more ends when the server is lost`() throws {
    try saveHalf()
    run.server.kill(run.stage.target.client)
    try? run.stage.target.driver.process()
    #expect(run.failure == .displayClosed)
    #expect(run.entries.isEmpty)
  }

  @Test func `there is one save at a time, and none before the drop`() throws {
    var results: [XDnDError.Code?] = []
    run.hover()
    run.stage.receiver.drop?.saveDirectly(into: try run.target()) { results.append($0.failure) }
    #expect(results == [.notDropped])
    source.isSilent = true
    source.save = { _ in nil }
    try run.save(for: .seconds(1))
    run.drop?.saveDirectly(into: try run.target()) { results.append($0.failure) }
    #expect(results == [.notDropped, .notDropped])
    run.task?.cancel()
    run.run()
    #expect(run.failure == .cancelled)
  }

  // MARK: The directory

  @Test func `a directory that is removed in the middle is an error that the source hears of`() throws {
    let sub = run.directory("sub")
    #expect(mkdir(sub, 0o700) == 0)
    let target = try FileDirectory(sub)
    source.save = {
      guard Saving.write("saved", to: $0) else { return "E" }
      unlink($0)
      rmdir(Saving.parent(of: $0))
      return rmdir(sub) == 0 ? "S" : "E"
    }
    try run.save(into: target, for: .seconds(1))
    run.expectNothing(.fileNotWritten)
    #expect(throws: XDnDError.self) { try target.save([1], named: "x") }
    let again = try SavingStage()
    try again.save(into: target)
    again.expectNothing(.fileNotWritten)
  }

  @Test func `a directory that becomes a link in the middle is still the one that was opened`() throws {
    let (sub, moved, elsewhere) = (run.directory("sub"), run.directory("moved"), run.directory("elsewhere"))
    #expect(mkdir(sub, 0o700) == 0 && mkdir(elsewhere, 0o700) == 0)
    source.save = {
      guard Saving.write("saved", to: $0) else { return "E" }
      return rename(sub, moved) == 0 && symlink(elsewhere, sub) == 0 ? "S" : "E"
    }
    try run.save(into: FileDirectory(sub))
    #expect(run.content("moved/note.txt") == "saved")
    #expect(access(elsewhere + "/note.txt", F_OK) != 0)
    #expect(run.entries == ["elsewhere", "moved", "sub"])
  }

  @Test func `what cannot be a directory is told at once`() throws {
    let file = try run.directory.write([], to: "file")
    for path in [file, run.directory("none"), "", "a\0b"] {
      #expect(throws: XDnDError.self) { try FileDirectory(path) }
    }
  }
}
