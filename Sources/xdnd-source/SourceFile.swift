import Glibc
import ToolSupport

/// What the tool wants to know about a file before anybody asks for it.
struct SourceFile {
  /// Absolute, as the bytes that the file system has.
  let path: [UInt8]
  /// For people.
  let name: String
  /// In bytes; `nil` for what has no size, such as a directory.
  let size: Int?

  /// As the file system has it.
  var leaf: [UInt8] { path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [] }

  /// - Parameter argument: From the command line, see ``RawArgument``.
  init(_ argument: String) {
    path = Self.absolute(RawArgument.bytes(of: argument))
    name = path.split(separator: UInt8(ascii: "/")).last.map { RawArgument.string(Array($0)) } ?? "/"
    let status = Self.status(of: path)
    size = status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
  }

  /// Why a file cannot be dragged; `nil` if it can.
  static func problem(with argument: String) -> String? {
    let code = withPath(RawArgument.bytes(of: argument)) { access($0, R_OK) == 0 ? 0 : errno }
    return code == 0 ? nil : "cannot read '\(argument)': \(String(cString: strerror(code)))"
  }

  /// Why the content of a file cannot be dragged; `nil` if it can.
  static func problem(withContentOf argument: String) -> String? {
    if let problem = problem(with: argument) { return problem }
    let mode = status(of: RawArgument.bytes(of: argument)).map { $0.st_mode & S_IFMT }
    return mode == S_IFDIR ? "cannot read '\(argument)': \(String(cString: strerror(EISDIR)))" : nil
  }

  /// What can be read once only: the end of a pipe, as a shell makes it of `<(command)`.
  static func isStream(_ argument: String) -> Bool {
    status(of: RawArgument.bytes(of: argument)).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
  }

  /// The most that is read of a stream.
  static let streamLimit = 256 << 20

  /// All that a stream has; `nil` if it cannot be read or does not end.
  static func readStream(_ argument: String) -> [UInt8]? { read(RawArgument.bytes(of: argument), upTo: streamLimit) }

  /// All that is there; `nil` if it cannot be read or is more.
  static func read(_ path: [UInt8], upTo limit: Int) -> [UInt8]? {
    let descriptor = withPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
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

  /// The place of the file; a symbolic link stays one, for whoever moves the file shall not move what it leads to.
  private static func absolute(_ argument: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let cut = argument.lastIndex(of: slash)
    let name = Array(argument[(cut.map { $0 + 1 } ?? 0)...])
    let isNamed = !name.isEmpty && name != Array(".".utf8) && name != Array("..".utf8)
    guard isNamed else { return resolvedPath(argument) ?? argument }
    let directory = cut.map { Array(argument[...$0]) } ?? Array(".".utf8)
    guard let parent = resolvedPath(directory) else { return argument }
    return parent == [slash] ? parent + name : parent + [slash] + name
  }

  private static func status(of path: [UInt8]) -> stat? {
    var status = stat()
    return withPath(path) { stat($0, &status) } == 0 ? status : nil
  }
}
