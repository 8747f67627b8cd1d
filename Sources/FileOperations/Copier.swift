internal import CLinux
internal import Glibc

/// An entry as it was when it was copied. ``Copier/remove(_:from:depth:)`` removes exactly these entries of a tree.
struct CopiedEntry {
  let name: RawPath
  let status: FileStatus
  var children: [CopiedEntry] = []
  /// The bytes of regular files in this entry and below.
  var bytes = 0
}

/// Copies files and trees. When a copy returns, its data is synced to disk.
struct Copier {
  let meter: Meter
  /// Whether the copy keeps user and group, as far as the system permits: for moves.
  var keepsOwner = false
  var allowsUnnamed = true

  /// In bytes: progress and cancellation are checked after each chunk.
  private static let chunk = 1 << 20
  /// In bytes. Syncing a large file only at its end could block for minutes without progress.
  private static let syncInterval = 64 << 20

  /// Returns the number of bytes to copy.
  ///
  /// - Throws: `FileError` for what cannot be copied, so that a copy which cannot be finished is not begun.
  func measure(_ name: RawPath, in directory: Directory, depth: Int = 0) throws(FileError) -> Int {
    try meter.check()
    let status = try directory.status(of: name)
    switch status.kind {
    case .file: return status.size
    case .link: return 0
    case .special(let words): throw FileError("\(directory.full(name).quoted) is \(words) and cannot be copied")
    case .directory:
      let child = try directory.child(name, depth: depth)
      var sum = 0
      for inner in try child.names() { sum += try measure(inner, in: child, depth: depth + 1) }
      return sum
    }
  }

  /// Copies an item of any kind into the target directory without giving it its final name.
  func stage(_ name: RawPath, in source: Directory, to target: Directory) throws(FileError) -> (StagedItem, CopiedEntry)
  {
    let status = try source.status(of: name)
    switch status.kind {
    case .file:
      let (item, descriptor) = try StagedItem.file(in: target, allowUnnamed: allowsUnnamed)
      return (item, try copyFile(name, status, in: source, to: descriptor))
    case .link:
      let words = try readTarget(of: name, in: source)
      let (item, temporary) = try StagedItem.link(to: words, in: target)
      setLinkAttributes(of: temporary, in: target, status)
      return (item, CopiedEntry(name: name, status: status))
    case .directory:
      let (item, inside) = try StagedItem.directory(in: target)
      return (item, try copyContents(of: name, in: source, to: inside, depth: 0))
    case .special(let words): throw FileError("\(source.full(name).quoted) is \(words) and cannot be copied")
    }
  }

  // MARK: Trees

  private func copyContents(
    of name: RawPath, in source: Directory, to target: Directory, depth: Int
  ) throws(FileError) -> CopiedEntry {
    try meter.at(source.full(name))
    let from = try source.child(name, depth: depth)
    let status = try from.status()
    var entry = CopiedEntry(name: name, status: status)
    for inner in try from.names() {
      let copied = try copy(inner, in: from, to: target, depth: depth + 1)
      entry.bytes += copied.bytes
      entry.children.append(copied)
    }
    // After the contents: writing into the directory needs write permission and changes its times.
    try setAttributes(of: target.descriptor, status, source.full(name))
    try target.sync()
    return entry
  }

  private func copy(
    _ name: RawPath, in source: Directory, to target: Directory, depth: Int
  ) throws(FileError) -> CopiedEntry {
    let status = try source.status(of: name)
    let parent = target.descriptor.number
    switch status.kind {
    case .file:
      var number: CInt = -1
      let code = errorNumber {
        number = withCPath(name) { openat(parent, $0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        return number
      }
      guard code == 0 else { throw FileError("write", source.full(name), code) }
      return try copyFile(name, status, in: source, to: Descriptor(number))
    case .link:
      let words = try readTarget(of: name, in: source)
      let code = errorNumber { withCPath(words) { words in withCPath(name) { symlinkat(words, parent, $0) } } }
      guard code == 0 else { throw FileError("write", source.full(name), code) }
      setLinkAttributes(of: name, in: target, status)
      return CopiedEntry(name: name, status: status)
    case .directory:
      let code = errorNumber { withCPath(name) { mkdirat(parent, $0, 0o700) } }
      guard code == 0 else { throw FileError("write", source.full(name), code) }
      return try copyContents(of: name, in: source, to: target.child(name, depth: depth), depth: depth)
    case .special(let words): throw FileError("\(source.full(name).quoted) is \(words) and cannot be copied")
    }
  }

  private func readTarget(of name: RawPath, in directory: Directory) throws(FileError) -> RawPath {
    guard let target = readLink(directory.descriptor.number, name) else {
      throw FileError("read", directory.full(name), errno)
    }
    return target
  }

  // MARK: Files

  private func copyFile(
    _ name: RawPath, _ expected: FileStatus, in source: Directory, to target: Descriptor
  ) throws(FileError) -> CopiedEntry {
    let full = source.full(name)
    try meter.at(full)
    var number: CInt = -1
    // Without O_NONBLOCK, the open blocks if a pipe has replaced the file.
    let code = errorNumber {
      number = withCPath(name) {
        openat(source.descriptor.number, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
      return number
    }
    guard code == 0 else { throw FileError("read", full, code) }
    let descriptor = Descriptor(number)
    var raw = stat()
    guard fstat(number, &raw) == 0 else { throw FileError("read", full, errno) }
    let status = FileStatus(raw)
    guard status.kind == .file, status.identity == expected.identity else {
      throw FileError("\(full.quoted) was replaced by something else while it was copied")
    }
    var bytes = FileBytes(source: descriptor, target: target, name: full)
    var unsynced = 0
    while let count = try bytes.copyNext(Self.chunk) {
      try meter.advance(bytes: count)
      unsynced += count
      if unsynced >= Self.syncInterval {
        unsynced = 0
        try sync(target, full)
      }
    }
    try bytes.finish()
    try setAttributes(of: target, status, full)
    try sync(target, full)
    return CopiedEntry(name: name, status: status, bytes: bytes.offset)
  }

  private func setAttributes(of target: Descriptor, _ status: FileStatus, _ name: RawPath) throws(FileError) {
    if keepsOwner { _ = fchown(target.number, status.user, status.group) }
    // File systems without permissions, such as FAT, refuse; the copy is complete without them.
    let code = errorNumber { fchmod(target.number, status.copiedMode) }
    guard code == 0 || code == EPERM || code == ENOTSUP else { throw FileError("write", name, code) }
    _ = futimens(target.number, status.times)
  }

  private func setLinkAttributes(of name: RawPath, in directory: Directory, _ status: FileStatus) {
    let number = directory.descriptor.number
    withCPath(name) {
      if keepsOwner { _ = fchownat(number, $0, status.user, status.group, AT_SYMLINK_NOFOLLOW) }
      _ = utimensat(number, $0, status.times, AT_SYMLINK_NOFOLLOW)
    }
  }

  private func sync(_ target: Descriptor, _ name: RawPath) throws(FileError) {
    switch errorNumber({ fsync(target.number) }) {
    // These codes mean that the file system does not support syncing.
    case 0, EINVAL, EROFS, ENOTSUP: return
    case let code: throw FileError("write", name, code)
    }
  }

  // MARK: Removal of what was copied

  /// Removes the originals of a copy. Entries that have changed or were added since the copy stay.
  func remove(_ entry: CopiedEntry, from directory: Directory, depth: Int = 0) throws(FileError) {
    let full = directory.full(entry.name)
    let now = try directory.status(of: entry.name)
    let isDirectory = entry.status.kind == .directory
    guard isDirectory ? now.identity == entry.status.identity : now.isUnchanged(since: entry.status) else {
      throw FileError("\(full.quoted) has changed while it was moved")
    }
    if isDirectory {
      let child = try directory.child(entry.name, depth: depth)
      for inner in entry.children { try remove(inner, from: child, depth: depth + 1) }
    }
    let code = errorNumber {
      withCPath(entry.name) { unlinkat(directory.descriptor.number, $0, isDirectory ? AT_REMOVEDIR : 0) }
    }
    guard code == 0 else { throw FileError("remove", full, code) }
  }
}
