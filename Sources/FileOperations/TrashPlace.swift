internal import XDnDFiles
internal import Glibc

/// One of the three locations of a trash directory in the freedesktop.org trash specification.
enum TrashPlace {
  /// `$XDG_DATA_HOME/Trash`
  case home(RawPath)
  /// `$topdir/.Trash/$uid`. The administrator creates `.Trash`, and every user may write to it.
  case shared(RawPath)
  /// `$topdir/.Trash-$uid`
  case own(RawPath)

  func open(user: uid_t) throws(FileError) -> OpenTrash {
    switch self {
    case .home(let path):
      // As the XDG base directory specification asks before writing.
      try? OpenDirectory.makeAll(path)
      let location = try Location(path)
      // The user may have made the home trash a symbolic link.
      return try OpenTrash(try .open(location.parent.appending(location.name)), top: nil)
    case .shared(let top):
      let topDirectory = try Directory.open(top)
      let name = Array(".Trash".utf8)
      let status = try topDirectory.status(of: name)
      guard status.kind == .directory, status.mode & mode_t(S_ISVTX) != 0 else {
        throw FileError("\(top.appending(name).quoted) is not a directory with the sticky bit")
      }
      let shared = try topDirectory.child(name, depth: 0)
      return try OpenTrash(Self.make("\(user)", in: shared, owner: user), top: topDirectory)
    case .own(let top):
      let topDirectory = try Directory.open(top)
      return try OpenTrash(Self.make(".Trash-\(user)", in: topDirectory, owner: user), top: topDirectory)
    }
  }

  /// Makes or opens a directory, and checks its owner if one is given: in a world-writable place, another user may have
  /// made it.
  fileprivate static func make(_ name: String, in directory: Directory, owner: uid_t?) throws(FileError) -> Directory {
    let name = Array(name.utf8)
    do {
      try directory.handle.makeDirectory(name)
    } catch {
      guard error.code == EEXIST else { throw FileError("make", directory.resolvedPath.appending(name), error.code) }
    }
    let child = try directory.child(name, depth: 0)
    if let owner, try child.status().user != owner {
      throw FileError("\(child.resolvedPath.quoted) belongs to somebody else")
    }
    return child
  }
}

struct OpenTrash {
  private let files: Directory
  private let info: Directory
  /// The directory that `Path=` entries are relative to; `nil` if they are absolute.
  private let top: RawPath?

  init(_ directory: Directory, top: Directory?) throws(FileError) {
    files = try TrashPlace.make("files", in: directory, owner: nil)
    info = try TrashPlace.make("info", in: directory, owner: nil)
    self.top = top?.resolvedPath
  }

  /// Moves an item into the trash under a free name. Its `.trashinfo` file is written first, as the specification asks.
  func take(
    _ name: RawPath, _ status: FileStatus, from directory: Directory, original: RawPath
  ) throws(FileError) -> TrashedFile {
    let text = description(of: original)
    let ending = Array(".trashinfo".utf8)
    for number in 1..<100_000 {
      let candidate = name.numbered(
        number, keepingExtension: status.kind != .directory, limit: RawPath.longestName - ending.count)
      let infoName = candidate + ending
      guard try write(text, as: infoName) else { continue }
      do throws(SystemError) {
        try directory.handle.rename(name, to: files.handle, as: candidate)
      } catch {
        try? info.handle.remove(infoName)
        // `EEXIST`: `files` has an entry of this name without a `.trashinfo` file. The next name is tried.
        guard error.code == EEXIST else { throw FileError("move to the trash", directory.full(name), error.code) }
        continue
      }
      try? files.sync()
      try? info.sync()
      return TrashedFile(
        originalPath: original, path: files.resolvedPath.appending(candidate),
        infoPath: info.resolvedPath.appending(infoName), identity: status.identity)
    }
    throw FileError("move to the trash", directory.full(name), EEXIST)
  }

  /// - Returns: Whether the name was free.
  private func write(_ text: [UInt8], as name: RawPath) throws(FileError) -> Bool {
    do throws(SystemError) {
      let file = try createFile(name, in: info.handle.descriptor, mode: 0o600)
      defer { close(file) }
      do throws(SystemError) {
        try writeAll(text[...], to: file)
        try syncFile(file)
      } catch {
        try? info.handle.remove(name)
        throw error
      }
      return true
    } catch {
      if error.code == EEXIST { return false }
      throw FileError("write", name, error.code)
    }
  }

  private func description(of original: RawPath) -> [UInt8] {
    var path = original
    if let top {
      let base = top.appending([])
      if path.starts(with: base) { path.removeFirst(base.count) }
    }
    return Array("[Trash Info]\nPath=\(Self.percentEncoded(path))\nDeletionDate=\(Self.localTime)\n".utf8)
  }

  /// Escapes all bytes but slashes and the unreserved characters of RFC 2396.
  static func percentEncoded(_ path: RawPath) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        result.append(byte)
      case _ where "-_.!~*'()/".utf8.contains(byte): result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The time for `DeletionDate=`: `2004-08-31T22:32:08`.
  private static var localTime: String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
