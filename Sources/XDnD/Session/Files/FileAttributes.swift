import Glibc

/// The attributes that a copied file keeps.
struct FileAttributes {
  private let mode: mode_t
  private let modified: timespec

  /// The access time is not changed: `UTIME_OMIT`, which Swift does not import.
  private var times: [timespec] { [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), modified] }

  /// - Parameter status: The original's status. The setuid, setgid and sticky bits are left out.
  init(_ status: stat) {
    mode = status.st_mode & 0o777
    modified = status.st_mtim
  }

  /// - Parameter keepingMode: Whether to keep the copy's current permissions.
  func apply(to descriptor: CInt, keepingMode: Bool = false) throws(SystemError) {
    if !keepingMode { try SystemError.check(fchmod(descriptor, mode)) }
    try SystemError.check(futimens(descriptor, times))
  }

  /// Sets the times of a symbolic link, which has no permissions of its own.
  func apply(toLink name: [UInt8], in directory: CInt) {
    _ = withCPath(name) { utimensat(directory, $0, times, AT_SYMLINK_NOFOLLOW) }
  }
}
