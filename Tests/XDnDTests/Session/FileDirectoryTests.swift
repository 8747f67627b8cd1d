import XDnDFiles
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import XDnD

@Suite("Files under names that are free")
struct FileDirectoryTests {
  private let directory: TemporaryDirectory
  private let target: FileDirectory
  private static let whole: Result<ContentType, XDnDError> = .success("a/b")

  init() throws {
    directory = try TemporaryDirectory()
    target = try FileDirectory(directory.path)
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  private func content(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: directory(name)).map(Array.init)
  }

  @Test func `bytes are saved under the name, and then under the next`() throws {
    for number in 1...3 {
      let file = try target.save([UInt8(number)], named: "a.tar.gz")
      let name = number == 1 ? "a.tar.gz" : "a \(number).tar.gz"
      #expect(file.path == directory(name))
      #expect(file.byteCount == 1)
      #expect(content(name) == [UInt8(number)])
    }
    #expect(names == ["a 2.tar.gz", "a 3.tar.gz", "a.tar.gz"])
  }

  @Test(arguments: [true, false])
  func `a file gets its name when it is whole, and never one that is taken`(unnamed: Bool) throws {
    _ = try directory.write("old".utf8, to: "x")
    #expect(symlink("nowhere", directory("x 2")) == 0)
    #expect(mkdir(directory("x 3"), 0o700) == 0)
    let sink = try FileSink(in: target, named: "x", unnamed: unnamed)
    #expect(Array("new".utf8).withUnsafeBytes(sink.write))
    #expect(sink.name == nil)
    #expect(!names.contains("x 4"))
    #expect(sink.close(after: Self.whole) == Self.whole)
    #expect(sink.name == "x 4")
    #expect(sink.byteCount == 3)
    #expect(names == ["x", "x 2", "x 3", "x 4"])
    #expect(content("x") == Array("old".utf8))
    #expect(access(directory("nowhere"), F_OK) != 0)
    let mask = try CreationMask.current()
    var status = stat()
    #expect(lstat(directory("x 4"), &status) == 0)
    #expect(status.st_mode == S_IFREG | 0o666 & ~mask && status.st_nlink == 1)
  }

  @Test(arguments: [true, false])
  func `files that are whole at the same time get different names`(unnamed: Bool) throws {
    let sinks = try (0..<3).map { _ in try FileSink(in: target, named: "x", unnamed: unnamed) }
    for sink in sinks { #expect(sink.close(after: Self.whole) == Self.whole) }
    #expect(sinks.map(\.name) == ["x", "x 2", "x 3"])
    #expect(names == ["x", "x 2", "x 3"])
  }

  @Test(arguments: [true, false])
  func `nothing remains of a file that is not whole`(unnamed: Bool) throws {
    let sink = try FileSink(in: target, named: "x", unnamed: unnamed)
    let failure = Result<ContentType, XDnDError>.failure(.displayClosed)
    #expect(sink.close(after: failure) == failure)
    #expect(sink.name == nil)
    #expect(names == [])
  }

  @Test(arguments: [true, false])
  func `a directory that is removed takes the file with it`(unnamed: Bool) throws {
    #expect(mkdir(directory("sub"), 0o700) == 0)
    let sub = try FileDirectory(directory("sub"))
    let sink = try FileSink(in: sub, named: "x", unnamed: unnamed)
    try FileManager.default.removeItem(atPath: directory("sub"))
    let error = #expect(throws: XDnDError.self) { try sink.close(after: Self.whole).get() }
    #expect(error?.code == .fileNotWritten)
    #expect(error?.message == "cannot write '\(directory("sub/x"))': No such file or directory")
    #expect(throws: XDnDError.self) { try sub.save([], named: "x") }
  }

  @Test func `a name that is none is an error, one with directories is its last part`() throws {
    for name in ["", ".", "..", "/", "\0", " "] {
      #expect(throws: XDnDError.self) { try target.save([], named: name) }
    }
    #expect(try target.save([], named: "../../x").path == directory("x"))
    #expect(names == ["x"])
  }

  @Test func `a directory is moved only to where nothing is`() throws {
    let place = try FileDirectory(directory.path)
    #expect(mkdir(directory("from"), 0o755) == 0)
    let from = try FileDirectory(directory("from"))
    _ = try from.save([1], named: "tree-file")
    #expect(mkdir(directory("from/tree"), 0o755) == 0)
    #expect(mkdir(directory("taken"), 0o755) == 0)
    func move(_ name: String, as newName: String) throws {
      try from.handle.rename(Array(name.utf8), to: place.handle, as: Array(newName.utf8))
    }
    #expect(throws: SystemError(EEXIST)) { try move("tree", as: "taken") }
    try move("tree", as: "tree")
    #expect(throws: SystemError(ENOENT)) { try move("none", as: "left") }
    #expect(names == ["from", "taken", "tree"])
  }

  @Test func `nothing is taken over unseen that a source adds at the last moment`() async throws {
    for round in 0..<20 {
      let staging = try SaveStaging(in: target, PeerLimits())
      let uri = staging.uri(of: "file")
      let place = String(decoding: try #require(FileList.rawLocalPath(of: uri, hostName: nil)), as: UTF8.self)
      #expect(Saving.write("x", to: place))
      let isOver = Atomic(false)
      let count = Atomic(0)
      async let added: Void = onOwnThread {
        // Without a bound, it adds faster than they are moved.
        while !isOver.load(ordering: .relaxed), count.load(ordering: .relaxed) < 200 {
          _ = symlink("/etc/passwd", "\(place)-\(round)-\(count.load(ordering: .relaxed))")
          count.add(1, ordering: .relaxed)
        }
      }
      while count.load(ordering: .relaxed) == 0 { await Task.yield() }
      let result = Result { try staging.takeOver(fallbackName: "file") }
      isOver.store(true, ordering: .relaxed)
      try await added
      #expect(try result.get().map(\.byteCount) == [1])
      staging.remove()
    }
    let kinds = names.map { name in
      var status = stat()
      return lstat(directory(name), &status) == 0 ? status.st_mode & S_IFMT : 0
    }
    #expect(kinds == Array(repeating: S_IFREG, count: 20))
  }

  @Test(arguments: [["1", "2", "3", "4"], ["in/1", "in/2", "in/3"], ["in/in/in/1"], ["big"]])
  func `more than a source may save is neither looked at to its end nor taken over`(_ files: [String]) throws {
    var limits = PeerLimits()
    (limits.maximumSavedFileCount, limits.maximumSavedDepth, limits.maximumFileTransferSize) = (3, 2, 100)
    let staging = try SaveStaging(in: target, limits)
    let place = String(
      decoding: try #require(FileList.rawLocalPath(of: staging.uri(of: ""), hostName: nil)), as: UTF8.self)
    for file in files {
      let url = URL(fileURLWithPath: place + file)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      #expect(Saving.write(file == "big" ? String(repeating: "x", count: 101) : "x", to: url.path))
    }
    for error in [
      #expect(throws: XDnDError.self) { _ = try staging.look() },
      #expect(throws: XDnDError.self) { try staging.takeOver(fallbackName: "file") },
    ] {
      #expect(error?.code == .tooLarge)
    }
    staging.remove()
    #expect(names == [])
  }

  @Test func `as much as a source may save is taken over`() throws {
    var limits = PeerLimits()
    (limits.maximumSavedFileCount, limits.maximumSavedDepth, limits.maximumFileTransferSize) = (3, 2, 3)
    let staging = try SaveStaging(in: target, limits)
    let place = String(
      decoding: try #require(FileList.rawLocalPath(of: staging.uri(of: ""), hostName: nil)), as: UTF8.self)
    try FileManager.default.createDirectory(atPath: place + "in/in", withIntermediateDirectories: true)
    #expect(Saving.write("xyz", to: place + "in/in/file"))
    #expect(try staging.look()?.entryCount == 3)
    #expect(try staging.takeOver(fallbackName: "file").count == 1)
    staging.remove()
    #expect(names == ["in"])
  }

  @Test func `files whose names become the same are numbered, however many there are`() throws {
    let staging = try SaveStaging(in: target, PeerLimits())
    let place = String(
      decoding: try #require(FileList.rawLocalPath(of: staging.uri(of: ""), hostName: nil)), as: UTF8.self)
    // A control character is replaced.
    let controls = (1...31).map { "\(place)x\(Character(UnicodeScalar(UInt8($0))))" }
    for path in controls { #expect(Saving.write("x", to: path)) }
    let saved = try staging.takeOver(fallbackName: "file")
    #expect(Set(saved.map(\.path)).count == 31)
    #expect(saved.count == 31)
    staging.remove()
  }

  @Test func `sparse files that are larger together than any number are no sum`() throws {
    var template = Array("/dev/shm/xdnd-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { try? FileManager.default.removeItem(atPath: path) }
    var limits = PeerLimits()
    limits.maximumFileTransferSize = .max
    let staging = try SaveStaging(in: try FileDirectory(path), limits)
    for name in ["a", "b"] {
      let file = try #require(FileList.rawLocalPath(of: staging.uri(of: name), hostName: nil))
      let descriptor = open(String(decoding: file, as: UTF8.self), O_CREAT | O_WRONLY, 0o600)
      defer { close(descriptor) }
      // Few file systems have files of this size; tmpfs has.
      guard ftruncate(descriptor, .max) == 0 else { return }
    }
    #expect(try staging.look()?.byteCount == .max)
    staging.remove()
  }

  @Test func `a killed process leaves a staging directory, which the next one removes`() throws {
    let staging = ".xdnd-" + String(repeating: "a", count: 20)
    for (name, age) in [(staging, 700), (".xdnd-mine", 700), (".xdnd-" + String(repeating: "b", count: 20), 0)] {
      #expect(mkdir(directory(name), 0o700) == 0)
      #expect(Saving.write("x", to: directory(name) + "/file"))
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      now.tv_sec -= age
      let times = [now, now]
      #expect(utimensat(AT_FDCWD, directory(name), times, 0) == 0)
    }
    let own = try SaveStaging(in: target, PeerLimits())
    #expect(!names.contains(staging))
    #expect(names.count == 3)
    own.remove()
    #expect(names == [".xdnd-" + String(repeating: "b", count: 20), ".xdnd-mine"])
  }
}
