internal import CLinux
internal import Glibc

extension Directory {
  /// Renames an entry, never replacing another.
  ///
  /// - Returns: 0 or the error number: `EEXIST` if the name is taken, `EXDEV` if the target is on another file system.
  func rename(_ name: RawPath, to target: Directory, as newName: RawPath) -> CInt {
    let (from, to) = (descriptor.number, target.descriptor.number)
    let code = errorNumber {
      withCPath(name) { old in withCPath(newName) { renameat2(from, old, to, $0, RENAME_WITHOUT_REPLACING) } }
    }
    guard code == EINVAL || code == ENOSYS else { return code }
    return renameOverPlaceholder(name, to: target, as: newName) ?? code
  }

  /// The fallback for file systems without `RENAME_NOREPLACE` (NFS, some of FUSE). Creates an empty placeholder, which
  /// fails if the name is taken, and renames over it.
  ///
  /// - Returns: `nil` if the file system is not the cause of the failure.
  private func renameOverPlaceholder(_ name: RawPath, to target: Directory, as newName: RawPath) -> CInt? {
    guard let mine = try? status(of: name), let there = try? target.status() else { return nil }
    if mine.identity.device != there.identity.device { return EXDEV }
    if mine.kind == .directory, (try? target.isWithin(mine.identity)) ?? true { return nil }
    let (from, to) = (descriptor.number, target.descriptor.number)
    let isDirectory = mine.kind == .directory
    let made = errorNumber {
      withCPath(newName) {
        if isDirectory { return mkdirat(to, $0, 0o700) }
        let placeholder = openat(to, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        return placeholder < 0 ? -1 : close(placeholder)
      }
    }
    guard made == 0 else { return made }
    let code = errorNumber { withCPath(name) { old in withCPath(newName) { renameat(from, old, to, $0) } } }
    if code != 0 { _ = withCPath(newName) { unlinkat(to, $0, isDirectory ? AT_REMOVEDIR : 0) } }
    return code
  }

  /// Removes an entry and everything below it. Used for this library's own temporary entries; follows no symbolic link.
  func removeAll(_ name: RawPath, depth: Int = 0) {
    if withCPath(name, { unlinkat(descriptor.number, $0, 0) }) == 0 { return }
    if let child = try? child(name, depth: depth) {
      // The finished copy of a read-only directory is read-only, too.
      _ = fchmod(child.descriptor.number, 0o700)
      for inner in (try? child.names()) ?? [] { child.removeAll(inner, depth: depth + 1) }
    }
    _ = withCPath(name) { unlinkat(descriptor.number, $0, AT_REMOVEDIR) }
  }

  /// Makes an entry under a free temporary name.
  ///
  /// The name does not contain the item's name, which may already have the maximum length.
  func makeTemporary(_ make: (RawPath) -> CInt) throws(FileError) -> RawPath {
    for _ in 0..<1000 {
      let name = Array(".xdnd-\(getpid())-\(UInt32.random(in: 0...UInt32.max))".utf8)
      switch make(name) {
      case 0: return name
      case EEXIST: continue
      case let code: throw failure(code)
      }
    }
    throw failure(EEXIST)
  }

  /// The error for a failed write to this directory.
  func failure(_ code: CInt) -> FileError {
    let name = (try? Location(path).name) ?? path
    return FileError("write to", name, isGone ? ENOENT : code)
  }
}

/// A new entry without its final name. It is removed on release unless it was published.
final class StagedItem {
  private enum Hold {
    /// `O_TMPFILE`: the kernel removes the file however the process ends.
    case unnamed(Descriptor)
    /// If it is a directory, the descriptor holds a lock by which other processes see that it is in use.
    case named(RawPath, lock: Descriptor?)
    case done
  }

  private let directory: Directory
  private var hold: Hold

  private init(_ directory: Directory, _ hold: Hold) {
    self.directory = directory
    self.hold = hold
  }

  deinit { if case .named(let name, _) = hold { directory.removeAll(name) } }

  /// Makes an empty file, unnamed if the file system supports that.
  static func file(
    in directory: Directory, allowUnnamed: Bool = true
  ) throws(FileError) -> (StagedItem, Descriptor) {
    let number = withCPath(Array(".".utf8)) {
      openat(directory.descriptor.number, $0, OPEN_UNNAMED | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
    }
    if number >= 0 {
      let descriptor = Descriptor(number)
      // The file gets its name by a link through /proc, which need not be mounted.
      if allowUnnamed, withCPath(Self.procPath(number), { access($0, F_OK) }) == 0 {
        return (StagedItem(directory, .unnamed(descriptor)), descriptor)
      }
    }
    var named: CInt = -1
    let name = try directory.makeTemporary { name in
      errorNumber {
        named = withCPath(name) {
          openat(directory.descriptor.number, $0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        return named
      }
    }
    return (StagedItem(directory, .named(name, lock: nil)), Descriptor(named))
  }

  /// Makes an empty, locked directory with access for the user only.
  static func directory(in directory: Directory) throws(FileError) -> (StagedItem, Directory) {
    let name = try directory.makeTemporary { name in
      errorNumber { withCPath(name) { mkdirat(directory.descriptor.number, $0, 0o700) } }
    }
    let item = StagedItem(directory, .named(name, lock: nil))
    let inside = try directory.child(name, depth: 0)
    _ = flock(inside.descriptor.number, LOCK_EX | LOCK_NB)
    item.hold = .named(name, lock: inside.descriptor)
    return (item, inside)
  }

  /// Makes a symbolic link and returns its temporary name, too.
  static func link(to target: RawPath, in directory: Directory) throws(FileError) -> (StagedItem, RawPath) {
    let name = try directory.makeTemporary { name in
      errorNumber {
        withCPath(target) { target in withCPath(name) { symlinkat(target, directory.descriptor.number, $0) } }
      }
    }
    return (StagedItem(directory, .named(name, lock: nil)), name)
  }

  /// Gives the entry its final name, unless that is taken.
  ///
  /// - Returns: 0 or the error number. After an error, another name can be tried.
  func publish(as name: RawPath) -> CInt {
    let code: CInt
    switch hold {
    case .done: return 0
    case .unnamed(let descriptor):
      code = errorNumber {
        withCPath(Self.procPath(descriptor.number)) { old in
          withCPath(name) { linkat(AT_FDCWD, old, directory.descriptor.number, $0, AT_SYMLINK_FOLLOW) }
        }
      }
    case .named(let temporary, _): code = directory.rename(temporary, to: directory, as: name)
    }
    if code == 0 { hold = .done }
    return code
  }

  private static func procPath(_ number: CInt) -> RawPath { Array("/proc/self/fd/\(number)".utf8) }
}
