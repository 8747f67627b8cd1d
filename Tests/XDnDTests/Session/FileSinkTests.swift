import XDnDFiles
import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Files that have their name only when they are whole, with a name for the meantime and without.
@Suite("Files that content is loaded into")
struct FileSinkTests {
  private let directory: TemporaryDirectory
  private static let whole: Result<ContentType, XDnDError> = .success("a/b")

  init() throws { directory = try TemporaryDirectory() }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  private func content(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: directory(name)).map(Array.init)
  }

  private func mode(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(directory(name), &status) == 0 ? status.st_mode : nil
  }

  private func sink(_ name: String, replacing: Bool = true, unnamed: Bool) throws -> FileSink {
    try FileSink(FileDestination(directory(name), replacing: replacing), unnamed: unnamed)
  }

  private func expectFailure(
    _ words: String, _ name: String, _ error: (any Error)?, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect((error as? XDnDError)?.code == .fileNotWritten, sourceLocation: location)
    #expect(
      (error as? XDnDError)?.message == "cannot write '\(directory(name))': \(words)", sourceLocation: location)
  }

  @Test(arguments: [true, false])
  func `a file appears when it is whole`(unnamed: Bool) throws {
    let sink = try sink("out", unnamed: unnamed)
    #expect([1, 2, 3].withUnsafeBytes(sink.write))
    #expect(content("out") == nil)
    if !unnamed { #expect(names == [".xdnd-\(getpid())-0"]) }
    #expect(sink.close(after: Self.whole) == Self.whole)
    #expect(names == ["out"])
    #expect(content("out")?.count == 24)
    let mask = try CreationMask.current()
    #expect(mode("out") == S_IFREG | 0o666 & ~mask)
  }

  @Test func `nobody else can read a file before it has its name`() throws {
    _ = try directory.write("old".utf8, to: "replaced")
    #expect(chmod(directory("replaced"), 0o644) == 0)
    for name in ["new", "replaced"] {
      let sink = try sink(name, unnamed: false)
      #expect([1, 2, 3].withUnsafeBytes(sink.write))
      #expect(mode(".xdnd-\(getpid())-0") == S_IFREG | 0o600)
      #expect(sink.close(after: Self.whole) == Self.whole)
    }
    #expect(mode("replaced") == S_IFREG | 0o644)
  }

  @Test(arguments: [true, false])
  func `a file takes the place of another, with its permissions`(unnamed: Bool) throws {
    _ = try directory.write("old".utf8, to: "out")
    #expect(chmod(directory("out"), 0o602) == 0)
    let sink = try sink("out", unnamed: unnamed)
    #expect(Array("new".utf8).withUnsafeBytes(sink.write))
    #expect(content("out") == Array("old".utf8))
    #expect(sink.close(after: Self.whole) == Self.whole)
    #expect(content("out") == Array("new".utf8))
    #expect(mode("out") == S_IFREG | 0o602)
    #expect(names == ["out"])
  }

  @Test(arguments: [true, false])
  func `nothing remains of a file that is not whole`(unnamed: Bool) throws {
    _ = try directory.write("old".utf8, to: "out")
    var abandoned: FileSink? = try sink("out", unnamed: unnamed)
    #expect(abandoned.map { [1].withUnsafeBytes($0.write) } == true)
    abandoned = nil
    let failed = try sink("out", unnamed: unnamed)
    let failure = Result<ContentType, XDnDError>.failure(.displayClosed)
    #expect(failed.close(after: failure) == failure)
    #expect(names == ["out"])
    #expect(content("out") == Array("old".utf8))
  }

  @Test(arguments: [true, false])
  func `files that are written at the same time do not get into each other's way`(unnamed: Bool) throws {
    let sinks = try (0..<3).map { try sink("out \($0)", unnamed: unnamed) }
    for (index, sink) in sinks.enumerated() {
      #expect([UInt8(index)].withUnsafeBytes(sink.write))
      #expect(sink.close(after: Self.whole) == Self.whole)
    }
    #expect(names == ["out 0", "out 1", "out 2"])
    #expect((0..<3).map { content("out \($0)") } == [[0], [1], [2]])
  }

  @Test(arguments: [true, false])
  func `without permission to replace, nothing is replaced, not even what has come meanwhile`(unnamed: Bool) throws {
    let sink = try sink("out", replacing: false, unnamed: unnamed)
    let next = try self.sink("next", replacing: false, unnamed: unnamed)
    _ = try directory.write("other".utf8, to: "out")
    let result = sink.close(after: Self.whole)
    expectFailure("File exists", "out", #expect(throws: XDnDError.self) { try result.get() })
    #expect(content("out") == Array("other".utf8))
    let error = #expect(throws: XDnDError.self) {
      try self.sink("out", replacing: false, unnamed: unnamed)
    }
    expectFailure("File exists", "out", error)
    #expect(next.close(after: Self.whole) == Self.whole)
    #expect(names == ["next", "out"])
  }

  @Test(arguments: [true, false])
  func `a directory that goes away takes the file with it`(unnamed: Bool) throws {
    #expect(mkdir(directory("sub"), 0o700) == 0)
    let sink = try sink("sub/out", unnamed: unnamed)
    try FileManager.default.removeItem(atPath: directory("sub"))
    #expect([1].withUnsafeBytes(sink.write))
    let result = sink.close(after: Self.whole)
    expectFailure("No such file or directory", "sub/out", #expect(throws: XDnDError.self) { try result.get() })
    #expect(names == [])
  }

  @Test(arguments: [true, false])
  func `a directory in the place of the file is not replaced`(unnamed: Bool) throws {
    let sink = try sink("out", unnamed: unnamed)
    #expect(mkdir(directory("out"), 0o700) == 0)
    let result = sink.close(after: Self.whole)
    expectFailure("Is a directory", "out", #expect(throws: XDnDError.self) { try result.get() })
    #expect(names == ["out"])
  }

  @Test func `a symbolic link stays, and what it leads to is written`() throws {
    #expect(mkdir(directory("sub"), 0o700) == 0)
    _ = try directory.write([], to: "sub/file")
    #expect(symlink("sub/file", directory("link")) == 0)
    let sink = try sink("link", unnamed: true)
    #expect([7].withUnsafeBytes(sink.write))
    #expect(sink.close(after: Self.whole) == Self.whole)
    #expect(mode("link").map { $0 & S_IFMT } == S_IFLNK)
    #expect(content("sub/file")?.count == 8)
  }

  @Test func `what cannot be a file is told before anything is written`() throws {
    #expect(mkfifo(directory("pipe"), 0o600) == 0)
    #expect(symlink("nowhere", directory("link")) == 0)
    let cases = [
      ("", "Is a directory"), ("none/out", "No such file or directory"), ("link", "No such file or directory"),
      ("pipe", "Invalid argument"), ("pipe/out", "Not a directory"), ("a\0b", "Invalid argument"),
    ]
    for (name, words) in cases {
      let destination = FileDestination(directory(name))
      expectFailure(words, name, #expect(throws: XDnDError.self) { try destination.check() })
      expectFailure(words, name, #expect(throws: XDnDError.self) { try FileSink(destination) })
    }
    #expect(throws: XDnDError.self) { try FileDestination("").check() }
    #expect(names == ["link", "pipe"])
  }

  @Test func `names need not be UTF-8`() throws {
    let path = Array(directory.path.utf8) + [UInt8(ascii: "/"), 0xFF]
    let sink = try FileSink(FileDestination(rawPath: path))
    #expect(sink.close(after: Self.whole) == Self.whole)
    #expect(withCPath(path) { access($0, F_OK) } == 0)
    #expect(withCPath(path) { unlink($0) } == 0)
  }

  @Test(arguments: [true, false])
  func `a file is synced on the way, and is whole all the same`(unnamed: Bool) throws {
    let sink = try sink("out", unnamed: unnamed)
    let part = [UInt8](repeating: 42, count: 11 << 20)
    for _ in 0..<4 { #expect(part.withUnsafeBytes(sink.write)) }
    #expect(sink.close(after: Self.whole) == Self.whole)
    var status = stat()
    #expect(stat(directory("out"), &status) == 0)
    #expect(status.st_size == 44 << 20)
  }
}
