import XDnDLinux
import Glibc

/// An open directory. All access is relative to its descriptor and follows no symbolic link, so concurrent renames and
/// links cannot redirect it.
package final class OpenDirectory: Sendable {
  /// The maximum depth of a tree. A level may take two descriptors, and a process has 1024 by default.
  package static let greatestDepth = 200

  package let descriptor: CInt

  /// Opens the directory at a path.
  ///
  /// - Parameters:
  ///   - directory: The open directory against which a relative path is resolved.
  ///   - isListed: Whether the entries are to be listed. A directory without permission to read may still be writable.
  ///   - isFollowing: Whether the last component may be a symbolic link.
  package init(
    _ path: RawPath, in directory: CInt = AT_FDCWD, isListed: Bool = true, isFollowing: Bool = true
  ) throws(SystemError) {
    let flags = (isListed ? O_RDONLY : OPEN_PATH) | (isFollowing ? 0 : O_NOFOLLOW)
    descriptor = try openFile(path, in: directory, O_DIRECTORY | flags)
  }

  deinit { close(descriptor) }

  package func child(_ name: RawPath) throws(SystemError) -> OpenDirectory {
    try OpenDirectory(name, in: descriptor, isFollowing: false)
  }

  /// Opens a subdirectory, and restores the owner's permissions if they are missing. Only for a directory that this
  /// package has created, and for directories inside it.
  package func ownChild(_ name: RawPath) throws(SystemError) -> OpenDirectory {
    do {
      return try child(name)
    } catch {
      guard error.code == EACCES else { throw error }
      try setMode(0o700, of: name)
      return try child(name)
    }
  }

  // MARK: Looking

  package func status() throws(SystemError) -> FileStatus { try FileStatus(of: descriptor) }

  /// The status of an entry, even of a dangling symbolic link.
  package func status(of name: RawPath) throws(SystemError) -> FileStatus { try FileStatus(of: name, in: descriptor) }

  /// Whether the directory has been removed since it was opened. It then accepts no new entries.
  package var isGone: Bool { (try? status()).map { $0.linkCount == 0 } ?? true }

  /// Whether a name still refers to the given directory.
  package func holds(_ child: OpenDirectory, as name: RawPath) -> Bool {
    guard let named = try? status(of: name), let held = try? child.status() else { return false }
    return named.identity == held.identity
  }

  /// The names of all entries. They are read before any is used: the file system may skip entries while others are
  /// removed.
  package func names() throws(SystemError) -> [RawPath] {
    let stream = DirectoryStream(try openFile(Array(".".utf8), in: descriptor, O_RDONLY | O_DIRECTORY))
    var names: [RawPath] = []
    while let name = try stream.next() { names.append(name) }
    return names
  }

  /// The names of all entries, read without another descriptor. Two threads must not do so at once.
  package func namesByOwnDescriptor() throws(SystemError) -> [RawPath] {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
    var names: [RawPath] = []
    while true {
      let more = try readNames(in: descriptor)
      if more.isEmpty { return names }
      names += more
    }
  }

  /// The current absolute path; `nil` if the directory was removed or its path is unknown.
  ///
  /// - Parameter path: The path that the directory was opened with. It is used where /proc is not mounted.
  package func location(openedAs path: RawPath) -> RawPath? {
    guard let own = try? status(), own.linkCount > 0 else { return nil }
    // The kernel knows the path even after a move.
    return [linkPath(of: descriptor), path].firstNonNil { candidate in
      guard let path = candidate.resolved, (try? FileStatus(of: path, in: AT_FDCWD))?.identity == own.identity else {
        return nil
      }
      return path
    }
  }

  package func isWithin(_ other: FileStatus.Identity) throws(SystemError) -> Bool {
    var here = try status().identity
    var holder = self
    for _ in 0..<4096 {
      if here == other { return true }
      guard let parent = try? OpenDirectory(Array("..".utf8), in: holder.descriptor, isListed: false),
        let above = try? parent.status().identity, above != here
      else { return false }
      (holder, here) = (parent, above)
    }
    return false
  }

  /// Whether the file is open for writing in any process: a read lease is then impossible, fcntl(2). `nil` if the file
  /// cannot be opened, or does not support leases (NFS, files of another user).
  package func isBeingWritten(_ name: RawPath) -> Bool? { isLeaseRefused(F_RDLCK, for: name) }

  /// Whether the file is open in any process, this one included: a write lease is then impossible. `nil` as in
  /// ``isBeingWritten(_:)``.
  package func isOpen(_ name: RawPath) -> Bool? { isLeaseRefused(F_WRLCK, for: name) }

  package func use(of name: RawPath) throws(SystemError) -> FileUse { try FileUse(of: name, in: descriptor) }

  /// Whether a file in this directory or below may still be in use.
  ///
  /// - Parameters:
  ///   - time: A file whose content or status changed after this time is in use; `nil` to ignore changes.
  ///   - age: A file that was read within this time, or is open, is in use.
  package func hasFileInUse(changedAfter time: Duration?, readWithin age: Duration, depth: Int = 0) -> Bool {
    guard depth <= 2 * Self.greatestDepth, let names = try? names() else { return true }
    return names.contains { name in
      guard let status = try? status(of: name) else { return false }
      if status.kind == .directory {
        guard let child = try? ownChild(name) else { return true }
        return child.hasFileInUse(changedAfter: time, readWithin: age, depth: depth + 1)
      }
      guard let use = try? use(of: name) else { return false }
      if let time, use.changed > time { return true }
      return status.kind == .file && (Duration.sinceEpoch - use.read < age || isOpen(name) == true)
    }
  }

  private func isLeaseRefused(_ kind: Int32, for name: RawPath) -> Bool? {
    guard let number = try? openFile(name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
    defer { close(number) }
    // If another process opens the file during the lease, a signal announces it. The default signal, SIGIO, would end
    // the process; SIGURG is ignored by default.
    guard fcntl(number, SET_SIGNAL, SIGURG) == 0 else { return nil }
    guard fcntl(number, SET_LEASE, kind) == 0 else { return errno == EAGAIN ? true : nil }
    _ = fcntl(number, SET_LEASE, F_UNLCK)
    return false
  }

  /// Returns the permissions that a new file in the directory gets: reduced by the creation mask, or set by the default
  /// access control list. Creates a sample file, because reading the mask changes it for all threads of the process.
  package func modeOfNewFile() throws(SystemError) -> FileMode {
    if let sample = StagedEntry.openUnnamed(in: self, mode: 0o666) {
      return try FileStatus(of: sample.number).mode & 0o666
    }
    // A random name, which no other program can have created.
    let name = Array(".xdnd-sample-\(UInt64.random(in: .min ... .max))".utf8)
    let sample = Descriptor(try createFile(name, in: descriptor, mode: 0o666))
    defer { try? remove(name) }
    return try FileStatus(of: sample.number).mode & 0o666
  }

  // MARK: Changing

  package func makeDirectory(_ name: RawPath, mode: FileMode = 0o700) throws(SystemError) {
    try SystemError.check(withCPath(name) { mkdirat(descriptor, $0, mode) })
  }

  package func makeLink(_ name: RawPath, to target: RawPath) throws(SystemError) {
    try SystemError.check(withCPath(target) { target in withCPath(name) { symlinkat(target, descriptor, $0) } })
  }

  /// Sets the permissions of an entry that is not a symbolic link.
  package func setMode(_ mode: FileMode, of name: RawPath) throws(SystemError) {
    try SystemError.check(withCPath(name) { fchmodat(descriptor, $0, mode, AT_SYMLINK_NOFOLLOW) })
  }

  /// Removes a file or a link; an empty directory if `isDirectory` is `true`.
  package func remove(_ name: RawPath, isDirectory: Bool = false) throws(SystemError) {
    try SystemError.check(withCPath(name) { unlinkat(descriptor, $0, isDirectory ? AT_REMOVEDIR : 0) })
  }

  /// Renames the entry `name` to `newName` in `target`, and replaces a file or an empty directory of that name.
  package func replace(_ newName: RawPath, in target: OpenDirectory, by name: RawPath) throws(SystemError) {
    let (from, to) = (descriptor, target.descriptor)
    try SystemError.check(withCPath(name) { old in withCPath(newName) { renameat(from, old, to, $0) } })
  }

  /// Renames an entry. Never replaces anything, not even a dangling symbolic link.
  ///
  /// - Throws: `EEXIST` if the name is taken, `EXDEV` if the target is on another file system.
  package func rename(_ name: RawPath, to target: OpenDirectory, as newName: RawPath) throws(SystemError) {
    let (from, to) = (descriptor, target.descriptor)
    do throws(SystemError) {
      try SystemError.check(
        withCPath(name) { old in withCPath(newName) { renameat2(from, old, to, $0, RENAME_WITHOUT_REPLACING) } })
    } catch {
      guard error.code == EINVAL || error.code == ENOSYS else { throw error }
      guard try renameOverPlaceholder(name, to: target, as: newName) else { throw error }
    }
  }

  /// The fallback for file systems without `RENAME_NOREPLACE` (NFS, some of FUSE). Creates an empty placeholder, which
  /// fails if the name is taken, and renames over it.
  ///
  /// - Returns: `false` if the file system is not the cause of the failure.
  private func renameOverPlaceholder(
    _ name: RawPath, to target: OpenDirectory, as newName: RawPath
  ) throws(SystemError) -> Bool {
    guard let mine = try? status(of: name), let there = try? target.status() else { return false }
    if mine.identity.device != there.identity.device { throw SystemError(EXDEV) }
    let isDirectory = mine.kind == .directory
    if isDirectory, (try? target.isWithin(mine.identity)) ?? true { return false }
    if isDirectory {
      try target.makeDirectory(newName)
    } else {
      close(try createFile(newName, in: target.descriptor, mode: 0o600))
    }
    do throws(SystemError) {
      try replace(newName, in: target, by: name)
    } catch {
      try? target.remove(newName, isDirectory: isDirectory)
      throw error
    }
    return true
  }

  /// Waits until the directory's entries are on the disk.
  package func sync() throws(SystemError) {
    do throws(SystemError) {
      try syncFile(descriptor)
    } catch {
      // The descriptor was opened with `O_PATH`.
      guard error.code == EBADF else { throw error }
      if let listed = try? child(Array(".".utf8)) { try listed.sync() }
    }
  }

  // MARK: Removing trees

  /// Removes a directory that this package has created, with its contents.
  ///
  /// - Parameter name: The name of the directory. If it now refers to something else, only the contents are removed.
  package func removeAll(of child: OpenDirectory, named name: RawPath) {
    // A peer that writes into it may add a file after its contents were listed.
    for _ in 0..<Self.mostRemovals {
      child.removeContents()
      guard holds(child, as: name) else { return }
      do {
        return try remove(name, isDirectory: true)
      } catch {
        guard error.code == ENOTEMPTY || error.code == EEXIST else { return }
      }
    }
  }

  /// The maximum number of attempts to remove a directory while a peer writes into it.
  private static let mostRemovals = 16

  /// Removes the contents of a directory that this package has created. Mounted file systems stay; entries of other
  /// users may stay, too.
  package func removeContents() {
    if let status = try? status() { removeContents(on: status.identity.device, depth: 0) }
  }

  private func removeContents(on device: UInt, depth: Int) {
    // A copied directory may lack write permission.
    _ = fchmod(descriptor, 0o700)
    // The process may have no descriptor left.
    for name in (try? names()) ?? (try? namesByOwnDescriptor()) ?? [] { removeAll(name, on: device, depth: depth) }
  }

  private func removeAll(_ name: RawPath, on device: UInt, depth: Int) {
    do throws(SystemError) {
      try remove(name)
    } catch {
      guard error.code == EISDIR || error.code == EPERM, depth <= 2 * Self.greatestDepth,
        let child = try? ownChild(name), let status = try? child.status(), status.identity.device == device
      else { return }
      child.removeContents(on: device, depth: depth + 1)
      try? remove(name, isDirectory: true)
    }
  }

  /// Creates a directory and its missing parents, with permissions for this user only.
  package static func makeAll(_ path: RawPath) throws(SystemError) {
    for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
      _ = withCPath(Array(path[..<index])) { mkdir($0, 0o700) }
    }
    do throws(SystemError) {
      try SystemError.check(withCPath(path) { mkdir($0, 0o700) })
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }
}

/// Reads the names in a directory, one after another.
package final class DirectoryStream {
  private let directory: Descriptor
  /// Names that were read and not returned.
  private var names: ArraySlice<RawPath> = []

  /// - Parameter descriptor: The stream takes ownership.
  package init(_ descriptor: CInt) { directory = Descriptor(descriptor) }

  package var descriptor: CInt { directory.number }

  /// Returns the next name, without "." and ".."; `nil` at the end.
  package func next() throws(SystemError) -> RawPath? {
    if names.isEmpty { names = try readNames(in: descriptor)[...] }
    return names.popFirst()
  }
}

/// Reads the next names in an open directory, without "." and ".."; none at the end.
private func readNames(in directory: CInt) throws(SystemError) -> [RawPath] {
  let size = 1 << 15
  let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
  defer { buffer.deallocate() }
  var names: [RawPath] = []
  while names.isEmpty {
    let count = getdents64(directory, buffer, size)
    // A directory that was removed has no entries.
    guard count >= 0 || errno == ENOENT else { throw .last }
    if count <= 0 { break }
    var offset = 0
    while offset < count {
      // `linux_dirent64`: the length of the entry is at 16, the type at 18, and the name at 19.
      let name = RawPath(cString: UnsafeRawPointer(buffer + offset + 19).assumingMemoryBound(to: CChar.self))
      if name.isName { names.append(name) }
      offset += Int(buffer.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
    }
  }
  return names
}
