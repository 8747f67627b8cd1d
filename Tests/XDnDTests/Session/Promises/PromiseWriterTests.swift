import Glibc
import Synchronization
import TestSupport
import Testing

@testable import XDnD

/// Promised files, from the request to the name on the disk.
@Suite("Promised files", .timeLimit(.minutes(5)))
struct PromiseWriterTests {
  private let directory: TemporaryDirectory
  private let loop: PromiseLoop

  init() throws {
    directory = try TemporaryDirectory("promise")
    loop = try PromiseLoop()
  }

  private func promise(_ provide: @escaping (DataRequest) -> Void) -> FilePromise {
    FilePromise(named: "a", type: "a/b", provide: provide)
  }

  @Test(arguments: [0, 1, 70_000, 9_000_000])
  func `each kind of content is exact, and has its name only when it is whole`(size: Int) async throws {
    let bytes = TestContent.bytes(size, seed: size)
    let original = directory("original")
    try FileBytes.write(bytes, to: original)
    let kinds: [@Sendable (DataRequest) -> Void] = [
      { $0.fulfill(bytes) }, { $0.fulfill(contentsOfFile: original) }, { $0.fulfill { bytes } },
      { $0.fulfill(chunks: TestContent.stream(bytes, by: 33_333), byteCount: size) },
    ]
    try await onOwnThread { [directory] in
      for (index, kind) in kinds.enumerated() {
        let loop = try PromiseLoop()
        let path = directory("out \(index)")
        let writer = loop.writer(FilePromise(named: "a", type: "a/b", provide: kind), to: path)
        let result = try loop.run { now in
          #expect(OnDisk.status(path) == nil)
          return writer.advance(at: now)
        }
        #expect(result == .success(size))
        #expect(OnDisk.content(path) == bytes, "kind \(index)")
        #expect(writer.nextDeadline == nil)
        #expect(writer.advance(at: .zero) == .success(size))
      }
    }
  }

  @Test func `the request says what is asked for, and comes only when there is a place`() throws {
    let asked = Mutex<[String]>([])
    let promise = promise { request in
      asked.withLock { $0.append(request.type.name) }
      request.fulfill([1])
    }
    let writer = loop.writer(promise, to: directory("none/out"))
    #expect(words(try loop.run(writer.advance))?.hasSuffix("No such file or directory") == true)
    #expect(asked.withLock { $0 } == [])
    #expect(try loop.write(promise, to: directory("out")) == .success(1))
    #expect(asked.withLock { $0 } == ["a/b"])
  }

  @Test func `a big file is written in pieces, with the loop in between`() throws {
    let original = directory("original")
    let descriptor = open(original, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(ftruncate(descriptor, 30 << 20) == 0)
    close(descriptor)
    let writer = loop.writer(FilePromise(copying: Array(original.utf8)), to: directory("out"))
    var turns = 0
    var longest = 0
    let result = try loop.run { now in
      turns += 1
      let before = writer.writtenByteCount
      defer { longest = max(longest, writer.writtenByteCount - before) }
      return writer.advance(at: now)
    }
    #expect(result == .success(30 << 20))
    #expect(turns >= 7)
    #expect(longest <= 4 << 20)
  }

  @Test func `a provider that is silent for too long has failed, and one that is slow has not`() throws {
    let pipe = try Pipe()
    let path = directory("out")
    let writer = loop.writer(promise { $0.fulfill(readingFrom: pipe.readEnd) }, to: path)
    func at(_ seconds: Int) -> LoopTime { .zero + .seconds(seconds) }
    #expect(writer.advance(at: at(1)) == nil)
    #expect(writer.nextDeadline == at(31))
    #expect(!loop.isRinging)
    pipe.write([1, 2])
    #expect(loop.isRinging)
    #expect(writer.advance(at: at(30)) == nil)
    #expect(writer.nextDeadline == at(60))
    #expect(writer.advance(at: at(59)) == nil)
    let result = writer.advance(at: at(60))
    #expect(code(result) == .timedOut)
    #expect(pipe.isBroken(within: .seconds(10)))
    #expect(OnDisk.names(directory.path) == [])
    pipe.closeWriter()
  }

  @Test func `a provider may answer later, and one that never answers is not waited for`() throws {
    var requests: [DataRequest] = []
    let promise = promise { requests.append($0) }
    let writer = loop.writer(promise, to: directory("out"))
    #expect(writer.advance(at: .zero) == nil)
    #expect(!loop.isRinging)
    requests[0].fulfill([5])
    #expect(loop.isRinging)
    #expect(try loop.run(writer.advance) == .success(1))

    let silent = loop.writer(promise, to: directory("silent"))
    #expect(silent.advance(at: .zero) == nil)
    #expect(silent.nextDeadline == LoopTime.zero + PromiseLoop.timeout)
    #expect(code(silent.advance(at: .zero + PromiseLoop.timeout)) == .timedOut)
    requests[1].fulfill([6])
    #expect(OnDisk.names(directory.path) == ["out"])
  }

  @Test func `what a provider does not give is not there`() async throws {
    struct Broken: Error {}
    let cases: [(XDnDError.Code, @Sendable (DataRequest) -> Void)] = [
      (.transferRefused, { $0.refuse() }), (.transferRefused, { _ in }),
      (.transferRefused, { $0.fulfill(contentsOfFile: "/nonexistent") }),
      (.transferFailed, { $0.fulfill(readingFrom: Pipe.filled([1, 2]), byteCount: 3) }),
      (.transferFailed, { $0.fulfill(readingFrom: Pipe.filled([1, 2]), isComplete: { false }) }),
      (.transferFailed, { $0.fulfill { throw Broken() } }),
    ]
    try await onOwnThread { [directory] in
      for (index, (expected, provide)) in cases.enumerated() {
        let loop = try PromiseLoop()
        let writer = loop.writer(FilePromise(named: "a", type: "a/b", provide: provide), to: directory("out"))
        #expect(code(try loop.run(writer.advance)) == expected, "case \(index)")
        #expect(OnDisk.names(directory.path) == [], "case \(index)")
      }
    }
  }

  @Test func `a file that shrinks while it is read is no copy`() throws {
    let original = directory("original")
    try FileBytes.write(TestContent.bytes(6 << 20), to: original)
    let writer = loop.writer(FilePromise(copying: Array(original.utf8)), to: directory("out"))
    #expect(writer.advance(at: .zero) == nil)
    #expect(truncate(original, 10) == 0)
    #expect(code(try loop.run(writer.advance)) == .transferFailed)
    #expect(OnDisk.names(directory.path) == ["original"])
  }

  @Test func `a file that is changed while it is read is no copy, also if it keeps its length`() throws {
    let original = directory("original")
    let bytes = TestContent.bytes(6 << 20)
    try FileBytes.write(bytes, to: original)
    OnDisk.setModified(original, seconds: 1_000_000)
    let writer = loop.writer(FilePromise(copying: Array(original.utf8)), to: directory("out"))
    #expect(writer.advance(at: .zero) == nil)
    try FileBytes.write(bytes.reversed(), to: original)
    #expect(code(try loop.run(writer.advance)) == .transferFailed)
    #expect(OnDisk.names(directory.path) == ["original"])
  }

  @Test func `a write that has ended is not cancelled any more`() throws {
    let writer = loop.writer(promise { $0.fulfill([1, 2]) }, to: directory("out"))
    #expect(try loop.run(writer.advance) == .success(2))
    #expect(writer.cancel() == .success(2))
    #expect(OnDisk.names(directory.path) == ["out"])
  }

  @Test func `what is cancelled or let go of leaves nothing, and what makes it ends`() throws {
    for isCancelled in [true, false] {
      for isDirectory in [true, false] {
        let pipe = try Pipe()
        pipe.write([1])
        let file = promise { $0.fulfill(readingFrom: pipe.readEnd) }
        let whole = isDirectory ? FilePromise(directory: "d", [file]) : file
        var writer: PromiseWriter? = loop.writer(whole, to: directory("out"))
        _ = writer?.advance(at: .zero)
        #expect(!pipe.isBroken)
        if isCancelled {
          writer?.cancel()
          #expect(code(writer?.advance(at: .zero)) == .cancelled)
        } else {
          writer = nil
        }
        #expect(pipe.isBroken(within: .seconds(10)))
        #expect(OnDisk.names(directory.path) == [])
        pipe.closeWriter()
      }
    }
  }

  @Test func `a provider may cancel what it is asked for`() throws {
    var writer: PromiseWriter?
    writer = loop.writer(
      promise { request in
        writer?.cancel()
        request.fulfill([1])
      }, to: directory("out"))
    #expect(code(writer?.advance(at: .zero)) == .cancelled)
    writer = nil
    #expect(OnDisk.names(directory.path) == [])
  }

  @Test func `a copy has the permissions of its original, unless it replaces a file with content`() throws {
    try OnDisk.write("new", to: directory("original"), mode: 0o755)
    try OnDisk.write("", to: directory("placeholder"), mode: 0o600)
    try OnDisk.write("old", to: directory("old"), mode: 0o600)
    let promise = FilePromise(copying: Array(directory("original").utf8))
    let names = ["absent", "placeholder", "old"]
    for name in names {
      #expect(try loop.write(promise, to: directory(name), replacing: true) == .success(3))
    }
    #expect(names.map { OnDisk.mode(directory($0)) } == [0o755, 0o755, 0o600])
  }

  @Test func `nothing is replaced that is not to be`() throws {
    try OnDisk.write("old", to: directory("out"))
    let file = promise { $0.fulfill(Array("new".utf8)) }
    let tree = FilePromise(directory: "d", [file])
    #expect(code(try loop.write(file, to: directory("out"))) == .fileNotWritten)
    #expect(code(try loop.write(tree, to: directory("out"))) == .fileNotWritten)
    #expect(code(try loop.write(tree, to: directory("out"), replacing: true)) == .fileNotWritten)
    #expect(OnDisk.content(directory("out")) == Array("old".utf8))
    #expect(try loop.write(file, to: directory("out"), replacing: true) == .success(3))
    #expect(OnDisk.content(directory("out")) == Array("new".utf8))
    #expect(OnDisk.names(directory.path) == ["out"])
  }

  @Test func `a full disk is a failure that says so, and leaves nothing`() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = OnDisk.scratch()
      // The kernel does to these files what a full disk does, only with another number.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      let file = FilePromise(named: "a", type: "a/b", bytes: TestContent.bytes(2 << 20))
      let loop = try PromiseLoop()
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      for promise in [file, FilePromise(directory: "d", [file])] {
        let result = try loop.write(promise, to: "\(scratch)/out")
        #expect(words(result) == "cannot write '\(scratch)/out': File too large")
        #expect(code(result) == .fileNotWritten)
        #expect(OnDisk.names(scratch) == [])
      }
      let container = try loop.container([file], in: "\(scratch)/root")
      container.start()
      #expect(code(try loop.run(container.advance)) == .fileNotWritten)
      #expect(OnDisk.names("\(scratch)/root") == [])
      #expect(rmdir("\(scratch)/root") == 0 && rmdir(scratch) == 0)
    }
  }
}
