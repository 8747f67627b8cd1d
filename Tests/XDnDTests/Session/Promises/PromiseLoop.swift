import XDnDFiles
import Glibc
import TestSupport
import Testing

import enum TestSupport.FileBytes

@testable import XDnD

/// What calls a writer, as the driver does: when the doorbell rings.
struct PromiseLoop {
  static let timeout = Duration.seconds(30)
  let doorbell: Doorbell

  init() throws { doorbell = try Doorbell() }

  func writer(
    _ promise: FilePromise, to path: String, replacing: Bool = false, isDurable: Bool = true
  ) -> PromiseWriter {
    PromiseWriter(
      promise, to: FileDestination(path, replacing: replacing), doorbell: doorbell, timeout: Self.timeout,
      isDurable: isDurable)
  }

  func container(_ promises: [FilePromise], in root: String) throws(XDnDError) -> PromiseContainer {
    try PromiseContainer(promises, doorbell: doorbell, timeout: Self.timeout, in: Array(root.utf8))
  }

  /// Calls it until it has a result.
  func run<Value>(_ advance: (LoopTime) -> Result<Value, XDnDError>?) throws -> Result<Value, XDnDError> {
    while true {
      if let result = advance(.zero) { return result }
      // Chunks come from a task, which may wait long for a thread of Swift's pool while other tests run.
      guard Pipe.isReadable(doorbell.fileDescriptor, within: .seconds(120)) else {
        throw HarnessError("nobody has rung")
      }
      doorbell.silence()
    }
  }

  func write(_ promise: FilePromise, to path: String, replacing: Bool = false) throws -> Result<Int, XDnDError> {
    let writer = writer(promise, to: path, replacing: replacing)
    return try run(writer.advance)
  }

  var isRinging: Bool { Pipe.isReadable(doorbell.fileDescriptor) }
}

/// What is there, by the calls of the system: nothing that follows links or repairs names.
enum OnDisk {
  static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  static func mode(_ path: String) -> mode_t? { status(path).map { $0.st_mode & 0o7777 } }

  static func content(_ path: String) -> [UInt8]? {
    guard let descriptor = try? openFile(Array(path.utf8), O_RDONLY | O_NOFOLLOW) else { return nil }
    defer { close(descriptor) }
    return try? readAll(from: descriptor)
  }

  static func names(_ path: String) -> [String] {
    let names = (try? OpenDirectory(Array(path.utf8)).names()) ?? []
    return names.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws {
    try FileBytes.write(Array(text.utf8), to: path)
    guard chmod(path, mode) == 0 else { throw HarnessError("cannot change \(path)", code: errno) }
  }

  static func setModified(_ path: String, seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 5000)
    _ = utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
  }

  /// For child processes that give up root: the directories of the tests are closed to everybody else, and `/tmp` is not.
  /// Each removes it by itself.
  static func scratch() -> String {
    var template = Array("/tmp/xdnd-promise-XXXXXX\0".utf8CString)
    guard mkdtemp(&template) != nil else { return "/nonexistent" }
    return String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

func words(_ result: Result<some Any, XDnDError>?) -> String? {
  if case .failure(let error)? = result { return error.message }
  return nil
}

func code(_ result: Result<some Any, XDnDError>?) -> XDnDError.Code? {
  if case .failure(let error)? = result { return error.code }
  return nil
}
