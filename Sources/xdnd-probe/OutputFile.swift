import Glibc

/// Where dropped bytes go: standard output, or a file that appears under its name only when it is whole.
final class OutputFile {
  private let destination: String
  private let temporary: String?
  private let descriptor: CInt
  private var isCommitted = false

  /// Why a file could not be written.
  struct Failure: Error {
    let sentence: String
  }

  /// - Parameter destination: A path, or `-` for standard output.
  init(_ destination: String) throws(Failure) {
    self.destination = destination
    guard destination != "-" else {
      temporary = nil
      descriptor = STDOUT_FILENO
      return
    }
    let temporary = "\(destination).xdnd-\(getpid())"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw Failure(sentence: "cannot write \(destination): \(String(cString: strerror(errno)))")
    }
    self.temporary = temporary
  }

  deinit {
    guard let temporary else { return }
    close(descriptor)
    if !isCommitted { unlink(temporary) }
  }

  /// Writes all of it; `false` if it cannot, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Gives the file its name.
  func commit() throws(Failure) {
    guard let temporary else { return }
    guard rename(temporary, destination) == 0 else {
      throw Failure(sentence: "cannot write \(destination): \(String(cString: strerror(errno)))")
    }
    isCommitted = true
  }
}
