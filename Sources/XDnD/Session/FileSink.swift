import Glibc

/// Writes a file that has its name only when it is whole.
///
/// Where the file system can (`O_TMPFILE`: ext4, XFS, Btrfs, tmpfs), the file has no name at all before: whatever ends
/// the process, even SIGKILL or a power failure, leaves nothing. Where it cannot (NFS, FAT, older overlays), it has a
/// temporary name in the same directory, and only a process that is killed leaves that behind.
final class FileSink {
  private let destination: FileDestination
  private let place: FileDestination.Place
  private var descriptor: CInt
  /// The name that it has for now, if it has one.
  private var temporary: [UInt8]?
  private var failure: XDnDError?
  private var unsynced = 0

  /// How much is written before it has to be on the disk. All at once at the end could stop the event loop, and so
  /// everything else that the program does, for minutes.
  static let syncInterval = 16 << 20

  /// Linux has it in a macro that Swift does not see; the first bit is the same on all architectures.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  init(_ destination: FileDestination, unnamed isUnnamed: Bool = true) throws(XDnDError) {
    self.destination = destination
    self.place = try destination.resolve()
    let mode = place.mode ?? 0o666
    descriptor = isUnnamed ? Self.openUnnamed(in: place.directory, mode: mode) : -1
    if descriptor < 0 {
      let code = freeName { name in
        descriptor = withCPath(name) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
        return descriptor >= 0
      }
      if code != 0 { throw destination.failure(code) }
    }
    // The creation mask has no say in the permissions of a file that was there before.
    if let mode = place.mode { _ = fchmod(descriptor, mode) }
  }

  deinit { discard() }

  /// Writes all of it; `false` if it cannot, for example because the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let code = writeAll(bytes, to: descriptor)
    guard code == 0 else { return fail(code) }
    unsynced += bytes.count
    return unsynced < Self.syncInterval || sync()
  }

  /// Makes it like the file that it is a copy of; one that takes the place of another keeps that one's permissions.
  func set(_ attributes: FileAttributes) {
    do {
      try attributes.apply(to: descriptor, keepingMode: place.mode != nil)
    } catch {
      _ = fail(error.code)
    }
  }

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
    if let temporary { _ = withCPath(temporary) { unlink($0) } }
    temporary = nil
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  private func commit() -> Bool {
    if temporary == nil {
      if linkUnnamed(to: place.path) { return true }
      guard errno == EEXIST, destination.isReplacing else { return fail(errno) }
      // A link never replaces. For the blink of an eye the whole file has a temporary name.
      let code = freeName { linkUnnamed(to: $0) }
      if code != 0 { return fail(code) }
    }
    guard let temporary else { return false }
    let isNamed = withCPath(temporary) { old in
      withCPath(place.path) { new in
        destination.isReplacing ? rename(old, new) == 0 : link(old, new) == 0
      }
    }
    guard isNamed else { return fail(errno) }
    // A link leaves the old name where it is.
    if destination.isReplacing { self.temporary = nil }
    return true
  }

  // MARK: Names

  static func openUnnamed(in directory: [UInt8], mode: mode_t) -> CInt {
    let descriptor = withCPath(directory) { open($0, Self.unnamed | O_WRONLY | O_CLOEXEC, mode) }
    guard descriptor >= 0 else { return -1 }
    // It gets its name by way of /proc, which need not be mounted.
    guard withCPath(path(of: descriptor), { access($0, F_OK) }) == 0 else {
      _ = Glibc.close(descriptor)
      return -1
    }
    return descriptor
  }

  /// The one way to name an unnamed file that takes no privileges.
  private func linkUnnamed(to path: [UInt8]) -> Bool {
    withCPath(Self.path(of: descriptor)) { old in
      withCPath(path) { linkat(AT_FDCWD, old, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) == 0 }
    }
  }

  private static func path(of descriptor: CInt) -> [UInt8] { Array("/proc/self/fd/\(descriptor)".utf8) }

  /// Tries names until `make` succeeds or fails for another reason than that there is such a file: loads can overlap,
  /// and a process of the same number may have been killed. The name is not made of the file's, which may be as long
  /// as names can be.
  ///
  /// - Returns: 0, or the error.
  private func freeName(_ make: ([UInt8]) -> Bool) -> CInt {
    for number in 0..<1000 {
      let name = place.directory + Array(".xdnd-\(getpid())-\(number)".utf8)
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
    let directory = withCPath(place.directory) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
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
