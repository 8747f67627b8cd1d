import XDnDFiles
import Glibc

/// A directory to save files in.
///
/// The directory is held open. It remains the same one even if it is moved or a symbolic link takes its place. Saving
/// into a directory that was removed is an error.
///
/// Opening a directory removes from it the staging directories of processes that were killed during a direct save, once
/// they have been unchanged for ten minutes.
public final class FileDirectory: Sendable {
  /// The path as it was given. The directory may have been moved since.
  package let rawPath: [UInt8]
  let handle: OpenDirectory

  /// The open directory, for `openat` and similar calls. It is closed with this object; do not close it. Prefer it to
  /// ``rawPath``, which may refer to another directory by now.
  package var fileDescriptor: CInt { handle.descriptor }

  /// Opens a directory.
  ///
  /// - Parameter rawPath: The path of the directory, which need not be UTF-8. Symbolic links are followed.
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if the path is not a directory, or cannot be written to.
  public init(rawPath: [UInt8]) throws(XDnDError) {
    self.rawPath = rawPath
    do {
      handle = try OpenDirectory(rawPath)
      try SystemError.check(faccessat(handle.descriptor, ".", W_OK | X_OK, 0))
    } catch {
      throw FileDestination(rawPath: rawPath).failure(error.code)
    }
    sweep()
  }

  /// Opens a directory at a path.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if the path is not a directory, or cannot be written to.
  public convenience init(_ path: String) throws(XDnDError) { try self.init(rawPath: Array(path.utf8)) }

  func sweep() { PrivateDirectory.sweep(handle, olderThan: .seconds(600)) }

  /// Saves bytes in a new file. The file appears under its name only when it is complete, and is on the disk when the
  /// method returns. The method blocks meanwhile.
  ///
  /// - Parameters:
  ///   - bytes: The whole content.
  ///   - name: The suggested name. It is sanitized, and a number is appended if it is taken.
  /// - Returns: The file.
  /// - Throws: ``XDnDError/Code/fileNotWritten``. No partial file remains.
  public func save(_ bytes: [UInt8], named name: String) throws(XDnDError) -> SavedFile {
    try save(bytes, named: name, isClipping: false)
  }

  /// Saves a clipping in a new file, and marks the file as one. See ``save(_:named:)`` and ``ClippingMark``.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten``. No partial file remains.
  package func save(_ clipping: Clipping) throws(XDnDError) -> SavedFile {
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
    SavedFile(rawPath: rawPath.appending(Array(name.utf8)), byteCount: byteCount)
  }

  /// The directory's current absolute path.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if the directory was removed.
  func location() throws(XDnDError) -> [UInt8] {
    guard let path = handle.location(openedAs: rawPath) else { throw failure(ENOENT) }
    return path
  }

  /// - Parameter name: The file that could not be written; `nil` for the directory itself.
  func failure(_ code: CInt, _ name: String? = nil) -> XDnDError {
    FileDestination(rawPath: name.map { rawPath.appending(Array($0.utf8)) } ?? rawPath).failure(code)
  }

  /// Calls `make` with "note.txt", "note 2.txt" … until it succeeds, or fails with an error other than `EEXIST`.
  ///
  /// - Parameter number: The number that was tried last, for the next of several entries with this name; 0 for none.
  /// - Returns: The first free name.
  static func makeUnique(
    _ name: String, after number: inout Int, _ make: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) -> String {
    // A taken name of the maximum length is no obstacle: `numbered` shortens it.
    number = try firstFree(stride(from: number + 1, through: mostNumbers, by: 1)) { number throws(SystemError) in
      try make(Array(FileName.numbered(name, number).utf8))
    }
    return FileName.numbered(name, number)
  }

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
