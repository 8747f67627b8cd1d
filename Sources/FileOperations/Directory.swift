internal import XDnDFiles
internal import Glibc

/// An open directory, with the names that messages use for it and its entries.
struct Directory: Sendable {
  let handle: OpenDirectory
  /// The prefix of names in messages: empty, or `tree/sub/`.
  private let label: RawPath
  let path: RawPath

  init(_ handle: OpenDirectory, label: RawPath = [], path: RawPath) {
    self.handle = handle
    self.label = label
    self.path = path
  }

  /// Opens the directory at a path, which may lead through symbolic links.
  ///
  /// - Parameter holder: A descriptor of the directory. If given, it is opened, and `path` only names it.
  static func open(_ path: RawPath, heldBy holder: CInt? = nil) throws(FileError) -> Directory {
    guard !path.isEmpty, !path.contains(0) else { throw FileError("\(path.quoted) is not a directory") }
    let (place, parent) = holder.map { (Array(".".utf8), $0) } ?? (path, AT_FDCWD)
    do {
      return Directory(try OpenDirectory(place, in: parent), path: path)
    } catch {
      guard error.code == EACCES else { throw FileError("open", path, error.code) }
    }
    // A directory without read permission may still permit access to its entries.
    return Directory(try reporting("open", path, OpenDirectory(place, in: parent, isListed: false)), path: path)
  }

  /// Opens a subdirectory; throws `FileError` if it is a symbolic link or deeper than
  /// ``OpenDirectory/greatestDepth``.
  func child(_ name: RawPath, depth: Int) throws(FileError) -> Directory {
    guard depth < OpenDirectory.greatestDepth else {
      throw FileError("\(full(name).quoted) is more than \(OpenDirectory.greatestDepth) directories deep")
    }
    let child = try reporting("open", full(name), handle.child(name))
    return Directory(child, label: full(name) + Array("/".utf8), path: path.appending(name))
  }

  /// The name of an entry for messages, relative to the root of the tree.
  func full(_ name: RawPath) -> RawPath { label + name }

  var resolvedPath: RawPath { handle.location(openedAs: path) ?? path }

  func status() throws(FileError) -> FileStatus {
    try reporting("read", path, handle.status())
  }

  func status(of name: RawPath) throws(FileError) -> FileStatus {
    try reporting("read", full(name), handle.status(of: name))
  }

  func holds(_ name: RawPath) throws(FileError) -> Bool {
    do {
      _ = try status(of: name)
      return true
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  func names() throws(FileError) -> [RawPath] {
    try reporting("read", label.isEmpty ? path : label, handle.names())
  }

  func isWithin(_ other: FileStatus.Identity) throws(FileError) -> Bool {
    try reporting("read", path, handle.isWithin(other))
  }

  /// The free space on the directory's file system, in bytes; `nil` if it is unknown.
  var freeBytes: Int? {
    var space = statvfs()
    guard fstatvfs(handle.descriptor, &space) == 0 else { return nil }
    let (bytes, isTooMuch) = UInt(space.f_bavail).multipliedReportingOverflow(by: UInt(space.f_frsize))
    return isTooMuch ? .max : Int(clamping: bytes)
  }

  func sync() throws(FileError) {
    try reporting("write", path, handle.sync())
  }

  func staging<Entry>(_ make: @autoclosure () throws(SystemError) -> Entry) throws(FileError) -> Entry {
    do { return try make() } catch { throw failure(error.code) }
  }

  func failure(_ code: CInt) -> FileError {
    let name = (try? Location(path).name) ?? path
    return FileError("write to", name, handle.isGone ? ENOENT : code)
  }
}

/// A path as bytes, as the file system stores it. It need not be UTF-8.
public typealias RawPath = [UInt8]

struct Location: Hashable, Sendable {
  let parent: RawPath
  let name: RawPath

  /// - Throws: `FileError` for a path without a last name (`/`, `.`, `..`, the empty path), or with a NUL in that name.
  init(_ path: RawPath) throws(FileError) {
    (parent, name) = (path.parent, path.lastName)
    guard name.isName else { throw FileError("\(path.quoted) is not the name of a file") }
  }
}
