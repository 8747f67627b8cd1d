import Glibc

/// The staging directory of a direct save, inside the target directory. The source writes into it.
///
/// It is on the target's file system, so files are taken over by renaming. All operations use open descriptors, so
/// concurrent changes of paths have no effect.
final class SaveStaging {
  private let target: FileDirectory
  private let directory: PrivateDirectory

  /// The limit of entries to look at, so that the source does not determine how long that takes.
  private static let mostEntries = 10_000

  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  init(in target: FileDirectory) throws(XDnDError) {
    self.target = target
    let location = try target.location()
    target.sweep()
    do {
      directory = try PrivateDirectory(in: OpenDirectory.open([UInt8(ascii: ".")], in: target.descriptor), at: location)
    } catch {
      throw target.failure(error.code)
    }
  }

  /// The URI of a file in the directory. It has no host name: no application was seen to write one, and some readers
  /// fail on it.
  func uri(of name: String) -> String { FileURI.encode(path: directory.path + [UInt8(ascii: "/")] + Array(name.utf8)) }

  /// Removes the directory and everything that was not taken over.
  func remove() { directory.remove() }

  // MARK: Looking

  /// What the source has written so far; `nil` if the directory was removed, usually together with its parent.
  func look() -> DirectSaveReceiver.Look? {
    // A directory without a name accepts no entries.
    guard let status = try? OpenDirectory.status(of: directory.descriptor), status.st_nlink > 0 else { return nil }
    var look = DirectSaveReceiver.Look()
    Self.look(into: directory.descriptor, depth: 0, &look)
    return look
  }

  private static func look(into directory: CInt, depth: Int, _ look: inout DirectSaveReceiver.Look) {
    for name in OpenDirectory.names(in: directory) where look.entryCount < mostEntries {
      guard let status = try? OpenDirectory.status(of: name, in: directory) else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        look.entryCount += 1
        look.byteCount += Int(status.st_size)
        switch (look.isBeingWritten, isBeingWritten(name, in: directory)) {
        case (true, _), (_, true): look.isBeingWritten = true
        case (nil, _), (_, nil): look.isBeingWritten = nil
        case (false, false): look.isBeingWritten = false
        }
      case S_IFDIR where depth < OpenDirectory.greatestDepth:
        look.entryCount += 1
        guard let child = try? OpenDirectory.open(name, in: directory) else { continue }
        self.look(into: child, depth: depth + 1, &look)
        close(child)
      default: break
      }
    }
  }

  /// Whether another process has the file open for writing: a read lease is impossible then, fcntl(2). `nil` where
  /// leases are not supported (NFS, files of another user).
  private static func isBeingWritten(_ name: [UInt8], in directory: CInt) -> Bool? {
    let file = withCPath(name) { openat(directory, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    // If another process opens the file during the lease, a signal announces it. The default signal, SIGIO, would end
    // the process; SIGURG is ignored by default.
    guard fcntl(file, setSignal, SIGURG) == 0 else { return nil }
    guard fcntl(file, setLease, F_RDLCK) == 0 else { return errno == EAGAIN ? true : nil }
    _ = fcntl(file, setLease, F_UNLCK)
    return false
  }

  /// `F_SETSIG` and `F_SETLEASE`, which are specific to Linux and not imported into Swift.
  private static let (setSignal, setLease): (CInt, CInt) = (10, 1024)

  // MARK: Taking over

  /// Moves everything into the target directory, under names that are free there, and syncs it to the disk.
  ///
  /// Files and directories are taken over as data, with the permissions of new files and directories, whatever the
  /// source has set. Symbolic links, devices and FIFOs are not taken over: they would lead readers that trust the
  /// directory out of it.
  ///
  /// - Parameter fallbackName: The name for an entry whose own is unusable.
  /// - Throws: ``XDnDError/Code/fileNotWritten``. Nothing has been taken over then.
  func takeOver(fallbackName: String) throws(XDnDError) -> [SavedFile] {
    let source = directory.descriptor
    var moved: [(from: [UInt8], to: String)] = []
    var saved: [SavedFile] = []
    do {
      var links: [Inode: nlink_t] = [:]
      try countLinks(source, depth: 0, &links)
      try prepare(source, depth: 0, try NewModes(in: source), links)
      for name in OpenDirectory.names(in: source).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let status = try OpenDirectory.status(of: name, in: source)
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let wanted = FileName.sanitized(name) ?? fallbackName
        let unique = FileDirectory.makeUnique(wanted) { new in
          withCPath(name) { target.take($0, from: source, as: new, isDirectory: isDirectory) }
        }
        guard let unique else { throw SystemError.last }
        moved.append((name, unique))
        saved.append(target.saved(unique, byteCount: isDirectory ? nil : Int(status.st_size)))
      }
      if saved.isEmpty { throw SystemError(ENOENT) }
      // Syncing the directory makes the names persistent. An error is ignored, because the files themselves are
      // complete.
      _ = fsync(target.descriptor)
      return saved
    } catch {
      for (old, new) in moved.reversed() {
        _ = withCPath(old) { old in new.withCString { renameat(target.descriptor, $0, source, old) } }
      }
      throw target.failure((error as? SystemError)?.code ?? EIO)
    }
  }

  /// Counts the names that each file with several hard links has in the directory.
  private func countLinks(_ directory: CInt, depth: Int, _ links: inout [Inode: nlink_t]) throws(SystemError) {
    guard depth <= OpenDirectory.greatestDepth else { throw SystemError(ELOOP) }
    for name in OpenDirectory.names(in: directory) {
      let status = try OpenDirectory.status(of: name, in: directory)
      if status.st_mode & S_IFMT == S_IFDIR {
        let child = try OpenDirectory.openOwn(name, in: directory)
        defer { close(child) }
        try countLinks(child, depth: depth + 1, &links)
      } else if status.st_nlink > 1 {
        links[Inode(status), default: 0] += 1
      }
    }
  }

  /// Removes what is not taken over, sets the permissions, and syncs everything: after a move the source deletes its
  /// own.
  private func prepare(
    _ directory: CInt, depth: Int, _ modes: NewModes, _ links: [Inode: nlink_t]
  ) throws(SystemError) {
    guard depth <= OpenDirectory.greatestDepth else { throw SystemError(ELOOP) }
    for name in OpenDirectory.names(in: directory) {
      let status = try OpenDirectory.status(of: name, in: directory)
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        try makeData(name, in: directory, status, modes, links)
        let file = withCPath(name) { openat(directory, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        // An unreadable file cannot be synced by this process.
        guard file >= 0 else { continue }
        defer { close(file) }
        if fsync(file) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP { throw .last }
      case S_IFDIR:
        let child = try OpenDirectory.openOwn(name, in: directory)
        defer { close(child) }
        try prepare(child, depth: depth + 1, modes, links)
        try SystemError.check(fchmod(child, modes.directory))
      default: try SystemError.check(withCPath(name) { unlinkat(directory, $0, 0) })
      }
    }
    _ = fsync(directory)
  }

  /// Sets the permissions of a new file.
  ///
  /// - Throws: `EPERM` for an executable whose permissions this process must not change: it belongs to another user, or
  ///   has a hard link elsewhere and may have to stay executable there.
  private func makeData(
    _ name: [UInt8], in directory: CInt, _ status: stat, _ modes: NewModes, _ links: [Inode: nlink_t]
  ) throws(SystemError) {
    let isHereAlone = status.st_nlink == 1 || links[Inode(status)] == status.st_nlink
    guard isHereAlone, status.st_uid == geteuid() else {
      if status.st_mode & NewModes.programBits != 0 { throw SystemError(EPERM) }
      return
    }
    try SystemError.check(withCPath(name) { fchmodat(directory, $0, modes.file, AT_SYMLINK_NOFOLLOW) })
  }

  /// Identifies a file, whatever its name.
  private struct Inode: Hashable {
    let device: dev_t
    let number: ino_t

    init(_ status: stat) {
      device = status.st_dev
      number = status.st_ino
    }
  }

  /// The permissions of new entries in a directory: the default ones, reduced by the creation mask or set by the
  /// directory's default access control list. They are determined by creating a sample, because reading the mask
  /// changes it for all threads of the process.
  private struct NewModes {
    let file: mode_t
    let directory: mode_t

    /// The permission bits that make a file executable, or run it as another user.
    static let programBits: mode_t = 0o6111

    init(in parent: CInt) throws(SystemError) {
      // A random name, which the source cannot have created.
      let name = Array(".xdnd-sample-\(UInt64.random(in: .min ... .max))".utf8)
      let sample = try SystemError.check(
        withCPath(name) { openat(parent, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) })
      defer { close(sample) }
      file = try OpenDirectory.status(of: sample).st_mode & 0o666
      _ = withCPath(name) { unlinkat(parent, $0, 0) }
      try SystemError.check(withCPath(name) { mkdirat(parent, $0, 0o777) })
      directory = try OpenDirectory.status(of: name, in: parent).st_mode & 0o777
      _ = withCPath(name) { unlinkat(parent, $0, AT_REMOVEDIR) }
    }
  }
}
