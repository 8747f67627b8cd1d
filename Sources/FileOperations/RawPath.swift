internal import Glibc

/// A path as the file system has it: bytes, which need not be UTF-8.
public typealias RawPath = [UInt8]

/// The directory that something is in, and its name there.
struct Location: Hashable, Sendable {
  let parent: RawPath
  let name: RawPath

  /// - Throws: For what has no name of its own (`/`, `.`, `..`, nothing), and for what no path can be.
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
  /// The longest name that Linux's file systems have, in bytes.
  static let longestName = 255

  /// Whether it can be the name of something in a directory.
  var isName: Bool {
    !isEmpty && !contains(0) && !contains(UInt8(ascii: "/")) && self != Array(".".utf8) && self != Array("..".utf8)
  }

  func appending(_ name: RawPath) -> RawPath {
    last == UInt8(ascii: "/") ? self + name : self + Array("/".utf8) + name
  }

  /// `note 2.txt` of `note.txt`, `a 2.tar.gz` of `a.tar.gz`, and the name itself for 1.
  ///
  /// - Parameters:
  ///   - keepingExtension: Not for directories: the dot in `drafts.2024` means nothing.
  ///   - limit: In bytes. It is the name that is shortened, not the number or the extension, and never within a
  ///     character.
  func numbered(_ number: Int, keepingExtension: Bool, limit: Int = RawPath.longestName) -> RawPath {
    guard number > 1 || count > limit else { return self }
    let split = keepingExtension ? extensionStart : count
    let ending = (number > 1 ? Array(" \(number)".utf8) : []) + self[split...]
    var stem = self[..<split]
    if stem.count + ending.count > limit {
      stem = stem.prefix(Swift.max(1, limit - ending.count))
      // What follows a cut inside of a UTF-8 sequence is a continuation byte.
      while stem.count > 1, stem.endIndex < split, self[stem.endIndex] & 0xC0 == 0x80 { stem.removeLast() }
    }
    return Array((stem + ending).prefix(limit))
  }

  /// Where the extension begins, with its dot. Names like `.profile` have none; compressed archives have two.
  private var extensionStart: Int {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > 0, count - dot <= 16 else { return count }
    let inner = self[..<dot].suffix(4)
    return inner.elementsEqual(".tar".utf8) && dot > 4 ? dot - 4 : dot
  }
}

/// A path or name as C has it.
func withCPath<Result>(_ path: RawPath, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}

/// What a call left in `errno`, or 0; repeated while a signal interrupts it.
func errorNumber(_ call: () -> CInt) -> CInt {
  while true {
    if call() >= 0 { return 0 }
    if errno != EINTR { return errno }
  }
}

/// What a symbolic link says.
func readLink(_ directory: CInt, _ name: RawPath) -> RawPath? {
  var bytes = [CChar](repeating: 0, count: 4097)
  let count = withCPath(name) { readlinkat(directory, $0, &bytes, bytes.count) }
  return count < 0 || count >= bytes.count ? nil : bytes[..<count].map(UInt8.init(bitPattern:))
}
