import Glibc

/// A directory that files are saved in.
///
/// It is held open, so it stays the same one whatever becomes of its path: if somebody puts a symbolic link there in the
/// middle, nothing goes where that leads. Saving into a directory that was removed is an error.
///
/// To open one removes from it what programs have left that were killed in the middle of a direct save.
public final class FileDirectory: Sendable {
  /// As it was given.
  public let rawPath: [UInt8]
  let descriptor: CInt

  /// Of the directory, for other work in it, as long as this object lives: ``rawPath`` may lead elsewhere by now.
  public var fileDescriptor: CInt { descriptor }

  /// Opens a directory.
  ///
  /// - Parameter rawPath: As the file system has it; symbolic links are followed.
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if it is none, or cannot be written to.
  public init(rawPath: [UInt8]) throws(XDnDError) {
    self.rawPath = rawPath
    // C would take a part of it for the whole.
    descriptor =
      rawPath.contains(0) ? -1 : withCPath(rawPath) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw FileDestination(rawPath: rawPath).failure(rawPath.contains(0) ? EINVAL : errno) }
    if faccessat(descriptor, ".", W_OK | X_OK, 0) != 0 { throw FileDestination(rawPath: rawPath).failure(errno) }
    sweep()
  }

  /// The same for a path as a string.
  public convenience init(_ path: String) throws(XDnDError) { try self.init(rawPath: Array(path.utf8)) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Removes what processes have left here that were killed long ago.
  func sweep() { PrivateDirectory.sweep(descriptor, olderThan: .seconds(600)) }

  /// Saves bytes in a new file, whole or not at all, and on its disk before this returns.
  ///
  /// - Parameters:
  ///   - bytes: All of the file.
  ///   - name: What of it may be the name of a file is used. If there is one of that name, it gets a number.
  /// - Throws: ``XDnDError/Code/fileNotWritten``; then nothing of it is left.
  public func save(_ bytes: [UInt8], named name: String) throws(XDnDError) -> SavedFile {
    try save(bytes, named: name, isClipping: false)
  }

  /// Saves a clipping in a new file, as ``save(_:named:)`` does, and marks it as one: see ``ClippingMark``.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten``; then nothing of it is left.
  public func save(_ clipping: Clipping) throws(XDnDError) -> SavedFile {
    try save(clipping.bytes, named: clipping.name, isClipping: true)
  }

  private func save(_ bytes: [UInt8], named name: String, isClipping: Bool) throws(XDnDError) -> SavedFile {
    let file = try FileSink(in: self, named: name)
    if isClipping { file.markAsClipping() }
    let isWritten = bytes.withUnsafeBytes(file.write)
    // A write that has failed is what closing reports.
    _ = try file.close(after: isWritten ? .success(.data) : .failure(failure(EIO))).get()
    return saved(file.name ?? name, byteCount: bytes.count)
  }

  func saved(_ name: String, byteCount: Int?) -> SavedFile {
    SavedFile(rawPath: path(of: Array(name.utf8)), byteCount: byteCount)
  }

  private func path(of name: [UInt8]) -> [UInt8] {
    rawPath + (rawPath.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
  }

  /// Where it is now: absolute.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if it is nowhere any more.
  func location() throws(XDnDError) -> [UInt8] {
    var own = stat()
    guard fstat(descriptor, &own) == 0, own.st_nlink > 0 else { throw failure(ENOENT) }
    // The kernel knows it even if it was moved; but /proc need not be mounted.
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

  /// - Parameter name: What could not be written in it, or `nil` for the directory itself.
  func failure(_ code: CInt, _ name: String? = nil) -> XDnDError {
    FileDestination(rawPath: name.map { path(of: Array($0.utf8)) } ?? rawPath).failure(code)
  }

  /// Calls `make` with one name after the other until it succeeds, or fails for another reason than that there is
  /// something of that name: "note.txt", "note 2.txt" …
  ///
  /// - Returns: The name that was free; `nil` with `errno` as it was left.
  static func makeUnique(_ name: String, _ make: (UnsafePointer<CChar>) -> Bool) -> String? {
    for number in 1...mostNumbers {
      let candidate = FileName.numbered(name, number)
      if candidate.withCString(make) { return candidate }
      // Of a name in the way that is too long there is another one that is not.
      if errno != EEXIST { return nil }
    }
    return nil
  }

  /// Moves something in here under a name, never over anything that is there, not even over a symbolic link that leads
  /// nowhere.
  ///
  /// - Returns: `false` with `errno` if that cannot be done, and then nothing has been.
  func take(
    _ old: UnsafePointer<CChar>, from source: CInt, as new: UnsafePointer<CChar>, isDirectory: Bool
  ) -> Bool {
    // A link never replaces; nor does making something, and what we have made may be replaced.
    if !isDirectory {
      if linkat(source, old, descriptor, new, 0) == 0 { return unlinkat(source, old, 0) == 0 }
      // There are no links on FAT, and on some systems none to files of other users.
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

  /// So many files of one name; then it is an error that there are more.
  private static let mostNumbers = 9999
}

/// A file, or a directory with all that is in it, that has been saved in a ``FileDirectory``.
public struct SavedFile: Hashable, Sendable {
  /// The path of the directory as it was given, and the name that the file got.
  public let rawPath: [UInt8]
  /// Its length; `nil` for a directory.
  public let byteCount: Int?

  /// The path as text; bytes that are not UTF-8 are replaced.
  public var path: String { String(decoding: rawPath, as: UTF8.self) }
}
