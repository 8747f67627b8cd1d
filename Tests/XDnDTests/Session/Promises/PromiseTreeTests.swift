import XDnDFiles
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Promised directories, and copies of what is there.
@Suite("Promised directories", .timeLimit(.minutes(5)))
struct PromiseTreeTests {
  private let directory: TemporaryDirectory
  private let loop: PromiseLoop

  init() throws {
    directory = try TemporaryDirectory("promise")
    loop = try PromiseLoop()
  }

  private func copy(_ name: String) -> FilePromise { FilePromise(copying: Array(directory(name).utf8)) }

  @Test func `a directory has its name when everything is in it`() throws {
    let promise = FilePromise(
      directory: "d",
      [
        FilePromise(named: "note.txt", type: .data, bytes: [1]),
        FilePromise(named: "note.txt", type: .data, bytes: [2, 2]),
        FilePromise(
          directory: "sub", [FilePromise(named: "/etc/../x", type: .data, bytes: []), FilePromise(directory: "e", [])]),
        FilePromise(named: "..", type: .data, bytes: [3, 3, 3]),
      ])
    let out = directory("out")
    let writer = loop.writer(promise, to: out + "/")
    let result = try loop.run { now in
      #expect(OnDisk.status(out) == nil)
      return writer.advance(at: now)
    }
    #expect(result == .success(6))
    #expect(OnDisk.names(directory.path) == ["out"])
    #expect(OnDisk.names(out) == ["note 2.txt", "note.txt", "sub", "untitled"])
    #expect(OnDisk.content("\(out)/note 2.txt") == [2, 2])
    #expect(OnDisk.names("\(out)/sub") == ["e", "x"])
    let mask = try CreationMask.current()
    #expect(OnDisk.mode(out) == 0o777 & ~mask)
    #expect(OnDisk.mode("\(out)/note.txt") == 0o666 & ~mask)
  }

  @Test func `while it is made, nobody else sees it, and every file is asked for in its turn`() throws {
    var asked: [String] = []
    let pipe = try Pipe()
    let promise = FilePromise(
      directory: "d",
      [
        FilePromise(named: "1", type: .data) {
          asked.append("1")
          $0.fulfill(readingFrom: pipe.readEnd)
        },
        FilePromise(named: "2", type: .data) {
          asked.append("2")
          $0.fulfill([])
        },
      ])
    let writer = loop.writer(promise, to: directory("out"))
    #expect(writer.advance(at: .zero) == nil)
    let names = OnDisk.names(directory.path)
    #expect(names.count == 1 && names.allSatisfy { PrivateDirectory.isName(Array($0.utf8)) })
    #expect(OnDisk.mode(directory(names.first ?? "")) == 0o700)
    #expect(asked == ["1"])
    pipe.closeWriter()
    #expect(try loop.run(writer.advance) == .success(0))
    #expect(asked == ["1", "2"])
  }

  @Test func `if one file fails, there is no directory`() throws {
    let promise = FilePromise(
      directory: "d",
      [
        FilePromise(directory: "sub", [FilePromise(named: "1", type: .data, bytes: [1])]),
        FilePromise(named: "2", type: .data) { $0.refuse() },
      ])
    #expect(code(try loop.write(promise, to: directory("out"))) == .transferRefused)
    #expect(OnDisk.names(directory.path) == [])
  }

  @Test func `a copy of a directory is like it, and follows no link`() throws {
    let from = directory("from")
    for path in [from, "\(from)/sub", "\(from)/locked"] { #expect(mkdir(path, 0o755) == 0) }
    try OnDisk.write("run", to: "\(from)/run", mode: 0o4751)
    try OnDisk.write("x", to: "\(from)/sub/x", mode: 0o600)
    try OnDisk.write("y", to: "\(from)/locked/y")
    #expect(symlink("..", "\(from)/sub/up") == 0)
    #expect(symlink("/nonexistent", "\(from)/dangling") == 0)
    #expect(mkfifo("\(from)/pipe", 0o600) == 0)
    let odd = Array(from.utf8) + [UInt8(ascii: "/"), 0xff]
    #expect(withCPath(odd) { mkdir($0, 0o700) } == 0)
    for path in ["run", "dangling", "sub", "locked"] { OnDisk.setModified("\(from)/\(path)", seconds: 1_000_000) }
    #expect(chmod("\(from)/locked", 0o2555) == 0)
    OnDisk.setModified(from, seconds: 2_000_000)
    #expect(chmod(from, 0o751) == 0)

    let promise = copy("from")
    #expect(promise.name == "from")
    #expect(promise.type == .directory)
    let out = directory("out")
    #expect(try loop.write(promise, to: out) == .success(5))
    #expect(OnDisk.names(out) == ["dangling", "locked", "run", "sub", "\u{FFFD}"])
    #expect(OnDisk.content("\(out)/run") == Array("run".utf8))
    #expect(OnDisk.content("\(out)/locked/y") == Array("y".utf8))
    #expect(OnDisk.mode("\(out)/run") == 0o751)
    #expect(OnDisk.mode("\(out)/sub/x") == 0o600)
    #expect(OnDisk.mode("\(out)/locked") == 0o555)
    #expect(OnDisk.mode(out) == 0o751)
    for path in ["run", "dangling", "sub", "locked"] {
      #expect(OnDisk.status("\(out)/\(path)")?.st_mtim.tv_sec == 1_000_000, "\(path)")
    }
    #expect(OnDisk.status(out)?.st_mtim.tv_sec == 2_000_000)
    #expect(OnDisk.status(out)?.st_mtim.tv_nsec == 5000)
    let sub = open("\(out)/sub", O_RDONLY | O_CLOEXEC)
    defer { close(sub) }
    #expect(try readLink(Array("up".utf8), in: sub) == Array("..".utf8))
    #expect(withCPath(Array(out.utf8) + [UInt8(ascii: "/"), 0xff]) { access($0, F_OK) } == 0)
    for path in [from, out] { chmod("\(path)/locked", 0o755) }
  }

  @Test func `a directory that is read when it is asked for has what is in it then`() throws {
    #expect(mkdir(directory("from"), 0o700) == 0)
    let promise = copy("from")
    try OnDisk.write("later", to: directory("from/later"))
    #expect(try loop.write(promise, to: directory("out")) == .success(5))
  }

  @Test func `a file is copied with its permissions, and a link to one is what it leads to`() throws {
    try OnDisk.write("tool", to: directory("tool"), mode: 0o4555)
    OnDisk.setModified(directory("tool"), seconds: 3_000_000)
    #expect(symlink("tool", directory("link")) == 0)
    #expect(copy("link").name == "link")
    for (index, name) in ["tool", "link"].enumerated() {
      #expect(try loop.write(copy(name), to: directory("out \(index)")) == .success(4))
      #expect(OnDisk.status(directory("out \(index)")).map { $0.st_mode } == S_IFREG | 0o555)
      #expect(OnDisk.status(directory("out \(index)"))?.st_mtim.tv_sec == 3_000_000)
    }
  }

  @Test func `what cannot be copied says why`() throws {
    #expect(mkfifo(directory("pipe"), 0o600) == 0)
    let cases = [
      ("pipe", "cannot read '\(directory("pipe"))': it is neither a file nor a directory"),
      ("none", "cannot read '\(directory("none"))': No such file or directory"),
      ("pipe/x", "cannot read '\(directory("pipe/x"))': Not a directory"),
      ("a\0b", "cannot read '\(directory("a\0b"))': Invalid argument"),
    ]
    for (name, message) in cases {
      for promise in [copy(name), FilePromise(directory: "d", [copy(name)])] {
        let result = try loop.write(promise, to: directory("out"))
        #expect(code(result) == .transferFailed)
        #expect(words(result) == message)
      }
    }
    #expect(OnDisk.names(directory.path) == ["pipe"])
    for name in ["/", "..", "x/.", ""] {
      let path = name.hasPrefix("/") || name.isEmpty ? name : directory(name)
      #expect(code(try loop.write(FilePromise(directory: "d", []), to: path)) == .fileNotWritten, "\(name)")
    }
  }

  @Test func `what a killed process has left beside the place is removed`() throws {
    let left = directory(".xdnd-abcdefghij0123456789")
    #expect(mkdir(left, 0o700) == 0)
    try OnDisk.write("x", to: left + "/x")
    OnDisk.setModified(left, seconds: 0)
    #expect(try loop.write(FilePromise(directory: "d", []), to: directory("out")) == .success(0))
    #expect(OnDisk.names(directory.path) == ["out"])
  }

  @Test func `a directory can be copied into itself`() throws {
    #expect(mkdir(directory("from"), 0o700) == 0)
    #expect(mkdir(directory("from/sub"), 0o700) == 0)
    try OnDisk.write("x", to: directory("from/x"))
    #expect(try loop.write(copy("from"), to: directory("from/sub/out")) == .success(1))
    #expect(OnDisk.names(directory("from/sub")) == ["out"])
    #expect(OnDisk.names(directory("from/sub/out")) == ["sub", "x"])
    #expect(OnDisk.names(directory("from/sub/out/sub")) == [])
  }

  @Test func `directories in directories come to an end, as a copy and when they are removed`() throws {
    var path = directory("from")
    for _ in 0...OpenDirectory.greatestDepth {
      #expect(mkdir(path, 0o700) == 0)
      path += "/d"
    }
    let result = try loop.write(copy("from"), to: directory("out"))
    #expect(words(result)?.hasSuffix("it is in too many directories") == true)
    #expect(OnDisk.names(directory.path) == ["from"])
  }

  @Test func `many entries are made in pieces`() throws {
    #expect(mkdir(directory("from"), 0o700) == 0)
    for index in 0..<300 { try OnDisk.write("", to: directory("from/\(index)")) }
    let writer = loop.writer(copy("from"), to: directory("out"), isDurable: false)
    var turns = 0
    let result = try loop.run { now in
      turns += 1
      return writer.advance(at: now)
    }
    #expect(result == .success(0))
    #expect(turns > 4)
    #expect(OnDisk.names(directory("out")).count == 300)
  }

  @Test func `a directory that is removed meanwhile is a failure, and so is one that has come meanwhile`() throws {
    let pipe = try Pipe()
    let promise = FilePromise(
      directory: "d", [FilePromise(named: "f", type: .data) { $0.fulfill(readingFrom: pipe.readEnd) }])
    #expect(mkdir(directory("place"), 0o700) == 0)
    let writer = loop.writer(promise, to: directory("place/out"))
    #expect(writer.advance(at: .zero) == nil)
    try OpenDirectory(Array(directory("place").utf8)).removeContents()
    #expect(rmdir(directory("place")) == 0)
    pipe.closeWriter()
    #expect(code(try loop.run(writer.advance)) == .fileNotWritten)
    #expect(OnDisk.names(directory.path) == [])

    let second = try Pipe()
    let late = loop.writer(
      FilePromise(
        directory: "d", [FilePromise(named: "f", type: .data) { $0.fulfill(readingFrom: second.readEnd) }]),
      to: directory("out"))
    #expect(late.advance(at: .zero) == nil)
    #expect(mkdir(directory("out"), 0o700) == 0)
    second.closeWriter()
    #expect(words(try loop.run(late.advance)) == "cannot write '\(directory("out"))': File exists")
    #expect(OnDisk.names(directory.path) == ["out"])
  }

  @Test func `without permission nothing is read or written, and everything of ours is removed`() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = OnDisk.scratch()
      #expect(chmod(scratch, 0o777) == 0)
      // The superuser may do everything.
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      let from = "\(scratch)/from"
      #expect(mkdir(from, 0o700) == 0 && mkdir("\(from)/locked", 0o700) == 0)
      try OnDisk.write("x", to: "\(from)/locked/x", mode: 0)
      let loop = try PromiseLoop()
      let unread = try loop.write(FilePromise(copying: Array(from.utf8)), to: "\(scratch)/out")
      #expect(words(unread) == "cannot read '\(from)/locked/x': Permission denied")
      #expect(chmod("\(from)/locked/x", 0o400) == 0)
      for mode: mode_t in [0o500, 0] {
        #expect(chmod("\(from)/locked", mode) == 0)
        let file = FilePromise(named: "f", type: .data) { $0.refuse() }
        let promise = FilePromise(directory: "d", [FilePromise(copying: Array(from.utf8)), file])
        #expect(code(try loop.write(promise, to: "\(scratch)/out")) == (mode == 0 ? .transferFailed : .transferRefused))
        #expect(OnDisk.names(scratch) == ["from"])
      }
      #expect(chmod("\(from)/locked", 0o500) == 0 && chmod(from, 0o500) == 0)
      #expect(try loop.write(FilePromise(copying: Array(from.utf8)), to: "\(scratch)/out") == .success(1))
      #expect(OnDisk.mode("\(scratch)/out") == 0o500)
      for promise in [FilePromise(directory: "d", []), FilePromise(named: "f", type: .data, bytes: [])] {
        let result = try loop.write(promise, to: "\(from)/out")
        #expect(words(result) == "cannot write '\(from)/out': Permission denied")
      }
      try OpenDirectory(Array(scratch.utf8)).removeContents()
      #expect(OnDisk.names(scratch) == [])
      if geteuid() == 65534 { #expect(seteuid(0) == 0) }
      #expect(rmdir(scratch) == 0)
    }
  }
}
