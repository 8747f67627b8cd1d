import XDnDFiles
import Glibc
import XDnDToolSupport

/// Writes bytes as they arrive, with back-pressure from the reader.
final class OutputStream {
  let buffer: OutputBuffer
  /// The descriptor of an opened device or pipe; `nil` for standard output.
  private let descriptor: CInt?
  /// Escapes control characters if the output is a terminal.
  private var terminal = TerminalText()

  init() {
    buffer = .standardOutput
    descriptor = nil
  }

  /// Opens a device or pipe.
  init(_ path: [UInt8], argument: String) throws(DropFailure) {
    // With O_NONBLOCK, opening a pipe without a reader fails instead of blocking.
    let descriptor = withCPath(path) { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .cannotWrite(argument, errno) }
    self.descriptor = descriptor
    buffer = OutputBuffer(descriptor)
  }

  deinit { if let descriptor { close(descriptor) } }

  /// Buffers all bytes. Returns `false` if they cannot be written, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    buffer.write(buffer.isTerminal ? terminal.append(bytes) : Array(bytes), isContent: true)
  }

  /// Calls `completion` when all bytes are written, with `false` if that failed or the reader closed its end.
  func finish(on loop: EventLoop, _ completion: @escaping (Bool) -> Void) {
    if buffer.isTerminal { buffer.write(terminal.finish(), isContent: true) }
    guard buffer.waitingCount > 0 else { return completion(!buffer.hasFailed) }
    // The closure retains this object, and with it the pipe, until then.
    loop.when(buffer, keepsAtMost: 0) { [self] in completion(!buffer.hasFailed) }
  }
}
