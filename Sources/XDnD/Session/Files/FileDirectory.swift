import Glibc

/// A directory to save files in.
///
/// The directory is held open. It remains the same one even if it is moved or a symbolic link takes its place. Saving
/// into a directory that was removed is an error. The object is `Sendable`.
///
/// Opening a directory removes from it the staging directories of processes that were killed during a direct save.
public final class FileDirectory: Sendable {
  /// The path as it was given. The directory may have been moved since.
  public let rawPath: [UInt8]
  let descriptor: CInt

  /// The open directory, for `openat` and similar calls. It is closed with this object; do not close it. Prefer it to
  /// ``rawPath``, which may refer to another directory by now.
  public var fileDescriptor: CInt { descriptor }

  /// Opens a directory.
  ///
  /// - Parameter rawPath: The path of the directory, which need not be UTF-8. Symbolic links are followed.
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if the path is not a directory, or cannot be written to.
  public init(rawPath: [UInt8]) throws(XDnDError) {
    self.rawPath = rawPath
    // A NUL byte would truncate the C string.
    descriptor =
      rawPath.contains(0) ? -1 : withCPath(rawPath) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw FileDestination(rawPath: rawPath).failure(rawPath.contains(0) ? EINVAL : errno) }
    if faccessat(descriptor, ".", W_OK | X_OK, 0) != 0 { throw FileDestination(rawPath: rawPath).failure(errno) }
    sweep()
  }

  /// Opens a directory at a path.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if the path is not a directory, or cannot be written to.
  public convenience init(_ path: String) throws(XDnDError) { try self.init(rawPath: Array(path.utf8)) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Removes staging directories of killed processes.
  func sweep() { PrivateDirectory.sweep(descriptor, olderThan: .seconds(600)) }

  /// Saves bytes in a new file. The file appears under its name only when it is complete, and is on the disk when the
  /// method returns. The method blocks meanwhile.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - name: The suggested name. It is sanitized, and a number is appended if it is taken: see ``FileName``.
  /// - Returns: The file.
  /// - Throws: ``XDnDError/Code/fileNotWritten``. No partial file remains.
  public func save(_ bytes: [UInt8], named name: String) throws(XDnDError) -> SavedFile {
    try save(bytes, named: name, isClipping: false)
  }

  /// Saves a clipping in a new file, and marks the file as one. See ``save(_:named:)`` and ``ClippingMark``.
  ///
  /// - Returns: The file.
  /// - Throws: ``XDnDError/Code/fileNotWritten``. No partial file remains.
  public func save(_ clipping: Clipping) throws(XDnDError) -> SavedFile {
    try save(clipping.bytes, named: clipping.name, isClipping: true)
  }

  private func save(_ bytes: [UInt8], named name: String, isClipping: Bool) throws(XDnDError) -> SavedFile {
    let file = try FileSink(in: self, named: name)
    if isClipping { file.markAsClipping() }
    let isWritten = bytes.withUnsafeBytes(file.write)
    // Closing the file throws the error of a failed write.
    _ = try file.close(after: isWritten ? .success(.data) : .failure(failure(EIO))).get()
    return saved(file.name ?? name, byteCount: bytes.count)
  }

  func saved(_ name: String, byteCount: Int?) -> SavedFile {
    SavedFile(rawPath: path(of: Array(name.utf8)), byteCount: byteCount)
  }

  private func path(of name: [UInt8]) -> [UInt8] {
    rawPath + (rawPath.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
  }

  /// The directory's current absolute path.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if the directory was removed.
  func location() throws(XDnDError) -> [UInt8] {
    var own = stat()
    guard fstat(descriptor, &own) == 0, own.st_nlink > 0 else { throw failure(ENOENT) }
    // The kernel knows the path even after a move, but /proc may not be mounted.
    for candidate in [Array("/proc/self/fd/\(descriptor)".utf8), rawPath] {
      guard let resolved = withCPath(candidate, { realpath($0, nil) }) else { continue }
      let path = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
      free(resolved)
      var status = stat()
      if withCPath(path, { lstat($0, &status) }) == 0, status.st_dev == own.st_dev, status.st_ino == own.st_ino {
        return path
      }
    }
    throw failure(ENOENT)
  }

  /// - Parameter name: The file that could not be written; `nil` for the directory itself.
  func failure(_ code: CInt, _ name: String? = nil) -> XDnDError {
    FileDestination(rawPath: name.map { path(of: Array($0.utf8)) } ?? rawPath).failure(code)
  }

  /// Calls `make` with "note.txt", "note 2.txt" … until it succeeds, or fails for another reason than `EEXIST`.
  ///
  /// - Returns: The first free name; `nil` after a failure, with `errno` unchanged.
  static func makeUnique(_ name: String, _ make: (UnsafePointer<CChar>) -> Bool) -> String? {
    for number in 1...mostNumbers {
      let candidate = FileName.numbered(name, number)
      if candidate.withCString(make) { return candidate }
      // A taken name of the maximum length is no obstacle: `numbered` shortens it.
      if errno != EEXIST { return nil }
    }
    return nil
  }

  /// Moves an entry from another directory into this one. Never replaces anything, not even a dangling symbolic link.
  ///
  /// - Returns: `false` with `errno` set if that fails; nothing has changed then.
  func take(
    _ old: UnsafePointer<CChar>, from source: CInt, as new: UnsafePointer<CChar>, isDirectory: Bool
  ) -> Bool {
    // `link` never replaces an entry. Where it is unavailable, an exclusively created placeholder is replaced by
    // `rename`.
    if !isDirectory {
      if linkat(source, old, descriptor, new, 0) == 0 { return unlinkat(source, old, 0) == 0 }
      // FAT has no hard links, and some systems forbid links to files of other users.
      guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { return false }
    }
    guard makePlaceholder(new, isDirectory: isDirectory) else { return false }
    if renameat(source, old, descriptor, new) == 0 { return true }
    let code = errno
    _ = unlinkat(descriptor, new, isDirectory ? AT_REMOVEDIR : 0)
    errno = code
    return false
  }

  private func makePlaceholder(_ name: UnsafePointer<CChar>, isDirectory: Bool) -> Bool {
    if isDirectory { return mkdirat(descriptor, name, 0o700) == 0 }
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// The highest number that is tried; then saving fails.
  private static let mostNumbers = 9999
}

/// A file, or a directory with its contents, that was saved in a ``FileDirectory``.
public struct SavedFile: Hashable, Sendable {
  /// The path of the directory as it was given, with the name of the file. The name may differ from the suggested one.
  public let rawPath: [UInt8]
  /// The length in bytes; `nil` for a directory.
  public let byteCount: Int?

  /// The path as text. Bytes that are not UTF-8 are replaced by U+FFFD.
  public var path: String { String(decoding: rawPath, as: UTF8.self) }
}
