import Glibc

/// Where dropped content is to be stored.
public struct FileDestination: Hashable, Sendable {
  /// As the file system has it.
  public let rawPath: [UInt8]
  /// Whether to take the place of a file that is there, with its permissions. If not, it is an error that there is one.
  public let isReplacing: Bool

  /// - Parameters:
  ///   - path: Symbolic links are followed, so that they stay.
  ///   - replacing: Whether to take the place of a file that is there.
  public init(_ path: String, replacing: Bool = true) {
    self.init(rawPath: Array(path.utf8), replacing: replacing)
  }

  /// The same for a path that need not be UTF-8.
  public init(rawPath: [UInt8], replacing: Bool = true) {
    self.rawPath = rawPath
    self.isReplacing = replacing
  }

  /// Finds out whether it can be written, as far as one can tell beforehand, without leaving anything behind.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  public func check() throws(XDnDError) { _ = try resolve() }

  /// What is there now.
  struct Place {
    /// Without symbolic links.
    var path: [UInt8]
    /// The permissions of the file that is to be replaced.
    var mode: mode_t?

    /// With the slash at its end.
    var directory: [UInt8] {
      path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? Array("./".utf8)
    }
  }

  func resolve() throws(XDnDError) -> Place {
    // C would take a part of it for the whole.
    guard !rawPath.contains(0) else { throw failure(EINVAL) }
    var status = stat()
    var place = Place(path: rawPath)
    if withCPath(rawPath, { stat($0, &status) }) == 0 {
      guard isReplacing else { throw failure(EEXIST) }
      let type = status.st_mode & S_IFMT
      // Devices and pipes are written to as the bytes come: they cannot appear when all is there.
      guard type == S_IFREG else { throw failure(type == S_IFDIR ? EISDIR : EINVAL) }
      if let resolved = withCPath(rawPath, { realpath($0, nil) }) {
        place.path = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        free(resolved)
      }
      place.mode = status.st_mode & 0o777
      if withCPath(place.path, { access($0, W_OK) }) != 0 { throw failure(errno) }
    } else {
      let code = errno
      // Not there yet; a symbolic link that leads nowhere stays an error.
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

  /// `strerror` shares its buffer with all threads.
  static func words(for code: CInt) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A path as C has it.
func withCPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}
