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
