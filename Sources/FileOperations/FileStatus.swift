internal import Glibc

/// What the system says about a file.
struct FileStatus: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case file
    case directory
    case link
    /// What cannot be copied, in words.
    case special(String)
  }

  /// What stays the same however a file is renamed.
  struct Identity: Hashable, Sendable {
    let device: UInt
    let inode: UInt
  }

  let identity: Identity
  let kind: Kind
  /// Permissions and the three bits above them.
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

  /// What a copy may have of it: nobody gets rights by copying a file.
  var copiedMode: mode_t { mode & (kind == .directory ? 0o1777 : 0o777) }

  /// For `futimens`: access and modification.
  var times: [timespec] {
    [timespec](repeating: timespec(tv_sec: modifiedSeconds, tv_nsec: modifiedNanoseconds), count: 2)
  }

  /// Whether it is the same file and nobody has written to it.
  func isUnchanged(since other: FileStatus) -> Bool {
    identity == other.identity && kind == other.kind && size == other.size
      && modifiedSeconds == other.modifiedSeconds && modifiedNanoseconds == other.modifiedNanoseconds
  }
}

/// A file, or a tree with everything in it, at one moment: if two are equal, nobody has changed it in between.
struct Stamp: Hashable, Sendable {
  let status: FileStatus
  /// Of all that is below; the order in which a directory lists it has no influence.
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

  /// FNV-1a over what identifies an entry.
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
