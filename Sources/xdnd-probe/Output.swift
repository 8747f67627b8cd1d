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

/// Bytes that are written as they come, at the pace of their reader.
final class OutputStream {
  private let buffer: OutputBuffer
  /// A device or a pipe of ours; `nil` for standard output.
  private let descriptor: CInt?
  /// What a terminal is shown instead of the bytes.
  private var shown = TerminalText()

  /// Standard output.
  init() {
    buffer = .standardOutput
    descriptor = nil
  }

  /// A device or a pipe.
  init(_ path: [UInt8], argument: String) throws(Output.Failure) {
    // A pipe that nobody reads is an error, and not a reason to stand still.
    let descriptor = withPath(path) { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw Output.Failure(argument, errno) }
    self.descriptor = descriptor
    buffer = OutputBuffer(descriptor)
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Takes all of it; `false` if it will not be written, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    buffer.write(buffer.isTerminal ? shown.append(bytes) : Array(bytes), isContent: true)
  }

  /// Whether the reader is so far behind that the source should wait.
  var isFull: Bool { buffer.isFull }

  /// Calls `action` when the source may go on.
  func whenReady(on loop: EventLoop, _ action: @escaping () -> Void) {
    loop.when(buffer, keepsAtMost: OutputBuffer.fullness / 2, action)
  }

  /// Waits until all is written, and says whether it is: `false` if the reader has gone before.
  func finish(on loop: EventLoop, _ completion: @escaping (Bool) -> Void) {
    if buffer.isTerminal { buffer.write(shown.finish(), isContent: true) }
    guard buffer.waitingCount > 0 else { return completion(!buffer.hasFailed) }
    // Holds this object, and with it the pipe, until then.
    loop.when(buffer, keepsAtMost: 0) { [self] in completion(!buffer.hasFailed) }
  }
}

extension Output.Failure {
  init(_ argument: String, _ code: CInt) {
    sentence = "cannot write '\(argument)': \(String(cString: strerror(code)))"
  }
}
