import XDnDLinux
import Glibc

/// A new directory entry that has no final name yet. It is removed on release unless it was published.
///
/// Where the file system supports `O_TMPFILE` (ext4, XFS, Btrfs, tmpfs), a file has no name until it is published:
/// however the process ends, even by SIGKILL or a power failure, nothing remains. Elsewhere (NFS, FAT, older overlayfs)
/// it has a temporary name in the directory, which SIGKILL or a power failure leaves behind.
package final class StagedEntry {
  private enum State {
    case unnamed(Descriptor)
    /// The descriptor of a directory holds a lock, which tells other processes that the directory is in use.
    case named(RawPath, lock: OpenDirectory?)
    case published
  }

  private let directory: OpenDirectory
  private var state: State

  private init(_ directory: OpenDirectory, _ state: State) {
    self.directory = directory
    self.state = state
  }

  deinit {
    switch state {
    case .unnamed, .published: break
    case .named(let name, let inside?): directory.removeAll(of: inside, named: name)
    case .named(let name, nil): try? directory.remove(name)
    }
  }

  /// Makes an empty file that only this user can read. The caller sets its final permissions before publishing it.
  package static func file(
    in directory: OpenDirectory, allowsUnnamed: Bool = true
  ) throws(SystemError) -> (StagedEntry, Descriptor) {
    if allowsUnnamed, let unnamed = openUnnamed(in: directory, mode: 0o600) {
      return (StagedEntry(directory, .unnamed(unnamed)), unnamed)
    }
    var number: CInt = -1
    let name = try temporaryName { name throws(SystemError) in
      number = try createFile(name, in: directory.descriptor, mode: 0o600)
    }
    return (StagedEntry(directory, .named(name, lock: nil)), Descriptor(number))
  }

  package static func directory(in directory: OpenDirectory) throws(SystemError) -> (StagedEntry, OpenDirectory) {
    let name = try temporaryName { name throws(SystemError) in try directory.makeDirectory(name) }
    do {
      let inside = try directory.child(name)
      _ = flock(inside.descriptor, LOCK_EX | LOCK_NB)
      return (StagedEntry(directory, .named(name, lock: inside)), inside)
    } catch {
      try? directory.remove(name, isDirectory: true)
      throw error
    }
  }

  /// Makes a symbolic link, and returns its temporary name, too.
  package static func link(
    to target: RawPath, in directory: OpenDirectory
  ) throws(SystemError) -> (StagedEntry, RawPath) {
    let name = try temporaryName { name throws(SystemError) in try directory.makeLink(name, to: target) }
    return (StagedEntry(directory, .named(name, lock: nil)), name)
  }

  /// Gives the entry its final name. After an error, another name can be tried.
  ///
  /// - Parameter isReplacing: Whether to replace an existing file.
  /// - Throws: `EEXIST` if the name is taken, even by a dangling symbolic link.
  package func publish(as name: RawPath, replacing isReplacing: Bool = false) throws(SystemError) {
    if case .unnamed(let file) = state {
      do throws(SystemError) {
        try link(file, as: name)
        state = .published
        return
      } catch {
        guard error.code == EEXIST, isReplacing else { throw error }
      }
      // `link` never replaces a file, so the complete file briefly has a temporary name. It remains if the process is
      // killed just then.
      let temporary = try Self.temporaryName { name throws(SystemError) in try link(file, as: name) }
      state = .named(temporary, lock: nil)
    }
    guard case .named(let temporary, _) = state else { return }
    if isReplacing {
      try directory.replace(name, in: directory, by: temporary)
    } else {
      try directory.rename(temporary, to: directory, as: name)
    }
    state = .published
  }

  // MARK: Names

  /// Opens a file without a name; `nil` if that is not supported here.
  package static func openUnnamed(in directory: OpenDirectory, mode: FileMode) -> Descriptor? {
    let flags = OPEN_UNNAMED | O_DIRECTORY | O_WRONLY
    guard let number = try? openFile(Array(".".utf8), in: directory.descriptor, flags, mode: mode) else { return nil }
    let file = Descriptor(number)
    // Naming the file requires /proc, which may not be mounted.
    return withCPath(linkPath(of: number)) { access($0, F_OK) } == 0 ? file : nil
  }

  /// Names the unnamed file in the only way that needs no privileges: see open(2), `O_TMPFILE`.
  private func link(_ file: Descriptor, as name: RawPath) throws(SystemError) {
    try SystemError.check(
      withCPath(linkPath(of: file.number)) { old in
        withCPath(name) { linkat(AT_FDCWD, old, directory.descriptor, $0, AT_SYMLINK_FOLLOW) }
      })
  }

  /// Makes an entry under a free temporary name. A killed process with the same ID may have left some of these names.
  /// The name does not contain the final name, which may already have the maximum length.
  private static func temporaryName(_ make: (RawPath) throws(SystemError) -> Void) throws(SystemError) -> RawPath {
    // Random after the first 100: another user may have taken the predictable names.
    let numbers = (0..<1000).lazy.map { $0 < 100 ? $0 : Int.random(in: 100...Int(UInt32.max)) }
    return try firstFree(numbers.map { Array(".xdnd-\(getpid())-\($0)".utf8) }, make)
  }
}

/// Writes a new file from its start to its end.
///
/// Syncs at intervals: a single sync at the end could block an event loop for minutes. A load ends only after the last
/// sync, because the source of a move may then delete its original.
package final class FileWriter {
  package private(set) var byteCount = 0
  package let descriptor: Descriptor
  private let isDurable: Bool
  private var unsynced = 0

  /// In bytes.
  private static let syncInterval = 16 << 20

  package init(_ descriptor: Descriptor, isDurable: Bool = true) {
    self.descriptor = descriptor
    self.isDurable = isDurable
  }

  package convenience init(
    _ name: RawPath, in directory: OpenDirectory, mode: FileMode, isDurable: Bool
  ) throws(SystemError) {
    self.init(Descriptor(try createFile(name, in: directory.descriptor, mode: mode)), isDurable: isDurable)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try writeAll(bytes, to: descriptor.number)
    byteCount += bytes.count
    unsynced += bytes.count
    if unsynced >= Self.syncInterval { try sync() }
  }

  package func sync() throws(SystemError) {
    unsynced = 0
    if isDurable { try syncFile(descriptor.number, onlyContent: true) }
  }
}
