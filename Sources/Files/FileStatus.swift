package import Glibc

/// Permissions with the set-user-ID, set-group-ID and sticky bits, as `mode_t`.
package typealias FileMode = UInt32

package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file
    case directory
    case link
    /// A kind that cannot be copied, worded for messages.
    case special(String)
  }

  /// Device and inode, which a rename does not change.
  package struct Identity: Hashable, Sendable {
    package let device: UInt
    package let inode: UInt
  }

  package let identity: Identity
  package let kind: Kind
  package let mode: FileMode
  package let size: Int
  /// The number of hard links; 0 after the last was removed.
  package let linkCount: Int
  package let user: uid_t
  package let group: gid_t
  package let modifiedSeconds: Int
  package let modifiedNanoseconds: Int

  private init(_ call: (UnsafeMutablePointer<stat>) -> CInt) throws(SystemError) {
    var status = stat()
    try SystemError.check(call(&status))
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFIFO: .special("a pipe")
      case S_IFSOCK: .special("a socket")
      case S_IFCHR, S_IFBLK: .special("a device")
      default: .special("not a regular file")
      }
    mode = status.st_mode & 0o7777
    size = Int(status.st_size)
    linkCount = Int(status.st_nlink)
    user = status.st_uid
    group = status.st_gid
    modifiedSeconds = status.st_mtim.tv_sec
    modifiedNanoseconds = status.st_mtim.tv_nsec
  }

  /// The status of the file at a path. Symbolic links are followed.
  package init(at path: RawPath) throws(SystemError) {
    try self.init { status in withCPath(path) { stat($0, status) } }
  }

  /// The status of an entry of a directory. Symbolic links are not followed.
  package init(of name: RawPath, in directory: CInt) throws(SystemError) {
    try self.init { status in withCPath(name) { fstatat(directory, $0, status, AT_SYMLINK_NOFOLLOW) } }
  }

  /// Whether a path is a symbolic link; `false` if there is no such file.
  package static func isLink(at path: RawPath) -> Bool {
    (try? FileStatus(of: path, in: AT_FDCWD))?.kind == .link
  }

  package init(of descriptor: CInt) throws(SystemError) {
    try self.init { fstat(descriptor, $0) }
  }

  /// The permissions, without the set-user-ID, set-group-ID and sticky bits: a copy may belong to another user.
  package var permissions: FileMode { mode & 0o777 }

  package var modified: timespec { timespec(tv_sec: modifiedSeconds, tv_nsec: modifiedNanoseconds) }

  /// Whether both describe the same file, with the same size and modification time.
  package func isUnchanged(since other: FileStatus) -> Bool {
    identity == other.identity && kind == other.kind && size == other.size
      && modifiedSeconds == other.modifiedSeconds && modifiedNanoseconds == other.modifiedNanoseconds
  }
}

/// When an entry of a directory was last used. Unlike a ``FileStatus``, this changes when the entry is read or moved.
package struct FileUse: Sendable {
  /// When the content or the status last changed (`ctime`), since 1970. Programs cannot set it.
  package let changed: Duration
  /// When the content was last read, since 1970. With `relatime`, the usual mount option, it is updated at most
  /// once a day, or after a change.
  package let read: Duration

  /// Symbolic links are not followed.
  package init(of name: RawPath, in directory: CInt) throws(SystemError) {
    var status = stat()
    try SystemError.check(withCPath(name) { fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) })
    changed = Duration(status.st_ctim)
    read = Duration(status.st_atim)
  }
}

extension Duration {
  init(_ time: timespec) {
    self = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The current time, since 1970.
  static var sinceEpoch: Duration {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Duration(now)
  }
}

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
