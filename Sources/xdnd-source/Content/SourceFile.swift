import Files
import Glibc
import ToolSupport

/// The facts about a file that are needed before a drag.
struct SourceFile {
  /// The absolute path as file system bytes.
  let path: [UInt8]
  /// The file name for display.
  let name: String
  /// The size in bytes; `nil` for anything but a regular file.
  let size: Int?

  /// The file name as file system bytes.
  var leaf: [UInt8] { path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [] }

  /// - Parameter argument: A path in the form of the command line, see ``RawArgument``.
  init(_ argument: String) {
    path = Self.absolute(RawArgument.bytes(of: argument))
    name = path.split(separator: UInt8(ascii: "/")).last.map { RawArgument.string(Array($0)) } ?? "/"
    let status = Self.status(of: path)
    size = status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
  }

  /// Returns why a file cannot be dragged; `nil` if it can.
  static func problem(with argument: String) -> String? {
    let code = withCPath(RawArgument.bytes(of: argument)) { access($0, R_OK) == 0 ? 0 : errno }
    return code == 0 ? nil : "cannot read '\(argument)': \(String(cString: strerror(code)))"
  }

  /// Returns why the content of a file cannot be dragged; `nil` if it can.
  static func problem(withContentOf argument: String) -> String? {
    if let problem = problem(with: argument) { return problem }
    let mode = status(of: RawArgument.bytes(of: argument)).map { $0.st_mode & S_IFMT }
    return mode == S_IFDIR ? "cannot read '\(argument)': \(String(cString: strerror(EISDIR)))" : nil
  }

  /// Whether a path is no regular file and can therefore be read only once, such as the pipe of a shell's
  /// `<(command)`.
  static func isStream(_ argument: String) -> Bool {
    status(of: RawArgument.bytes(of: argument)).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
  }

  /// The maximum number of bytes read from a stream.
  static let streamLimit = 256 << 20

  /// Returns all bytes of a stream; `nil` if it cannot be read or exceeds ``streamLimit``.
  static func readStream(_ argument: String) -> [UInt8]? { read(RawArgument.bytes(of: argument), upTo: streamLimit) }

  /// Returns all bytes of a file; `nil` if it cannot be read or exceeds the limit.
  static func read(_ path: [UInt8], upTo limit: Int) -> [UInt8]? {
    let descriptor = withCPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    return nil
  }

  /// Returns the absolute path without resolving a symbolic link in the last component: moving the file must move the
  /// link, not its destination.
  private static func absolute(_ argument: [UInt8]) -> [UInt8] {
    let cut = argument.lastIndex(of: UInt8(ascii: "/"))
    let name = Array(argument[(cut.map { $0 + 1 } ?? 0)...])
    guard name.isName else { return argument.resolved ?? argument }
    let directory = cut.map { Array(argument[...$0]) } ?? Array(".".utf8)
    return directory.resolved?.appending(name) ?? argument
  }

  private static func status(of path: [UInt8]) -> stat? {
    var status = stat()
    return withCPath(path) { stat($0, &status) } == 0 ? status : nil
  }
}
