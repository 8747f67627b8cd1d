import Glibc

/// A path to write loaded content to.
public struct FileDestination: Hashable, Sendable {
  /// The path as bytes, which need not be UTF-8.
  public let rawPath: [UInt8]
  /// Whether to replace an existing file and keep its permissions. If not, an existing file is an error.
  public let isReplacing: Bool

  /// Creates a destination from a path.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Symbolic links are followed, and the links themselves stay. A relative path is
  ///     resolved when the load begins.
  ///   - replacing: Whether to replace an existing file.
  public init(_ path: String, replacing: Bool = true) {
    self.init(rawPath: Array(path.utf8), replacing: replacing)
  }

  /// Creates a destination from a path that need not be UTF-8.
  public init(rawPath: [UInt8], replacing: Bool = true) {
    self.rawPath = rawPath
    self.isReplacing = replacing
  }

  /// Checks whether the file could be written, as far as that is known in advance. Creates nothing.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if it could not.
  public func check() throws(XDnDError) { _ = try resolve() }

  /// The resolved destination.
  struct Place {
    /// The path without symbolic links.
    var path: [UInt8]
    /// The permissions of the file to replace; `nil` if there is none.
    var mode: mode_t?

    /// The path of the directory, including the trailing slash.
    var directory: [UInt8] {
      path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? Array("./".utf8)
    }
  }

  func resolve() throws(XDnDError) -> Place {
    // A NUL byte would truncate the C string.
    guard !rawPath.contains(0) else { throw failure(EINVAL) }
    var status = stat()
    var place = Place(path: rawPath)
    if withCPath(rawPath, { stat($0, &status) }) == 0 {
      guard isReplacing else { throw failure(EEXIST) }
      let type = status.st_mode & S_IFMT
      // Devices and FIFOs are refused: they cannot be written atomically.
      guard type == S_IFREG else { throw failure(type == S_IFDIR ? EISDIR : EINVAL) }
      if let resolved = withCPath(rawPath, { realpath($0, nil) }) {
        place.path = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        free(resolved)
      }
      place.mode = status.st_mode & 0o777
      if withCPath(place.path, { access($0, W_OK) }) != 0 { throw failure(errno) }
    } else {
      let code = errno
      // The file does not exist yet. A dangling symbolic link is still an error.
      guard code == ENOENT, !rawPath.isEmpty, withCPath(rawPath, { lstat($0, &status) }) != 0 else {
        throw failure(code)
      }
    }
    if withCPath(place.directory, { access($0, W_OK | X_OK) }) != 0 { throw failure(errno) }
    return place
  }

  func failure(_ code: CInt) -> XDnDError {
    XDnDError(.fileNotWritten, "cannot write '\(String(decoding: rawPath, as: UTF8.self))': \(Self.words(for: code))")
  }

  /// The system's message for an error code. Thread-safe, unlike `strerror`.
  static func words(for code: CInt) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Calls a closure with a path as a C string.
func withCPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}
