import XDnDFiles
import Glibc

/// A path to write loaded content to.
package struct FileDestination: Hashable, Sendable {
  /// The path as bytes, which need not be UTF-8.
  package let rawPath: [UInt8]
  /// Whether to replace an existing file and keep its permissions. If not, an existing file is an error.
  package let isReplacing: Bool
  /// Whether the file to replace only reserves the name.
  private let isReserved: Bool

  /// Creates a destination from a path.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Symbolic links are followed, and the links themselves stay. A relative path is
  ///     resolved when the load begins.
  ///   - replacing: Whether to replace an existing file.
  package init(_ path: String, replacing: Bool = true) {
    self.init(rawPath: Array(path.utf8), replacing: replacing)
  }

  /// Creates a destination from a path that need not be UTF-8.
  ///
  /// - Parameter isReserved: Whether the file to replace is this program's own, and only reserves the name.
  package init(rawPath: [UInt8], replacing: Bool = true, isReserved: Bool = false) {
    self.rawPath = rawPath
    self.isReplacing = replacing
    self.isReserved = isReserved
  }

  /// Checks in advance whether the file can probably be written. Creates nothing.
  ///
  /// - Throws: ``XDnDError/Code/fileNotWritten`` if it could not.
  package func check() throws(XDnDError) { _ = try resolve() }

  struct Place {
    /// The path, without symbolic links if the file exists.
    var path: [UInt8]
    /// The permissions of the file to replace; `nil` if there is none.
    var mode: mode_t?
    /// Whether the file to replace only reserves the name, as an empty one does.
    var isPlaceholder = false

    var directory: [UInt8] { nameStart > 0 ? Array(path[..<nameStart]) : Array(".".utf8) }
    var name: [UInt8] { Array(path[nameStart...]) }
    private var nameStart: Int { path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0 }
  }

  func resolve() throws(XDnDError) -> Place {
    // A NUL byte would truncate the C string.
    guard !rawPath.contains(0) else { throw failure(EINVAL) }
    var place = Place(path: rawPath)
    let status: FileStatus?
    do {
      status = try FileStatus(at: rawPath)
    } catch {
      // The file does not exist yet. A dangling symbolic link is still an error.
      guard error.code == ENOENT, !rawPath.isEmpty, (try? FileStatus(of: rawPath, in: AT_FDCWD)) == nil else {
        throw failure(error.code)
      }
      status = nil
    }
    if let status {
      guard isReplacing else { throw failure(EEXIST) }
      // Devices and FIFOs are refused: they cannot be written atomically.
      guard status.kind == .file else { throw failure(status.kind == .directory ? EISDIR : EINVAL) }
      place.path = rawPath.resolved ?? rawPath
      place.mode = status.permissions
      place.isPlaceholder = isReserved || status.size == 0
      if withCPath(place.path, { access($0, W_OK) }) != 0 { throw failure(errno) }
    }
    if withCPath(place.directory, { access($0, W_OK | X_OK) }) != 0 { throw failure(errno) }
    return place
  }

  func failure(_ code: CInt) -> XDnDError {
    XDnDError(
      .fileNotWritten, "cannot write '\(String(decoding: rawPath, as: UTF8.self))': \(SystemError(code).message)",
      cause: code)
  }
}
