import Foundation
import Glibc
import Testing

@testable import XDnDFileOperations

/// What the checksum is, is the caller's business: here it is a sum.
private final class Sum: Checksum {
  private var sum = 0

  func update(_ bytes: UnsafeRawBufferPointer) { for byte in bytes { sum += Int(byte) } }
  var hexDigest: String { String(sum, radix: 16) }
}

@Suite("Checksums of files, beside other work", .timeLimit(.minutes(1)))
struct ChecksumTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs a task to its end.
  private func results(of paths: [String]) throws -> [(path: String, result: Result<ChecksumTask.Value, FileError>)] {
    var results: [(String, Result<ChecksumTask.Value, FileError>)] = []
    let task = try ChecksumTask(paths.map(raw), makeChecksum: { Sum() }) {
      results.append((String(decoding: $0.path, as: UTF8.self), $0.result))
    }
    while !task.isFinished {
      var descriptor = pollfd(fd: task.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, -1)
      task.process()
    }
    return results
  }

  @Test func `each path is told once, in the order of the list`() throws {
    let files = try (0..<300).map { try scratch.write("\u{1}", to: "\($0)") }
    let results = try results(of: files + files.reversed())
    #expect(results.map(\.path) == files)
    #expect(results.allSatisfy { $0.result == .success(ChecksumTask.Value(byteCount: 1, digest: "1")) })
  }

  @Test func `a file is read once, by whatever name it is listed`() throws {
    let file = raw(try scratch.write("\u{1}\u{2}", to: "file"))
    #expect(link(scratch("file"), scratch("twin")) == 0)
    #expect(symlink("file", scratch("link")) == 0)
    let reader = ChecksumReader(makeChecksum: { Sum() }, isCancelled: { false })
    for path in [file, raw(scratch("twin")), raw(scratch("link")), raw(scratch("./file"))] {
      #expect(reader.result(of: path) == .success(ChecksumTask.Value(byteCount: 2, digest: "3")))
    }
    #expect(reader.readCount == 1)
  }

  @Test func `only regular files are read, and none further than it was long`() throws {
    #expect(mkfifo(scratch("pipe"), 0o600) == 0)
    let reader = ChecksumReader(makeChecksum: { Sum() }, isCancelled: { false })
    for path in [scratch("pipe"), scratch.path, "/dev/zero", scratch("missing"), "/proc/self/status"] {
      #expect(throws: FileError.self, "\(path)") { try reader.result(of: raw(path)).get() }
    }
    // What the kernel makes up says that it has no bytes.
    #expect(reader.readCount == 1)
  }

  @Test func `a cancelled task says no more, also of a file that is being read`() throws {
    try scratch.write("", to: "huge")
    #expect(truncate(scratch("huge"), 1 << 40) == 0)
    var hasTold = false
    let task = try ChecksumTask([raw(scratch("huge"))], makeChecksum: { Sum() }) { _ in hasTold = true }
    task.cancel()
    // The thread rings when it ends.
    var descriptor = pollfd(fd: task.fileDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&descriptor, 1, 30_000) == 1)
    task.process()
    #expect(!hasTold && task.isFinished)
  }

  @Test func `a handler that cancels the task is not called again`() throws {
    let files = try (0..<10).map { raw(try scratch.write("", to: "\($0)")) }
    var (count, task) = (0, ChecksumTask?.none)
    task = try ChecksumTask(files, makeChecksum: { Sum() }) { _ in
      count += 1
      task?.cancel()
    }
    while let task, !task.isFinished {
      var descriptor = pollfd(fd: task.fileDescriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&descriptor, 1, 30_000) == 1)
      task.process()
    }
    #expect(count == 1)
  }
}
