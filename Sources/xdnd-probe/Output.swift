import Glibc
import ToolSupport
import XDnD

/// Where dropped bytes go: standard output, a device or a pipe as they come, or a file that appears under its name only
/// when it is whole.
struct Output {
  /// As the user said it.
  let argument: String
  let kind: Kind
  /// Whether it is only for a command, and goes with that.
  let isScratch: Bool

  enum Kind {
    case standardOutput
    /// A device or a pipe: it is never replaced.
    case stream([UInt8])
    case file(FileDestination)
  }

  /// Why something cannot be written to.
  struct Failure: Error {
    let sentence: String
  }

  /// Finds out whether it can be written to, as far as one can tell before.
  ///
  /// - Parameter argument: From the command line; `-` is standard output.
  init(_ argument: String) throws(Failure) {
    self.argument = argument
    isScratch = false
    let path = RawArgument.bytes(of: argument)
    var status = stat()
    if argument == "-" {
      kind = .standardOutput
    } else if withPath(path, { stat($0, &status) }) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      kind = .stream(path)
      if withPath(path, { access($0, W_OK) }) != 0 { throw Failure(argument, errno) }
    } else {
      let destination = FileDestination(rawPath: path)
      kind = .file(destination)
      do { try destination.check() } catch { throw Failure(sentence: error.message) }
    }
  }

  /// For a command.
  init(_ file: ScratchFile) {
    argument = RawArgument.string(file.path)
    isScratch = true
    kind = .file(FileDestination(rawPath: file.path))
  }
}

/// Bytes that are written as they come.
final class OutputStream {
  private let descriptor: CInt

  /// Standard output.
  init() { descriptor = STDOUT_FILENO }

  /// A device or a pipe.
  init(_ path: [UInt8], argument: String) throws(Output.Failure) {
    // A pipe that nobody reads is an error, and not a reason to stand still.
    descriptor = withPath(path) { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Output.Failure(argument, errno) }
    _ = fcntl(descriptor, F_SETFL, 0)
  }

  deinit {
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
}

extension Output.Failure {
  init(_ argument: String, _ code: CInt) {
    sentence = "cannot write '\(argument)': \(String(cString: strerror(code)))"
  }
}
