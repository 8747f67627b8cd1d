import Files
import Glibc
import ToolSupport
import XDnD

/// The destination of dropped bytes: standard output, a device or pipe, which are written as data arrives, or a file,
/// which appears under its name only when it is complete.
struct OutputDestination {
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
    } else if withCPath(path, { stat($0, &status) }) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      kind = .stream(path)
      if withCPath(path, { access($0, W_OK) }) != 0 { throw Failure(argument, errno) }
    } else {
      let destination = FileDestination(rawPath: path)
      kind = .file(destination)
      do { try destination.check() } catch { throw Failure(sentence: error.message) }
    }
  }

  /// Creates the destination for a command's temporary file.
  init(scratchFile path: [UInt8]) {
    argument = RawArgument.string(path)
    isScratch = true
    kind = .file(FileDestination(rawPath: path))
  }
}

extension OutputDestination.Failure {
  init(_ argument: String, _ code: CInt) {
    sentence = "cannot write '\(argument)': \(String(cString: strerror(code)))"
  }
}
