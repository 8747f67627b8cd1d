import Glibc

/// The attributes that a copied file keeps: permissions and modification time.
package struct FileAttributes {
  private let mode: FileMode
  private let modified: timespec

  /// The access time is not changed: `UTIME_OMIT`, which Swift does not import.
  private var times: [timespec] { [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), modified] }

  package init(_ status: FileStatus) {
    mode = status.permissions
    modified = status.modified
  }

  /// - Parameter keepingMode: Whether to keep the copy's current permissions.
  package func apply(to descriptor: CInt, keepingMode: Bool = false) throws(SystemError) {
    if !keepingMode { try SystemError.check(fchmod(descriptor, mode)) }
    try SystemError.check(futimens(descriptor, times))
  }

  /// Sets the times of a symbolic link, which has no permissions of its own.
  package func apply(toLink name: RawPath, in directory: CInt) {
    _ = withCPath(name) { utimensat(directory, $0, times, AT_SYMLINK_NOFOLLOW) }
  }
}
