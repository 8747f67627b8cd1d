import Glibc

/// Where the source of a direct save writes to: a directory of our own within the one that the file is for.
///
/// What is there belongs to the file system it will stay in, so taking it over is a matter of names. All of that goes by
/// open descriptors, so it does not matter what becomes of the paths meanwhile.
final class SaveStaging {
  private let target: FileDirectory
  private let directory: PrivateDirectory

  /// So many entries are looked at; the source is not to decide how long that takes.
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

  /// The URI of a file in it. Without a host name: no application was seen to write one, and some readers break on it.
  func uri(of name: String) -> String { FileURI.encode(path: directory.path + [UInt8(ascii: "/")] + Array(name.utf8)) }

  /// Removes it, with all that has not been taken over.
  func remove() { directory.remove() }

  // MARK: Looking

  /// What is there now; `nil` if it was removed, as a rule with the directory that it is in.
  func look() -> DirectSaveReceiver.Look? {
    // What has no name any more takes none in either.
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

  /// Whether somebody has a file open for writing: then there can be no read lease, fcntl(2). `nil` where there are none
  /// (NFS, files of another user).
  private static func isBeingWritten(_ name: [UInt8], in directory: CInt) -> Bool? {
    let file = withCPath(name) { openat(directory, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    // Somebody who opens it in this very instant is announced by a signal. The usual one ends the process; this one is
    // ignored unless asked for.
    guard fcntl(file, setSignal, SIGURG) == 0 else { return nil }
    guard fcntl(file, setLease, F_RDLCK) == 0 else { return errno == EAGAIN ? true : nil }
    _ = fcntl(file, setLease, F_UNLCK)
    return false
  }

  /// `F_SETSIG` and `F_SETLEASE`: Linux only, so Swift does not see them.
  private static let (setSignal, setLease): (CInt, CInt) = (10, 1024)

  // MARK: Taking over

  /// Moves everything into the directory that it is for, under names that were free there, and has it on its disk.
  ///
  /// Files and directories of files are taken, as data: with the permissions that a new file or directory has here,
  /// whatever the source has given them. Symbolic links are not taken, nor are devices or pipes: they would lead whoever
  /// trusts the directory out of it.
  ///
  /// - Parameter fallbackName: For what has a name that cannot be used.
  /// - Throws: ``XDnDError/Code/fileNotWritten``; then nothing has been taken.
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
      // That the names stay is for the directory; if it cannot say so, the files are there nevertheless.
      _ = fsync(target.descriptor)
      return saved
    } catch {
      for (old, new) in moved.reversed() {
        _ = withCPath(old) { old in new.withCString { renameat(target.descriptor, $0, source, old) } }
      }
      throw target.failure((error as? SystemError)?.code ?? EIO)
    }
  }

  /// How many names each file has here, of those with several.
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

  /// Leaves only what may be taken, as data, and all of it on the disk: after a move the source deletes what it had.
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
        // One that we may not read is none of ours to sync.
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

  /// Gives a file the permissions of a new one.
  ///
  /// - Throws: For a program whose permissions are not ours to change: it belongs to another user, or has a name elsewhere,
  ///   where it may have to stay a program.
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

  /// What a file is, by whatever name.
  private struct Inode: Hashable {
    let device: dev_t
    let number: ino_t

    init(_ status: stat) {
      device = status.st_dev
      number = status.st_ino
    }
  }

  /// The permissions of what is new in a directory: those that everybody may have, less what the creation mask takes, or the
  /// directory's default access list. They are found out by making something, for to read the mask is to change it, and that
  /// for all threads of the process.
  private struct NewModes {
    let file: mode_t
    let directory: mode_t

    /// What makes a program of a file, or lets it run as somebody else.
    static let programBits: mode_t = 0o6111

    init(in parent: CInt) throws(SystemError) {
      // Nothing that the source can have made.
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
