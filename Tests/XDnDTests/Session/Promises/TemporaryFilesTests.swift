import XDnDFiles
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// What a target may still use is not removed: it reports neither that it has stored a path nor that it has opened a file.
@Suite("Temporary files that outlive their drag", .timeLimit(.minutes(5)))
struct TemporaryFilesTests {
  private let directory: TemporaryDirectory
  private let loop: PromiseLoop
  private let root: String
  private static let day = 86_400

  init() throws {
    directory = try TemporaryDirectory("temporary")
    loop = try PromiseLoop()
    root = directory("root")
  }

  /// Writes promised files as a drag does that ended long ago, in a process that ended, too.
  private func leave(_ promises: [FilePromise], secondsAgo age: Int = day + 1) throws -> String {
    var container: PromiseContainer? = try loop.container(promises, in: root)
    let path = try #require(OnDisk.names(root).first { OnDisk.names("\(root)/\($0)") == [] }.map { "\(root)/\($0)" })
    container?.start()
    try loop.run { container?.advance(at: $0) }.get()
    container?.keep()
    container = nil
    set(path, secondsAgo: age)
    return path
  }

  /// Sets back the times of files, and at last those of the mark: what is set back is no change.
  private func set(_ path: String, secondsAgo age: Int) {
    let time = Int(time(nil)) - age
    let mark = String(decoding: TemporaryFiles.completionMark, as: UTF8.self)
    for name in OnDisk.names(path) where name != mark {
      for inner in OnDisk.names("\(path)/\(name)") { OnDisk.setModified("\(path)/\(name)/\(inner)", seconds: time) }
      OnDisk.setModified("\(path)/\(name)", seconds: time)
    }
    OnDisk.setModified("\(path)/\(mark)", seconds: time)
    OnDisk.setModified(path, seconds: time)
  }

  private func sweep() { TemporaryFiles.sweep(Array(root.utf8)) }

  private func file(_ name: String = "note.txt") -> FilePromise {
    FilePromise(named: name, type: .plainText, bytes: Array("note".utf8))
  }

  /// Waits until the clock that file systems use has advanced since the container was completed.
  private func waitForTick(after path: String) throws {
    let completion = try completion(of: path)
    repeat {
      try OnDisk.write("", to: directory("tick"))
    } while try FileUse(of: Array(directory("tick").utf8), in: AT_FDCWD).changed == completion
  }

  private func completion(of path: String) throws -> Duration {
    try OpenDirectory(Array(path.utf8)).use(of: TemporaryFiles.completionMark).changed
  }

  /// Whether a file in the container was changed, or is open.
  private func isChanged(_ path: String) throws -> Bool {
    try OpenDirectory(Array(path.utf8)).hasFileInUse(changedAfter: completion(of: path), readWithin: .zero)
  }

  @Test func `files that nobody has used for a day are removed, and younger ones are not`() throws {
    let old = try leave([file(), FilePromise(directory: "folder", [file()])])
    let young = try leave([file()], secondsAgo: Self.day - 60)
    sweep()
    #expect(OnDisk.status(old) == nil)
    #expect(OnDisk.content("\(young)/note.txt") == Array("note".utf8))
  }

  @Test(arguments: ["written in place", "replaced", "in a folder", "another beside it"])
  func `a file that was changed is never removed, nor is what lies beside it`(_ change: String) throws {
    let path = try leave([file(), FilePromise(directory: "folder", [file()])])
    #expect(try !isChanged(path))
    try waitForTick(after: path)
    switch change {
    case "written in place": try OnDisk.write("edited", to: "\(path)/note.txt")
    case "replaced":
      try OnDisk.write("edited", to: directory("new"))
      #expect(rename(directory("new"), "\(path)/note.txt") == 0)
    case "in a folder": try OnDisk.write("edited", to: "\(path)/folder/note.txt")
    default: try OnDisk.write("edited", to: "\(path)/note.txt~")
    }
    #expect(try isChanged(path))
    OnDisk.setModified(path, seconds: Int(time(nil)) - 100 * Self.day)
    sweep()
    #expect(OnDisk.names(path).contains("note.txt"))
  }

  @Test func `a file that was read within the last day is kept`() throws {
    let path = try leave([file()])
    let times = [Self.day - 60, Self.day + 1].map { timespec(tv_sec: time(nil) - $0, tv_nsec: 0) }
    #expect(utimensat(AT_FDCWD, "\(path)/note.txt", times, 0) == 0)
    let mark = "\(path)/\(String(decoding: TemporaryFiles.completionMark, as: UTF8.self))"
    OnDisk.setModified(mark, seconds: Int(time(nil)) - Self.day - 1)
    sweep()
    #expect(OnDisk.status(path) != nil)
    set(path, secondsAgo: Self.day + 1)
    sweep()
    #expect(OnDisk.status(path) == nil)
  }

  @Test func `a file that is open is kept until it is closed`() throws {
    let path = try leave([file()])
    let descriptor = open("\(path)/note.txt", O_RDONLY | O_CLOEXEC)
    #expect(descriptor >= 0)
    sweep()
    #expect(OnDisk.status(path) != nil)
    close(descriptor)
    sweep()
    // A child that another test has just forked has the descriptor, too, until it executes its program.
    for _ in 0..<2_000 where OnDisk.status(path) != nil {
      usleep(1_000)
      sweep()
    }
    #expect(OnDisk.status(path) == nil)
  }

  @Test func `files that are there already are listed as they are, and nothing is written or removed`() throws {
    try OnDisk.write("mine", to: directory("mine"))
    var original = FilePromise(copying: Array(directory("mine").utf8), named: "copy")
    original.listsOriginal = true
    let container = try loop.container([original], in: root)
    container.reserve()
    container.start()
    try loop.run(container.advance).get()
    #expect(container.uris.uris.map { FileList.localPath(of: $0) } == [directory("mine")])
    container.remove()
    #expect(OnDisk.content(directory("mine")) == Array("mine".utf8))
    #expect(OnDisk.status(root) == nil)

    let mixed = try loop.container([file(), original, file()], in: root)
    mixed.start()
    try loop.run(mixed.advance).get()
    #expect(
      mixed.uris.uris.compactMap { FileList.localPath(of: $0) }.map { OnDisk.content($0).map { $0.count } } == [
        4, 4, 4,
      ])
    #expect(OnDisk.names(root).count == 1)
  }
}
