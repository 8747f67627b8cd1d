internal import Glibc

/// A path as bytes, as the file system stores it. It need not be UTF-8.
public typealias RawPath = [UInt8]

/// A path split into the parent directory and the last name.
struct Location: Hashable, Sendable {
  let parent: RawPath
  let name: RawPath

  /// - Throws: `FileError` for a path without a last name (`/`, `.`, `..`, the empty path), or with a NUL in that name.
  init(_ path: RawPath) throws(FileError) {
    var rest = path[...]
    while rest.last == UInt8(ascii: "/") { rest.removeLast() }
    let slash = rest.lastIndex(of: UInt8(ascii: "/"))
    name = Array(slash.map { rest[($0 + 1)...] } ?? rest)
    guard name.isName else { throw FileError("\(path.quoted) is not the name of a file") }
    switch slash {
    case nil: parent = Array(".".utf8)
    case 0: parent = Array("/".utf8)
    case let slash?: parent = Array(rest[..<slash])
    }
  }
}

extension RawPath {
  /// The maximum length of a name on Linux file systems, in bytes.
  static let longestName = 255

  /// Whether it is a valid name of a directory entry.
  var isName: Bool {
    !isEmpty && !contains(0) && !contains(UInt8(ascii: "/")) && self != Array(".".utf8) && self != Array("..".utf8)
  }

  func appending(_ name: RawPath) -> RawPath {
    last == UInt8(ascii: "/") ? self + name : self + Array("/".utf8) + name
  }

  /// Returns the name with a number: `note 2.txt` for `note.txt`, `a 2.tar.gz` for `a.tar.gz`. The number 1 is left
  /// out.
  ///
  /// - Parameters:
  ///   - keepingExtension: `false` for directories: the dot in `drafts.2024` starts no extension.
  ///   - limit: The maximum length in bytes. The stem is shortened, not the number or the extension, and never within a
  ///     UTF-8 sequence.
  func numbered(_ number: Int, keepingExtension: Bool, limit: Int = RawPath.longestName) -> RawPath {
    guard number > 1 || count > limit else { return self }
    let split = keepingExtension ? extensionStart : count
    let ending = (number > 1 ? Array(" \(number)".utf8) : []) + self[split...]
    var stem = self[..<split]
    if stem.count + ending.count > limit {
      stem = stem.prefix(Swift.max(1, limit - ending.count))
      // A continuation byte after the cut means that the cut is within a UTF-8 sequence.
      while stem.count > 1, stem.endIndex < split, self[stem.endIndex] & 0xC0 == 0x80 { stem.removeLast() }
    }
    return Array((stem + ending).prefix(limit))
  }

  /// The index of the extension's dot. Names like `.profile` have no extension, compressed archives (`.tar.gz`) a
  /// double one.
  private var extensionStart: Int {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > 0, count - dot <= 16 else { return count }
    let inner = self[..<dot].suffix(4)
    return inner.elementsEqual(".tar".utf8) && dot > 4 ? dot - 4 : dot
  }
}

/// Calls the closure with the path as a NUL-terminated C string.
func withCPath<Result>(_ path: RawPath, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}

/// Repeats a call while a signal interrupts it (`EINTR`), and returns its error number or 0.
func errorNumber(_ call: () -> CInt) -> CInt {
  while true {
    if call() >= 0 { return 0 }
    if errno != EINTR { return errno }
  }
}

/// Returns the target of a symbolic link; `nil` on an error.
func readLink(_ directory: CInt, _ name: RawPath) -> RawPath? {
  var bytes = [CChar](repeating: 0, count: 4097)
  let count = withCPath(name) { readlinkat(directory, $0, &bytes, bytes.count) }
  return count < 0 || count >= bytes.count ? nil : bytes[..<count].map(UInt8.init(bitPattern:))
}
