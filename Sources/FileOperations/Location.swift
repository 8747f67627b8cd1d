internal import XDnDFiles

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
