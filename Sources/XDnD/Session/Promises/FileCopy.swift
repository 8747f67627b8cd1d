import Glibc

/// What a file keeps when it is copied.
struct FileAttributes {
  private let mode: mode_t
  private let modified: timespec

  /// The time of access stays: `UTIME_OMIT`, which Swift does not see.
  private var times: [timespec] { [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), modified] }

  /// - Parameter status: Of the original. The bits that run a program as its owner are left out.
  init(_ status: stat) {
    mode = status.st_mode & 0o777
    modified = status.st_mtim
  }

  /// - Parameter keepingMode: Leaves the permissions as they are.
  func apply(to descriptor: CInt, keepingMode: Bool = false) throws(SystemError) {
    if !keepingMode { try SystemError.check(fchmod(descriptor, mode)) }
    try SystemError.check(futimens(descriptor, times))
  }

  /// Times of a symbolic link; it has no permissions.
  func apply(toLink name: [UInt8], in directory: CInt) {
    _ = withCPath(name) { utimensat(directory, $0, times, AT_SYMLINK_NOFOLLOW) }
  }
}

/// Something that is to be copied, open.
enum FileCopy {
  case file(FileReader, FileAttributes)
  case directory(DirectoryStream, FileAttributes)
  case link([UInt8], FileAttributes)
  /// A pipe, a socket or a device; or it went away before it could be opened.
  case nothing

  /// What is at a path; a symbolic link there is followed.
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

  /// What has a name in a directory; symbolic links are not followed.
  init(_ name: [UInt8], in directory: CInt) throws(SystemError) {
    do throws(SystemError) {
      let status = try OpenDirectory.status(of: name, in: directory)
      self =
        status.st_mode & S_IFMT == S_IFLNK
        ? .link(try OpenDirectory.link(name, in: directory), FileAttributes(status))
        : try Self.open(name, in: directory, status, O_NOFOLLOW)
    } catch {
      // Its directory was read a moment ago, and it could have been read a moment later.
      guard error.code == ENOENT else { throw error }
      self = .nothing
    }
  }

  private static func open(
    _ name: [UInt8], in directory: CInt, _ status: stat, _ flags: CInt
  ) throws(SystemError) -> FileCopy {
    // To open a device can do something to it.
    guard isCopied(status) else { return .nothing }
    let descriptor = try SystemError.check(
      withCPath(name) { openat(directory, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags) })
    // Something else may have its name by now.
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
