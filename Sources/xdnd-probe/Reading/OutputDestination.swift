import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD

/// The destination of dropped bytes: standard output, a device or pipe, which are written as data arrives, or a file,
/// which appears under its name only when it is complete.
struct OutputDestination {
  enum Kind {
    case standardOutput
    /// A device or pipe; it is never replaced.
    case stream([UInt8])
    case file(FileDestination)
  }

  /// The name as given; `nil` for a command's temporary file.
  let argument: String?
  let kind: Kind

  /// Parses the argument and checks, as far as possible, that the destination can be written to.
  ///
  /// - Parameter argument: From the command line; `-` is standard output.
  init(_ argument: String) throws(DropFailure) {
    self.argument = argument
    let path = RawArgument.bytes(of: argument)
    if argument == "-" {
      kind = .standardOutput
    } else if case .special? = (try? FileStatus(at: path))?.kind {
      kind = .stream(path)
      if withCPath(path, { access($0, W_OK) }) != 0 { throw .cannotWrite(argument, errno) }
    } else {
      let destination = FileDestination(rawPath: path)
      kind = .file(destination)
      do { try destination.check() } catch { throw DropFailure(error.message) }
    }
  }

  init(scratchFile path: [UInt8]) {
    argument = nil
    kind = .file(FileDestination(rawPath: path))
  }

  /// Whether bytes already written cannot be withdrawn.
  var isStream: Bool { if case .file = kind { false } else { true } }
}

extension DropFailure {
  static func cannotWrite(_ argument: String, _ code: CInt) -> DropFailure {
    DropFailure("cannot write '\(argument)': \(String(cString: strerror(code)))")
  }
}

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

/// Returns a path that no program takes for an option: absolute, or with `./` in front. A source may drop a file with
/// the name `--checkpoint-action=exec=…`, which `tar` would execute.
///
/// - Parameter path: The path of a file. A relative one may begin with a hyphen.
func argumentPath(_ path: RawPath) -> RawPath {
  path.first == UInt8(ascii: "/") || path.starts(with: "./".utf8) ? path : Array("./".utf8) + path
}

/// Returns the absolute path, relative to the working directory. Does not access the file, and keeps symbolic links.
func absolutePath(_ path: RawPath) -> RawPath {
  guard path.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  return RawPath(cString: directory).appending(path)
}
