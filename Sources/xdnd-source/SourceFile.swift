import Glibc

/// What the tool wants to know about a file before anybody asks for it.
struct SourceFile {
  /// Absolute, without symbolic links in it.
  let path: String
  let name: String
  /// In bytes; `nil` for what has no size, such as a directory.
  let size: Int?

  init(_ argument: String) {
    path = Self.absolute(argument)
    name = path.split(separator: "/").last.map(String.init) ?? "/"
    var status = stat()
    size = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Why a file cannot be dragged; `nil` if it can.
  static func problem(with argument: String) -> String? {
    if access(argument, R_OK) == 0 { return nil }
    return "cannot read \(argument): \(String(cString: strerror(errno)))"
  }

  private static func absolute(_ argument: String) -> String {
    guard let resolved = realpath(argument, nil) else { return argument }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
