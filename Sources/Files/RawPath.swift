import Glibc

/// A path as bytes, as the file system stores it. It need not be UTF-8.
package typealias RawPath = [UInt8]

extension RawPath {
  /// The maximum length of a name on Linux file systems, in bytes.
  package static let longestName = 255

  /// Whether it is a valid name of a directory entry.
  package var isName: Bool {
    !isEmpty && !contains(0) && !contains(UInt8(ascii: "/")) && self != Array(".".utf8) && self != Array("..".utf8)
  }

  package func appending(_ name: RawPath) -> RawPath {
    last == UInt8(ascii: "/") ? self + name : self + Array("/".utf8) + name
  }

  /// The last component, without the slashes that shells append to directories; empty if there is none.
  package var lastName: RawPath { Array(self[lastNameRange]) }

  /// The path of the directory that contains the last component.
  package var parent: RawPath {
    let start = lastNameRange.lowerBound
    return start > 1 ? Array(self[..<(start - 1)]) : Array((first == UInt8(ascii: "/") ? "/" : ".").utf8)
  }

  private var lastNameRange: Range<Int> {
    let end = lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? 0
    return (self[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)..<end
  }

  /// Returns the name with a number: `note 2.txt` for `note.txt`, `a 2.tar.gz` for `a.tar.gz`. The number 1 is left
  /// out.
  ///
  /// - Parameters:
  ///   - keepingExtension: `false` for directories: the dot in `drafts.2024` starts no extension.
  ///   - limit: The maximum length in bytes. The stem is shortened, not the number or the extension, and never within a
  ///     UTF-8 sequence.
  package func numbered(_ number: Int, keepingExtension: Bool, limit: Int = RawPath.longestName) -> RawPath {
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

  /// The index of the extension's dot. Names like `.profile` have no extension; compressed archives have a double one
  /// (`.tar.gz`).
  private var extensionStart: Int {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > 0, count - dot <= 16 else { return count }
    let inner = self[..<dot].suffix(4).map { $0 | 0x20 }
    return inner.elementsEqual(".tar".utf8) && dot > 4 ? dot - 4 : dot
  }

  // MARK: The system

  package init(cString: UnsafePointer<CChar>) {
    self.init(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
  }

  /// The absolute path without symbolic links; `nil` if there is no such file.
  package var resolved: RawPath? {
    guard let resolved = withCPath(self, { realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return RawPath(cString: resolved)
  }

  /// The bytes of an environment variable's value, such as a path.
  package static func environment(_ variable: String) -> RawPath? {
    let value: UnsafePointer<CChar>? = getenv(variable).map { UnsafePointer($0) }
    return value.map(RawPath.init(cString:))
  }

  /// A base directory of the user, by the XDG Base Directory Specification: the variable's value, or a default below
  /// `HOME`. Relative paths are ignored, as the specification demands.
  package static func userDirectory(
    _ variable: String, orAtHome path: String, environment: (String) -> RawPath? = RawPath.environment
  ) -> RawPath? {
    func absolute(_ name: String) -> RawPath? { environment(name).flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil } }
    return absolute(variable) ?? absolute("HOME").map { $0.appending(Array(path.utf8)) }
  }
}

/// Calls the closure with the path as a NUL-terminated C string, which is valid during the call only.
package func withCPath<Result>(_ path: RawPath, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}

/// Tries names until one is free.
///
/// - Parameter make: Makes an entry with the name, and throws `EEXIST` if the name is taken.
/// - Returns: The name of the entry.
/// - Throws: The first other error; `EEXIST` if all names are taken.
package func firstFree<Name>(
  _ names: some Sequence<Name>, _ make: (Name) throws(SystemError) -> Void
) throws(SystemError) -> Name {
  for name in names {
    do throws(SystemError) {
      try make(name)
      return name
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }
  throw SystemError(EEXIST)
}

/// Finds a free number after a run of taken ones. Checks few numbers of a long run, so it may miss a free one in a gap.
///
/// - Parameter isTaken: Whether the name with this number, from 1 on, is taken.
package func freeNumber(_ isTaken: (Int) -> Bool) -> Int {
  var (taken, free) = (0, 1)
  while free < 1 << 20, isTaken(free) { (taken, free) = (free, free * 2) }
  while free - taken > 1 {
    let middle = (taken + free) / 2
    if isTaken(middle) { taken = middle } else { free = middle }
  }
  return free
}

extension Sequence {
  /// The first result of `transform` that is not `nil`. Unlike `lazy.compactMap(_:).first`, this calls `transform` once
  /// for each element: the second answer of a file system or a server may differ from the first.
  package func firstNonNil<Result>(_ transform: (Element) throws -> Result?) rethrows -> Result? {
    for element in self { if let result = try transform(element) { return result } }
    return nil
  }
}
