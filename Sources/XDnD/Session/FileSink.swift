import Glibc

/// Writes a file that has its name only when it is whole.
///
/// Where the file system can (`O_TMPFILE`: ext4, XFS, Btrfs, tmpfs), the file has no name at all before: whatever ends
/// the process, even SIGKILL or a power failure, leaves nothing. Where it cannot (NFS, FAT, older overlays), it has a
/// temporary name in the same directory, and only a process that is killed leaves that behind.
final class FileSink {
  /// The name of the file, once it has one.
  private(set) var name: String?
  private let destination: Destination
  /// The directory that the names are in, or that relative paths begin at.
  private let directory: CInt
  /// What goes before the names: the path of their directory with its slash, or nothing.
  private let prefix: [UInt8]
  private var descriptor: CInt
  /// The name that it has for now, if it has one.
  private var temporary: [UInt8]?
  private var failure: XDnDError?
  private var unsynced = 0
  /// How much has been written.
  private(set) var byteCount = 0

  private enum Destination {
    case path(FileDestination, FileDestination.Place)
    /// A name that is free, made of this one.
    case unique(String, in: FileDirectory)

    func failure(_ code: CInt) -> XDnDError {
      switch self {
      case .path(let destination, _): destination.failure(code)
      case .unique(let name, let directory): directory.failure(code, name)
      }
    }
  }

  /// Whether it takes the place of a file that was there when it was begun.
  private var isReplacement: Bool { if case .path(_, let place) = destination { place.mode != nil } else { false } }

  /// How much is written before it has to be on the disk. All at once at the end could stop the event loop, and so
  /// everything else that the program does, for minutes.
  static let syncInterval = 16 << 20

  /// Linux has it in a macro that Swift does not see; the first bit is the same on all architectures.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  convenience init(_ destination: FileDestination, unnamed isUnnamed: Bool = true) throws(XDnDError) {
    let place = try destination.resolve()
    try self.init(.path(destination, place), AT_FDCWD, place.directory, mode: place.mode ?? 0o666, isUnnamed)
    // The creation mask has no say in the permissions of a file that was there before.
    if let mode = place.mode { _ = fchmod(descriptor, mode) }
  }

  /// For a file that gets the first name that is free in a directory: "note.txt", "note 2.txt" …
  ///
  /// - Parameter name: What of it may be the name of a file is used.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  convenience init(in directory: FileDirectory, named name: String, unnamed isUnnamed: Bool = true) throws(XDnDError) {
    guard let name = FileName.sanitized(Array(name.utf8)) else { throw directory.failure(EINVAL, name) }
    try self.init(.unique(name, in: directory), directory.descriptor, [], mode: 0o666, isUnnamed)
  }

  private init(
    _ destination: Destination, _ directory: CInt, _ prefix: [UInt8], mode: mode_t, _ isUnnamed: Bool
  ) throws(XDnDError) {
    self.destination = destination
    self.directory = directory
    self.prefix = prefix
    descriptor = isUnnamed ? Self.openUnnamed(in: prefix, of: directory, mode: mode) : -1
    guard descriptor < 0 else { return }
    let code = freeName { name in
      descriptor = withCPath(name) { openat(directory, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
      return descriptor >= 0
    }
    if code != 0 { throw destination.failure(code) }
  }

  deinit { discard() }

  /// Writes all of it; `false` if it cannot, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let code = writeAll(bytes, to: descriptor)
    guard code == 0 else { return fail(code) }
    unsynced += bytes.count
    byteCount += bytes.count
    return unsynced < Self.syncInterval || sync()
  }

  /// Makes it like the file that it is a copy of; one that takes the place of another keeps that one's permissions.
  func set(_ attributes: FileAttributes) {
    do {
      try attributes.apply(to: descriptor, keepingMode: isReplacement)
    } catch {
      _ = fail(error.code)
    }
  }

  /// Marks it as a clipping, where the file system can.
  func markAsClipping() { ClippingMark.put(on: descriptor) }

  /// Gives it its name if all is there, and removes it if not.
  func close(after result: Result<ContentType, XDnDError>) -> Result<ContentType, XDnDError> {
    defer { discard() }
    if let failure { return .failure(failure) }
    guard case .success = result else { return result }
    guard sync(), commit() else { return .failure(failure ?? destination.failure(EIO)) }
    syncDirectory()
    return result
  }

  /// Leaves nothing of it behind, unless it has its name.
  private func discard() {
    if let temporary { _ = withCPath(temporary) { unlinkat(directory, $0, 0) } }
    temporary = nil
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  private func commit() -> Bool {
    switch destination {
    case .path(let destination, let place): commit(to: place, replacing: destination.isReplacing)
    case .unique(let name, let directory): commit(as: name, in: directory)
    }
  }

  private func commit(as name: String, in directory: FileDirectory) -> Bool {
    let unique = FileDirectory.makeUnique(name) { new in
      guard let temporary else { return linkUnnamed(to: new) }
      return withCPath(temporary) { directory.take($0, from: directory.descriptor, as: new, isDirectory: false) }
    }
    guard let unique else { return fail(errno) }
    self.name = unique
    return true
  }

  private func commit(to place: FileDestination.Place, replacing isReplacing: Bool) -> Bool {
    if temporary == nil {
      if withCPath(place.path, linkUnnamed) { return true }
      guard errno == EEXIST, isReplacing else { return fail(errno) }
      // A link never replaces. For the blink of an eye the whole file has a temporary name.
      let code = freeName { withCPath($0, linkUnnamed) }
      if code != 0 { return fail(code) }
    }
    guard let temporary else { return false }
    let isNamed = withCPath(temporary) { old in
      withCPath(place.path) { new in
        isReplacing ? rename(old, new) == 0 : link(old, new) == 0
      }
    }
    guard isNamed else { return fail(errno) }
    // A link leaves the old name where it is.
    if isReplacing { self.temporary = nil }
    return true
  }

  // MARK: Names

  static func openUnnamed(in path: [UInt8], of directory: CInt = AT_FDCWD, mode: mode_t) -> CInt {
    let path = path.isEmpty ? [UInt8(ascii: ".")] : path
    let descriptor = withCPath(path) { openat(directory, $0, Self.unnamed | O_WRONLY | O_CLOEXEC, mode) }
    guard descriptor >= 0 else { return -1 }
    // It gets its name by way of /proc, which need not be mounted.
    guard withCPath(self.path(of: descriptor), { access($0, F_OK) }) == 0 else {
      _ = Glibc.close(descriptor)
      return -1
    }
    return descriptor
  }

  /// The one way to name an unnamed file that takes no privileges.
  private func linkUnnamed(to path: UnsafePointer<CChar>) -> Bool {
    withCPath(Self.path(of: descriptor)) { linkat(AT_FDCWD, $0, directory, path, AT_SYMLINK_FOLLOW) == 0 }
  }

  private static func path(of descriptor: CInt) -> [UInt8] { Array("/proc/self/fd/\(descriptor)".utf8) }

  /// Tries names until `make` succeeds or fails for another reason than that there is such a file: loads can overlap,
  /// and a process of the same number may have been killed. The name is not made of the file's, which may be as long
  /// as names can be.
  ///
  /// - Returns: 0, or the error.
  private func freeName(_ make: ([UInt8]) -> Bool) -> CInt {
    for number in 0..<1000 {
      let name = prefix + Array(".xdnd-\(getpid())-\(number)".utf8)
      if make(name) {
        temporary = name
        return 0
      }
      if errno != EEXIST { return errno }
    }
    return EEXIST
  }

  // MARK: The disk

  private func sync() -> Bool {
    unsynced = 0
    let code = syncData(of: descriptor)
    return code == 0 || fail(code)
  }

  /// The name is to stay, too. If that cannot be had, there is the whole file nevertheless.
  private func syncDirectory() {
    let path = prefix.isEmpty ? [UInt8(ascii: ".")] : prefix
    let directory = withCPath(path) { openat(self.directory, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard directory >= 0 else { return }
    _ = fsync(directory)
    _ = Glibc.close(directory)
  }

  private func fail(_ code: CInt) -> Bool {
    failure = failure ?? destination.failure(code)
    return false
  }
}

/// Writes all of it to a file.
///
/// - Returns: 0, or the error.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
  var written = 0
  while written < bytes.count {
    let count = write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return count == 0 ? ENOSPC : errno }
    written += count
  }
  return 0
}

/// Has what was written on the disk.
///
/// - Returns: 0, or the error.
func syncData(of descriptor: CInt) -> CInt {
  while fdatasync(descriptor) != 0 {
    switch errno {
    case EINTR: continue
    // There is nothing to be synced to.
    case EINVAL, EROFS, ENOTSUP: return 0
    default: return errno
    }
  }
  return 0
}
