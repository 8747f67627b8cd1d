import XDnDFiles
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Promised files as a `text/uri-list`.
@Suite("Temporary containers", .timeLimit(.minutes(5)))
struct PromiseContainerTests {
  private let directory: TemporaryDirectory
  private let loop: PromiseLoop
  private let root: String

  init() throws {
    directory = try TemporaryDirectory("container")
    loop = try PromiseLoop()
    root = directory("root")
  }

  private func container(_ promises: [FilePromise]) throws -> PromiseContainer {
    try loop.container(promises, in: root)
  }

  private func paths(_ container: PromiseContainer) -> [String] {
    container.uris.uris.compactMap { FileList.localPath(of: $0) }
  }

  private func names(_ container: PromiseContainer) -> [String] {
    paths(container).map { String(decoding: Array($0.utf8).lastName, as: UTF8.self) }
  }

  private func file(_ name: String, _ text: String = "x") -> FilePromise {
    FilePromise(named: name, type: .data, bytes: Array(text.utf8))
  }

  @Test func `where the files will be is known before they are, and nothing is done before it is started`() throws {
    let container = try container([file("note.txt", "1"), file("note.txt", "22"), FilePromise(directory: "d", [])])
    #expect(names(container) == ["note.txt", "note 2.txt", "d"])
    #expect(container.advance(at: .zero) == nil)
    #expect(!loop.isRinging)
    #expect(paths(container).allSatisfy { OnDisk.status($0) == nil })
    container.start()
    container.start()
    #expect(loop.isRinging)
    try loop.run(container.advance).get()
    #expect(paths(container).prefix(2).map(OnDisk.content) == [Array("1".utf8), Array("22".utf8)])
    #expect(OnDisk.names(paths(container)[2]) == [])
    #expect(container.nextDeadline == nil)
    container.remove()
    #expect(OnDisk.names(root) == [])
    try container.advance(at: .zero)?.get()
  }

  @Test func `a directory, or a file as long as it will be, keeps each place until what was promised takes it`() throws
  {
    mkdir(directory("original"), 0o700)
    try OnDisk.write("copied", to: directory("original/copy"))
    let container = try container([
      file("note.txt", "1"), FilePromise(directory: "d", [file("in it", "22")]),
      FilePromise(copying: Array(directory("original").utf8), named: "e"),
      FilePromise(named: "?", type: .data) { $0.fulfill([3]) },
    ])
    container.reserve()
    #expect(OnDisk.content(paths(container)[0]) == [0])
    #expect(paths(container)[1...2].map(OnDisk.names) == [[], []])
    #expect(OnDisk.status(paths(container)[3]) == nil)
    container.start()
    container.reserve()
    try loop.run(container.advance).get()
    #expect(OnDisk.content(paths(container)[0]) == Array("1".utf8))
    #expect(OnDisk.names(paths(container)[1]) == ["in it"])
    #expect(OnDisk.names(paths(container)[2]) == ["copy"])
    #expect(OnDisk.content(paths(container)[3]) == [3])
    container.remove()
    #expect(OnDisk.names(root) == [])
  }

  @Test func `a copy that takes a reserved place has the permissions of its original`() throws {
    try OnDisk.write("#!/bin/sh", to: directory("script"), mode: 0o755)
    try OnDisk.write("", to: directory("empty"), mode: 0o755)
    let container = try container(["script", "empty"].map { FilePromise(copying: Array(directory($0).utf8)) })
    container.reserve()
    #expect(paths(container).allSatisfy { OnDisk.status($0) != nil })
    container.start()
    try loop.run(container.advance).get()
    #expect(paths(container).map(OnDisk.mode) == [0o755, 0o755])
  }

  @Test func `it tells how much is written, and of how much if each length is known`() throws {
    let container = try container([file("one", "1"), file("two", "22")])
    #expect(container.byteCount == 3 && container.writtenByteCount == 0)
    container.start()
    try loop.run(container.advance).get()
    #expect(container.writtenByteCount == 3)
    let unknown = FilePromise(named: "?", type: .data) { $0.fulfill([1]) }
    #expect(try self.container([file("one"), unknown]).byteCount == nil)
  }

  @Test func `no name leads out of it, and all are different`() throws {
    let container = try container(
      ["../../etc/passwd", "..", "", "/", "a\u{1}\nb", "x", "x", "x 2", "x"].map { file($0) })
    let names = names(container)
    #expect(names == ["passwd", "untitled", "untitled 2", "untitled 3", "a b", "x", "x 2", "x 2 2", "x 3"])
    container.start()
    try loop.run(container.advance).get()
    let mark = String(decoding: TemporaryFiles.completionMark, as: UTF8.self)
    #expect(OnDisk.names(OnDisk.names(root).first.map { "\(root)/\($0)" } ?? "") == ([mark] + names).sorted())
  }

  @Test func `the first failure ends it, and nothing remains`() throws {
    var asked = 0
    let container = try container([
      file("1"), FilePromise(named: "2", type: .data) { $0.refuse() },
      FilePromise(named: "3", type: .data) { _ in asked += 1 },
    ])
    container.start()
    #expect(code(try loop.run(container.advance)) == .transferRefused)
    #expect(code(container.advance(at: .zero)) == .transferRefused)
    #expect(asked == 0)
    container.keep()
    #expect(OnDisk.names(root) == [])
  }

  @Test func `files are made one after the other, and the time limit is that of the one being made`() throws {
    let pipe = try Pipe()
    let container = try container([
      file("1"), FilePromise(named: "2", type: .data) { $0.fulfill(readingFrom: pipe.readEnd) }, file("3"),
    ])
    container.start()
    while container.advance(at: .zero) == nil, container.nextDeadline == nil {}
    #expect(container.nextDeadline == LoopTime.zero + PromiseLoop.timeout)
    #expect(paths(container).map { OnDisk.status($0) != nil } == [true, false, false])
    container.remove()
    #expect(pipe.isBroken(within: .seconds(10)))
    #expect(code(container.advance(at: .zero)) == .cancelled)
    #expect(OnDisk.names(root) == [])
    pipe.closeWriter()
  }

  @Test func `files stay with the container, and longer if they are kept`() throws {
    var container: PromiseContainer? = try container([file("1")])
    container?.start()
    _ = try loop.run { container?.advance(at: $0) }
    #expect(OnDisk.names(root).count == 1)
    container = nil
    #expect(OnDisk.names(root) == [])
    container = try self.container([file("1")])
    container?.start()
    _ = try loop.run { container?.advance(at: $0) }
    container?.keep()
    container = nil
    #expect(OnDisk.names(root).count == 1)
  }

  @Test func `a provider may remove the container that it is asked for`() throws {
    var container: PromiseContainer?
    container = try self.container([
      FilePromise(named: "1", type: .data) {
        container?.remove()
        $0.fulfill([1])
      }
    ])
    container?.start()
    #expect(code(container?.advance(at: .zero)) == .cancelled)
    container = nil
    #expect(OnDisk.names(root) == [])
  }

  @Test func `a container that is removed by somebody else is a failure`() throws {
    let container = try container([file("1")])
    #expect(rmdir("\(root)/\(OnDisk.names(root).first ?? "")") == 0)
    container.start()
    #expect(code(try loop.run(container.advance)) == .fileNotWritten)
  }

  @Test func `to make one removes those that are left from long ago`() throws {
    #expect(mkdir(root, 0o700) == 0)
    let old = "\(root)/.xdnd-abcdefghij0123456789"
    #expect(mkdir(old, 0o700) == 0)
    OnDisk.setModified(old, seconds: 0)
    let container = try container([file("1")])
    #expect(OnDisk.status(old) == nil)
    container.start()
    try loop.run(container.advance).get()
  }

  @Test func `a home directory that holds the container can be promised`() throws {
    #expect(mkdir(directory("home"), 0o700) == 0)
    try OnDisk.write("mine", to: directory("home/file"))
    let container = try loop.container(
      [FilePromise(copying: Array(directory("home").utf8))], in: directory("home/cache"))
    container.start()
    try loop.run(container.advance).get()
    #expect(paths(container).map(OnDisk.names) == [["cache", "file"]])
  }

  @Test func `without a place for temporary files there is no container`() {
    #expect(throws: XDnDError.self) {
      try PromiseContainer([file("1")], doorbell: loop.doorbell, timeout: .zero, in: nil)
    }
  }
}
