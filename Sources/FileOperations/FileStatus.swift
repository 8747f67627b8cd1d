internal import Glibc

/// The result of `stat` for a file.
struct FileStatus: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case file
    case directory
    case link
    /// A kind that cannot be copied, as a noun for messages.
    case special(String)
  }

  /// Device and inode, which a rename does not change.
  struct Identity: Hashable, Sendable {
    let device: UInt
    let inode: UInt
  }

  let identity: Identity
  let kind: Kind
  /// Permissions with the set-user-ID, set-group-ID and sticky bits.
  let mode: mode_t
  let size: Int
  let user: uid_t
  let group: gid_t
  let modifiedSeconds: Int
  let modifiedNanoseconds: Int

  init(_ status: stat) {
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFIFO: .special("a pipe")
      case S_IFSOCK: .special("a socket")
      case S_IFCHR, S_IFBLK: .special("a device")
      default: .special("no file")
      }
    mode = status.st_mode & 0o7777
    size = Int(status.st_size)
    user = status.st_uid
    group = status.st_gid
    modifiedSeconds = status.st_mtim.tv_sec
    modifiedNanoseconds = status.st_mtim.tv_nsec
  }

  /// The mode of a copy, without set-user-ID and set-group-ID: the copy may belong to another user.
  var copiedMode: mode_t { mode & (kind == .directory ? 0o1777 : 0o777) }

  /// Access and modification time for `futimens`; both are the modification time.
  var times: [timespec] {
    [timespec](repeating: timespec(tv_sec: modifiedSeconds, tv_nsec: modifiedNanoseconds), count: 2)
  }

  /// Whether it is the same file, with the same size and modification time.
  func isUnchanged(since other: FileStatus) -> Bool {
    identity == other.identity && kind == other.kind && size == other.size
      && modifiedSeconds == other.modifiedSeconds && modifiedNanoseconds == other.modifiedNanoseconds
  }
}

/// The state of a file, or of a whole tree, at one moment. Two equal stamps mean that nothing has changed in between.
struct Stamp: Hashable, Sendable {
  let status: FileStatus
  /// A hash of everything below, independent of the order in which directories list their entries.
  let contents: UInt64

  init(of name: RawPath, in directory: Directory, depth: Int = 0) throws(FileError) {
    status = try directory.status(of: name)
    var sum: UInt64 = 0
    if status.kind == .directory {
      let child = try directory.child(name, depth: depth)
      for inner in try child.names() {
        sum &+= try Stamp(of: inner, in: child, depth: depth + 1).digest(of: inner)
      }
    }
    contents = sum
  }

  /// Returns the FNV-1a hash of name, identity, size, modification time and contents.
  private func digest(of name: RawPath) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    name.forEach(add)
    for word in [
      UInt64(status.identity.device), UInt64(status.identity.inode), UInt64(bitPattern: Int64(status.size)),
      UInt64(bitPattern: Int64(status.modifiedSeconds)), UInt64(bitPattern: Int64(status.modifiedNanoseconds)),
      contents,
    ] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    return hash
  }
}
