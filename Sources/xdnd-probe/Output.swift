import Glibc
import ToolSupport
import XDnD

/// The destination of dropped bytes: standard output, a device or pipe, which are written as data arrives, or a file,
/// which appears under its name only when it is complete.
struct Output {
  /// The name as given.
  let argument: String
  let kind: Kind
  /// Whether this is a temporary file for a command.
  let isScratch: Bool

  enum Kind {
    case standardOutput
    /// A device or pipe; it is never replaced.
    case stream([UInt8])
    case file(FileDestination)
  }

  /// Why a destination cannot be written to.
  struct Failure: Error {
    let sentence: String
  }

  /// Parses the argument and checks, as far as possible, that the destination can be written to.
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

  /// Creates the destination for a command's temporary file.
  init(_ file: ScratchFile) {
    argument = RawArgument.string(file.path)
    isScratch = true
    kind = .file(FileDestination(rawPath: file.path))
  }
}

/// Writes bytes as they arrive, with back-pressure from the reader.
final class OutputStream {
  private let buffer: OutputBuffer
  /// The descriptor of an opened device or pipe; `nil` for standard output.
  private let descriptor: CInt?
  /// Escapes control characters if the output is a terminal.
  private var shown = TerminalText()

  /// Writes to standard output.
  init() {
    buffer = .standardOutput
    descriptor = nil
  }

  /// Opens a device or pipe.
  init(_ path: [UInt8], argument: String) throws(Output.Failure) {
    // With O_NONBLOCK, opening a pipe without a reader fails instead of blocking.
    let descriptor = withPath(path) { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Output.Failure(argument, errno) }
    self.descriptor = descriptor
    buffer = OutputBuffer(descriptor)
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Buffers all bytes. Returns `false` if they cannot be written, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    buffer.write(buffer.isTerminal ? shown.append(bytes) : Array(bytes), isContent: true)
  }

  /// Whether the reader closed its end, or bytes could not be written.
  var hasFailed: Bool { buffer.hasFailed }

  /// Whether the reader is so far behind that the source should wait.
  var isFull: Bool { buffer.isFull }

  /// Calls `action` when the source may continue.
  func whenReady(on loop: EventLoop, _ action: @escaping () -> Void) {
    loop.when(buffer, keepsAtMost: OutputBuffer.fullness / 2, action)
  }

  /// Calls `completion` when all bytes are written, with `false` if that failed or the reader closed its end.
  func finish(on loop: EventLoop, _ completion: @escaping (Bool) -> Void) {
    if buffer.isTerminal { buffer.write(shown.finish(), isContent: true) }
    guard buffer.waitingCount > 0 else { return completion(!buffer.hasFailed) }
    // The closure retains this object, and with it the pipe, until then.
    loop.when(buffer, keepsAtMost: 0) { [self] in completion(!buffer.hasFailed) }
  }
}

extension Output.Failure {
  init(_ argument: String, _ code: CInt) {
    sentence = "cannot write '\(argument)': \(String(cString: strerror(code)))"
  }
}
