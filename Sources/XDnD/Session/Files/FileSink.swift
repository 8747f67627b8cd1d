import Glibc

/// Writes a file that appears under its name only when it is complete.
///
/// Where the file system supports `O_TMPFILE` (ext4, XFS, Btrfs, tmpfs), the file has no name until then: however the
/// process ends, even by SIGKILL or a power failure, nothing remains. Elsewhere (NFS, FAT, older overlayfs) it has a
/// temporary name in the same directory, which remains only if the process is killed.
final class FileSink {
  /// The name of the file, once it has one.
  private(set) var name: String?
  private let destination: Destination
  /// The directory of the names, to which relative paths are resolved.
  private let directory: CInt
  /// The prefix of the names: the path of their directory with a slash, or empty.
  private let prefix: [UInt8]
  private var descriptor: CInt
  /// The temporary name, if the file has one.
  private var temporary: [UInt8]?
  private var failure: XDnDError?
  private var unsynced = 0
  /// The number of bytes written.
  private(set) var byteCount = 0

  private enum Destination {
    case path(FileDestination, FileDestination.Place)
    /// The first free name that is derived from this one.
    case unique(String, in: FileDirectory)

    func failure(_ code: CInt) -> XDnDError {
      switch self {
      case .path(let destination, _): destination.failure(code)
      case .unique(let name, let directory): directory.failure(code, name)
      }
    }
  }

  /// Whether it replaces a file that existed when the writing began.
  private var isReplacement: Bool { if case .path(_, let place) = destination { place.mode != nil } else { false } }

  /// The number of bytes after which the file is synced. A single sync at the end could block the event loop for
  /// minutes.
  static let syncInterval = 16 << 20

  /// `O_TMPFILE`, which Linux defines as a macro that Swift does not import. Its first bit is the same on all
  /// architectures.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  convenience init(_ destination: FileDestination, unnamed isUnnamed: Bool = true) throws(XDnDError) {
    let place = try destination.resolve()
    try self.init(.path(destination, place), AT_FDCWD, place.directory, mode: place.mode ?? 0o666, isUnnamed)
    // A replaced file's permissions are kept, whatever the creation mask.
    if let mode = place.mode { _ = fchmod(descriptor, mode) }
  }

  /// Writes a file under the first free name in a directory: "note.txt", "note 2.txt" …
  ///
  /// - Parameter name: The suggested name. It is sanitized: see ``FileName``.
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

  /// Writes bytes; returns `false` if that fails, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let code = writeAll(bytes, to: descriptor)
    guard code == 0 else { return fail(code) }
    unsynced += bytes.count
    byteCount += bytes.count
    return unsynced < Self.syncInterval || sync()
  }

  /// Applies the attributes of the copied file. A replaced file's permissions are kept.
  func set(_ attributes: FileAttributes) {
    do {
      try attributes.apply(to: descriptor, keepingMode: isReplacement)
    } catch {
      _ = fail(error.code)
    }
  }

  /// Marks the file as a clipping, if the file system supports extended attributes.
  func markAsClipping() { ClippingMark.put(on: descriptor) }

  /// Gives the file its name if the content is complete, and removes it otherwise.
  func close(after result: Result<ContentType, XDnDError>) -> Result<ContentType, XDnDError> {
    defer { discard() }
    if let failure { return .failure(failure) }
    guard case .success = result else { return result }
    guard sync(), commit() else { return .failure(failure ?? destination.failure(EIO)) }
    syncDirectory()
    return result
  }

  /// Removes the file, unless it has its name.
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
      // `link` never replaces a file, so the complete file briefly has a temporary name.
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
    // `link` leaves the old name in place.
    if isReplacing { self.temporary = nil }
    return true
  }

  // MARK: Names

  static func openUnnamed(in path: [UInt8], of directory: CInt = AT_FDCWD, mode: mode_t) -> CInt {
    let path = path.isEmpty ? [UInt8(ascii: ".")] : path
    let descriptor = withCPath(path) { openat(directory, $0, Self.unnamed | O_WRONLY | O_CLOEXEC, mode) }
    guard descriptor >= 0 else { return -1 }
    // Naming the file requires /proc, which may not be mounted.
    guard withCPath(self.path(of: descriptor), { access($0, F_OK) }) == 0 else {
      _ = Glibc.close(descriptor)
      return -1
    }
    return descriptor
  }

  /// Names the unnamed file in the one way that needs no privileges: open(2), `O_TMPFILE`.
  private func linkUnnamed(to path: UnsafePointer<CChar>) -> Bool {
    withCPath(Self.path(of: descriptor)) { linkat(AT_FDCWD, $0, directory, path, AT_SYMLINK_FOLLOW) == 0 }
  }

  private static func path(of descriptor: CInt) -> [UInt8] { Array("/proc/self/fd/\(descriptor)".utf8) }

  /// Tries temporary names until `make` succeeds, or fails for another reason than `EEXIST`: loads may overlap, and a
  /// killed process with the same number may have left a file. The name does not contain the file's own, which may have
  /// the maximum length already.
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

  /// Syncs the directory, so that the name persists. Errors are ignored, because the file itself is complete.
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

/// Writes all bytes to a file.
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

/// Waits until the written data is on the disk.
///
/// - Returns: 0, or the error.
func syncData(of descriptor: CInt) -> CInt {
  while fdatasync(descriptor) != 0 {
    switch errno {
    case EINTR: continue
    // The descriptor does not support syncing.
    case EINVAL, EROFS, ENOTSUP: return 0
    default: return errno
    }
  }
  return 0
}
