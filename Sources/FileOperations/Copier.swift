internal import XDnDFiles
internal import Glibc

/// An entry as it was when it was copied. ``Copier/remove(_:from:depth:)`` removes exactly these entries of a tree.
struct CopiedEntry {
  let name: RawPath
  let status: FileStatus
  var children: [CopiedEntry] = []
  /// The bytes of regular files in this entry and below.
  var bytes = 0
}

/// Copies files and trees. When a copy returns, its data is synced to disk, because a move then deletes the original.
/// Each file is synced separately: `syncfs` waits for other programs' writes, and reports no errors before Linux 5.8.
///
/// A copy has no extended attributes, access control lists, set-id bits, or hard links within a tree.
struct Copier {
  let meter: Meter
  /// Whether the copy keeps user and group if the system permits it. Moves need this.
  var keepsOwner = false
  var allowsUnnamed = true

  /// In bytes. Each chunk is reported as progress, followed by a check for cancellation.
  private static let chunk = 1 << 20
  /// In bytes. Syncing a large file only at its end could block for minutes without progress.
  private static let syncInterval = 64 << 20

  /// Returns the number of bytes to copy.
  ///
  /// - Throws: `FileError` if an entry cannot be copied: such a copy is not begun.
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
      for inner in try child.names() { sum = ByteSize.sum(sum, try measure(inner, in: child, depth: depth + 1)) }
      return sum
    }
  }

  /// Copies a file, tree or link into the target directory without giving it its final name.
  func stage(
    _ name: RawPath, in source: Directory, to target: Directory
  ) throws(FileError) -> (StagedEntry, CopiedEntry) {
    let status = try source.status(of: name)
    let place = target.handle
    switch status.kind {
    case .file:
      let (item, file) = try target.staging(StagedEntry.file(in: place, allowsUnnamed: allowsUnnamed))
      return (item, try copyFile(name, status, in: source, to: file))
    case .link:
      let words = try readTarget(of: name, in: source)
      let (item, temporary) = try target.staging(StagedEntry.link(to: words, in: place))
      setLinkAttributes(of: temporary, in: target, status)
      return (item, CopiedEntry(name: name, status: status))
    case .directory:
      let (item, inside) = try target.staging(StagedEntry.directory(in: place))
      return (item, try copyContents(of: name, in: source, to: Directory(inside, path: target.path), depth: 0))
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
      entry.bytes = ByteSize.sum(entry.bytes, copied.bytes)
      entry.children.append(copied)
    }
    // After the contents: writing into the directory needs write permission and changes its times.
    try setAttributes(of: target.handle.descriptor, status, source.full(name))
    try target.sync()
    return entry
  }

  private func copy(
    _ name: RawPath, in source: Directory, to target: Directory, depth: Int
  ) throws(FileError) -> CopiedEntry {
    let status = try source.status(of: name)
    let (full, parent) = (source.full(name), target.handle)
    switch status.kind {
    case .file:
      let file = try reporting("write", full, Descriptor(createFile(name, in: parent.descriptor, mode: 0o600)))
      return try copyFile(name, status, in: source, to: file)
    case .link:
      let words = try readTarget(of: name, in: source)
      try reporting("write", full, parent.makeLink(name, to: words))
      setLinkAttributes(of: name, in: target, status)
      return CopiedEntry(name: name, status: status)
    case .directory:
      try reporting("write", full, parent.makeDirectory(name))
      return try copyContents(of: name, in: source, to: target.child(name, depth: depth), depth: depth)
    case .special(let words): throw FileError("\(full.quoted) is \(words) and cannot be copied")
    }
  }

  private func readTarget(of name: RawPath, in directory: Directory) throws(FileError) -> RawPath {
    try reporting("read", directory.full(name), readLink(name, in: directory.handle.descriptor))
  }

  // MARK: Files

  private func copyFile(
    _ name: RawPath, _ expected: FileStatus, in source: Directory, to target: Descriptor
  ) throws(FileError) -> CopiedEntry {
    let full = source.full(name)
    try meter.at(full)
    // Without O_NONBLOCK, the open blocks if a pipe has replaced the file.
    let original = Descriptor(
      try reporting("read", full, openFile(name, in: source.handle.descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)))
    let status = try reporting("read", full, FileStatus(of: original.number))
    guard status.kind == .file, status.identity == expected.identity else {
      throw FileError("\(full.quoted) was replaced while it was copied")
    }
    var bytes = ByteCopier(from: original, to: target)
    var unsynced = 0
    while let count = try copying(full, bytes.copyNext(Self.chunk)) {
      try meter.advance(bytes: count)
      unsynced += count
      if unsynced >= Self.syncInterval {
        unsynced = 0
        try sync(target, full)
      }
    }
    try copying(full, bytes.finish())
    // If another program writes the file meanwhile, the copy is neither its old content nor its new content.
    guard try reporting("read", full, FileStatus(of: original.number)).isUnchanged(since: status) else {
      throw FileError("\(full.quoted) was changed while it was copied")
    }
    try setAttributes(of: target.number, status, full)
    try sync(target, full)
    return CopiedEntry(name: name, status: status, bytes: bytes.offset)
  }

  private func copying<Result>(
    _ name: RawPath, _ step: @autoclosure () throws(ByteCopier.Failure) -> Result
  ) throws(FileError) -> Result {
    do { return try step() } catch { throw FileError(error.isReading ? "read" : "write", name, error.cause.code) }
  }

  private func setAttributes(of target: CInt, _ status: FileStatus, _ name: RawPath) throws(FileError) {
    if keepsOwner { _ = fchown(target, status.user, status.group) }
    let sticky = status.kind == .directory ? status.mode & mode_t(S_ISVTX) : 0
    do {
      try SystemError.check(fchmod(target, status.permissions | sticky))
    } catch {
      // File systems without permissions, such as FAT, refuse; the copy is complete without them.
      guard error.code == EPERM || error.code == ENOTSUP else { throw FileError("write", name, error.code) }
    }
    _ = futimens(target, times(status))
  }

  private func setLinkAttributes(of name: RawPath, in directory: Directory, _ status: FileStatus) {
    let number = directory.handle.descriptor
    withCPath(name) {
      if keepsOwner { _ = fchownat(number, $0, status.user, status.group, AT_SYMLINK_NOFOLLOW) }
      _ = utimensat(number, $0, times(status), AT_SYMLINK_NOFOLLOW)
    }
  }

  private func times(_ status: FileStatus) -> [timespec] { [status.modified, status.modified] }

  private func sync(_ target: Descriptor, _ name: RawPath) throws(FileError) {
    try reporting("write", name, syncFile(target.number))
  }

  // MARK: Removing the originals

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
    try reporting("remove", full, directory.handle.remove(entry.name, isDirectory: isDirectory))
  }
}
