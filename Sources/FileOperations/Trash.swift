internal import XDnDFiles
internal import Glibc

/// A file, directory or link in the trash.
public struct TrashedFile: Hashable, Sendable {
  /// The absolute path that it had before it was trashed.
  public let originalPath: RawPath
  /// Its absolute path now, in the `files` directory of a trash.
  public let path: RawPath
  /// The path of its `.trashinfo` file, in the `info` directory of that trash.
  let infoPath: RawPath
  /// Device and inode: after the trash was emptied, another file may have the same name.
  let identity: FileStatus.Identity
}

/// The user's trash, by version 1.0 of the freedesktop.org trash specification. Corresponds to Foundation's
/// `FileManager.trashItem(at:resultingItemURL:)`.
///
/// Items are renamed into the trash, never copied or deleted. An item stays where it is if no trash on its file system
/// accepts it.
public struct Trash: Sendable {
  private let home: RawPath?
  private let user: uid_t
  /// Returns the top directory of the file system that a directory is on; `nil` if it is the home trash's file system.
  private let topDirectory: @Sendable (RawPath) -> RawPath?

  /// Creates the trash of the user who runs the program, in `$XDG_DATA_HOME/Trash` or `~/.local/share/Trash`.
  public init() {
    let home = Self.homeTrash
    self.init(home: home, user: getuid()) { directory in
      let device = Self.device(directory)
      if let home, device != nil, Self.nearestDevice(home) == device { return nil }
      return Self.topDirectory(of: directory)
    }
  }

  init(home: RawPath?, user: uid_t, topDirectory: @escaping @Sendable (RawPath) -> RawPath?) {
    self.home = home
    self.user = user
    self.topDirectory = topDirectory
  }

  /// Moves a file, a directory with its contents, or a symbolic link into the trash.
  ///
  /// - Throws: `FileError` if no trash accepts the item, which then stays where it is.
  public func trash(_ path: RawPath) throws(FileError) -> TrashedFile {
    let location = try Location(path)
    return try trash(location.name, in: .open(location.parent))
  }

  func trash(_ name: RawPath, in directory: Directory) throws(FileError) -> TrashedFile {
    let status = try directory.status(of: name)
    let parent = directory.resolvedPath
    var failure: FileError?
    for place in places(for: parent) {
      do {
        let open = try place.open(user: user)
        return try open.take(name, status, from: directory, original: parent.appending(name))
      } catch {
        // The first place is the intended one: its error helps the user more than the error of a fallback, unless
        // that place does not exist, as usual for `.Trash` on a volume.
        if failure == nil || failure?.code == ENOENT { failure = error }
      }
    }
    let reason = failure.map { ": \($0.description)" } ?? ""
    throw FileError("no trash accepts \(directory.full(name).quoted)\(reason)", code: failure?.code ?? 0)
  }

  func holds(_ file: TrashedFile) -> Bool {
    guard let location = try? Location(file.path), let files = try? Directory.open(location.parent) else {
      return false
    }
    return (try? files.status(of: location.name))?.identity == file.identity
  }

  /// Moves an item back to its original path. Throws `FileError` if that name is taken or the trash no longer holds the
  /// item.
  public func restore(_ file: TrashedFile) throws(FileError) {
    let (from, to) = (try Location(file.path), try Location(file.originalPath))
    let files = try Directory.open(from.parent)
    let target = try Directory.open(to.parent)
    guard let status = try? files.status(of: from.name), status.identity == file.identity else {
      throw FileError("\(to.name.quoted) is no longer in the trash", code: ENOENT)
    }
    do throws(SystemError) {
      try files.handle.rename(from.name, to: target.handle, as: to.name)
    } catch {
      guard error.code == EEXIST else { throw FileError("restore", to.name, error.code) }
      throw FileError("cannot restore \(to.name.quoted): an item with that name exists", code: EEXIST)
    }
    // Last, so that a failed rename leaves the item with its `.trashinfo` file.
    _ = withCPath(file.infoPath) { unlink($0) }
    try? target.sync()
  }

  // MARK: Places

  private func places(for directory: RawPath) -> [TrashPlace] {
    if let top = topDirectory(directory) { return [.shared(top), .own(top)] }
    return (home.map { [.home($0)] } ?? [])
      // A bind mount may have the device of the home trash, but a rename from it fails with `EXDEV`.
      + [.shared(Self.topDirectory(of: directory)), .own(Self.topDirectory(of: directory))]
  }

  private static var homeTrash: RawPath? {
    RawPath.userDirectory("XDG_DATA_HOME", orAtHome: ".local/share")?.appending(Array("Trash".utf8))
  }

  private static func device(_ path: RawPath) -> UInt? { (try? FileStatus(at: path))?.identity.device }

  /// The device of a path, or of its nearest existing ancestor.
  private static func nearestDevice(_ path: RawPath) -> UInt? {
    var path = path
    while true {
      if let device = device(path) { return device }
      guard let above = try? Location(path).parent else { return nil }
      path = above
    }
  }

  /// The top directory of the file system that `path` is on.
  ///
  /// - Parameter path: An absolute path without symbolic links.
  static func topDirectory(of path: RawPath) -> RawPath {
    var top = path
    let device = device(path)
    while let above = try? Location(top).parent, above.first == UInt8(ascii: "/"), Self.device(above) == device {
      top = above
    }
    return top
  }
}

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
      // The XDG Base Directory Specification requires writers to create a missing directory.
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

  /// Creates or opens a directory. Checks its owner if `owner` is given: in a world-writable place, another user may
  /// have created it.
  fileprivate static func make(_ name: String, in directory: Directory, owner: uid_t?) throws(FileError) -> Directory {
    let name = Array(name.utf8)
    do {
      try directory.handle.makeDirectory(name)
    } catch {
      guard error.code == EEXIST else { throw FileError("make", directory.resolvedPath.appending(name), error.code) }
    }
    let child = try directory.child(name, depth: 0)
    if let owner, try child.status().user != owner {
      throw FileError("\(child.resolvedPath.quoted) belongs to another user")
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
    let numbered = {
      name.numbered(
        $0, keepingExtension: status.kind != .directory, limit: RawPath.longestName - ending.count)
    }
    let first = freeNumber { number in
      (try? info.holds(numbered(number) + ending)) == true || (try? files.holds(numbered(number))) == true
    }
    for number in first..<first + 1000 {
      let candidate = numbered(number)
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
