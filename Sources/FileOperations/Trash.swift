internal import XDnDFiles
internal import Glibc

/// The user's trash, by version 1.0 of the freedesktop.org trash specification. Corresponds to Foundation's
/// `FileManager.trashItem(at:resultingItemURL:)`.
///
/// Items are renamed into the trash, never copied or deleted. An item that no trash on its own file system takes stays
/// where it is.
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
  /// - Throws: `FileError` if no trash takes the item, which then stays where it is.
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
        // The first place is the intended one, so the user can act on its error rather than on that of a fallback.
        failure = failure ?? error
      }
    }
    let reason = failure.map { ": \($0.description)" } ?? ""
    throw FileError("no trash takes \(directory.full(name).quoted)\(reason)", code: failure?.code ?? 0)
  }

  /// Whether an item is still in the trash.
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
      throw FileError("\(to.name.quoted) is not in the trash any more", code: ENOENT)
    }
    do throws(SystemError) {
      try files.handle.rename(from.name, to: target.handle, as: to.name)
    } catch {
      guard error.code == EEXIST else { throw FileError("restore", to.name, error.code) }
      throw FileError("cannot restore \(to.name.quoted): something of that name is there", code: EEXIST)
    }
    // Last, so that a failed rename leaves the item with its `.trashinfo` file.
    _ = withCPath(file.infoPath) { unlink($0) }
    try? target.sync()
  }

  // MARK: Places

  private func places(for directory: RawPath) -> [TrashPlace] {
    if let top = topDirectory(directory) { return [.shared(top), .own(top)] }
    return (home.map { [.home($0)] } ?? [])
      // A bind mount has the device of the home trash, but a rename into it fails with EXDEV.
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
