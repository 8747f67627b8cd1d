import Glibc
import ToolSupport

/// Where dropped bytes go: standard output, a device or a pipe as they come, or a file that appears under its name only
/// when it is whole.
final class OutputFile {
  private let destination: Destination
  private let descriptor: CInt
  private let temporary: [UInt8]?
  /// Whether the file has got its name, or has been given up.
  private var isClosed = false

  private nonisolated(unsafe) static var count = 0

  /// Why a file could not be written.
  struct Failure: Error {
    let sentence: String
  }

  /// A place that can be written to, as far as one can tell before.
  struct Destination {
    /// As the user said it.
    let argument: String
    /// As the file system has it; symbolic links are followed, so that they stay.
    fileprivate let path: [UInt8]
    fileprivate let kind: Kind

    fileprivate enum Kind {
      case standardOutput
      /// Is replaced, by one with the same permissions if there is one.
      case file(mode: mode_t?)
      /// A device or a pipe: it is never replaced.
      case stream
    }

    /// - Parameter argument: From the command line; `-` is standard output.
    init(_ argument: String) throws(Failure) {
      self.argument = argument
      let given = RawArgument.bytes(of: argument)
      guard argument != "-" else {
        (path, kind) = (given, .standardOutput)
        return
      }
      var status = stat()
      if withPath(given, { stat($0, &status) }) == 0 {
        let type = status.st_mode & S_IFMT
        path = resolvedPath(given) ?? given
        kind = type == S_IFREG ? .file(mode: status.st_mode & 0o777) : .stream
        if type == S_IFDIR { throw Failure(argument, EISDIR) }
        if withPath(path, { access($0, W_OK) }) != 0 { throw Failure(argument, errno) }
      } else if errno == ENOENT, !given.isEmpty, withPath(given, { lstat($0, &status) }) != 0 {
        // Not there yet; a symbolic link that leads nowhere stays an error.
        (path, kind) = (given, .file(mode: nil))
      } else {
        throw Failure(argument, errno)
      }
      if case .file = kind, withPath(directory, { access($0, W_OK | X_OK) }) != 0 { throw Failure(argument, errno) }
    }

    /// With the slash at its end.
    fileprivate var directory: [UInt8] {
      path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? Array("./".utf8)
    }
  }

  /// Opens it.
  init(_ destination: Destination) throws(Failure) {
    self.destination = destination
    switch destination.kind {
    case .standardOutput:
      descriptor = STDOUT_FILENO
      temporary = nil
    case .stream:
      // A pipe that nobody reads is an error, and not a reason to stand still.
      descriptor = withPath(destination.path) { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
      temporary = nil
      guard descriptor >= 0 else { throw Failure(destination.argument, errno) }
      _ = fcntl(descriptor, F_SETFL, 0)
    case .file(let mode):
      // Not made of the name of the file, which may be as long as names can be; drops can overlap.
      Self.count += 1
      let path = destination.directory + Array(".xdnd-probe-\(getpid())-\(Self.count)".utf8)
      descriptor = withPath(path) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
      guard descriptor >= 0 else { throw Failure(destination.argument, errno) }
      temporary = path
      if let mode { _ = fchmod(descriptor, mode) }
    }
  }

  deinit {
    discard()
    if descriptor != STDOUT_FILENO { close(descriptor) }
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
    guard withPath(temporary, { old in withPath(destination.path) { rename(old, $0) } }) == 0 else {
      throw Failure(destination.argument, errno)
    }
    isClosed = true
  }

  /// Leaves nothing of it behind, unless it has its name.
  func discard() {
    guard let temporary, !isClosed else { return }
    isClosed = true
    _ = withPath(temporary) { unlink($0) }
  }
}

extension OutputFile.Failure {
  init(_ argument: String, _ code: CInt) {
    sentence = "cannot write '\(argument)': \(String(cString: strerror(code)))"
  }
}
