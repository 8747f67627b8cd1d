import Glibc

/// The opened original of a copy.
enum FileCopy {
  case file(FileReader, FileAttributes)
  case directory(DirectoryStream, FileAttributes)
  case link([UInt8], FileAttributes)
  /// A FIFO, socket or device; or an entry that vanished before it could be opened.
  case nothing

  /// Opens the original at a path. A symbolic link at the path is followed.
  ///
  /// - Throws: ``XDnDError/Code/transferFailed``.
  init(_ path: [UInt8]) throws(XDnDError) {
    do throws(SystemError) {
      guard !path.contains(0) else { throw SystemError(EINVAL) }
      var status = stat()
      try SystemError.check(withCPath(path) { stat($0, &status) })
      self = try Self.open(path, in: AT_FDCWD, status, 0)
    } catch {
      throw XDnDError(reading: path, error)
    }
    if case .nothing = self {
      throw XDnDError(
        .transferFailed,
        "cannot read '\(String(decoding: path, as: UTF8.self))': it is neither a file nor a directory")
    }
  }

  /// Opens an entry of a directory. Symbolic links are not followed.
  init(_ name: [UInt8], in directory: CInt) throws(SystemError) {
    do throws(SystemError) {
      let status = try OpenDirectory.status(of: name, in: directory)
      self =
        status.st_mode & S_IFMT == S_IFLNK
        ? .link(try OpenDirectory.link(name, in: directory), FileAttributes(status))
        : try Self.open(name, in: directory, status, O_NOFOLLOW)
    } catch {
      // The entry was removed after its directory was read. It is treated as if it had been removed before.
      guard error.code == ENOENT else { throw error }
      self = .nothing
    }
  }

  private static func open(
    _ name: [UInt8], in directory: CInt, _ status: stat, _ flags: CInt
  ) throws(SystemError) -> FileCopy {
    // Opening a device may have side effects.
    guard isCopied(status) else { return .nothing }
    let descriptor = try SystemError.check(
      withCPath(name) { openat(directory, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags) })
    // The name may refer to something else by now.
    var status = stat()
    guard fstat(descriptor, &status) == 0, isCopied(status) else {
      close(descriptor)
      return .nothing
    }
    let attributes = FileAttributes(status)
    return status.st_mode & S_IFMT == S_IFDIR
      ? .directory(try DirectoryStream(descriptor), attributes)
      : .file(FileReader(descriptor, size: Int(status.st_size)), attributes)
  }

  private static func isCopied(_ status: stat) -> Bool {
    [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }
}
