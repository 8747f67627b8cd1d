internal import Glibc

/// The user's trash, by the trash specification of freedesktop.org, version 1.0.
///
/// Nothing is ever copied or deleted: what cannot be renamed into a trash on its own file system stays where it is.
public struct Trash: Sendable {
  private let home: RawPath?
  private let user: uid_t
  /// Where the file system begins that a directory is on; `nil` is the one of the home trash.
  private let topDirectory: @Sendable (RawPath) -> RawPath?

  /// The trash of the user who runs the program, in `$XDG_DATA_HOME` or `~/.local/share`.
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

  /// Moves a file, a directory with all that is in it, or a symbolic link into the trash.
  ///
  /// - Throws: If no trash takes it; then it is where it was.
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
        // The reason why the right place does not take it is the one that somebody can do something about.
        failure = failure ?? error
      }
    }
    let reason = failure.map { ": \($0.description)" } ?? ""
    throw FileError("no trash takes \(directory.full(name).quoted)\(reason)", code: failure?.code ?? 0)
  }

  /// Puts something back where it was, never over anything.
  public func restore(_ file: TrashedFile) throws(FileError) {
    let (from, to) = (try Location(file.path), try Location(file.originalPath))
    let files = try Directory.open(from.parent)
    let target = try Directory.open(to.parent)
    guard let status = try? files.status(of: from.name), status.identity == file.identity else {
      throw FileError("\(to.name.quoted) is not in the trash any more", code: ENOENT)
    }
    switch files.rename(from.name, to: target, as: to.name) {
    case 0: break
    case EEXIST: throw FileError("cannot restore \(to.name.quoted): something of that name is there", code: EEXIST)
    case let code: throw FileError("restore", to.name, code)
    }
    // Last: while one of the two is there, the thing can be found.
    _ = withCPath(file.infoPath) { unlink($0) }
    try? target.sync()
  }

  // MARK: Places

  private func places(for directory: RawPath) -> [TrashPlace] {
    if let top = topDirectory(directory) { return [.shared(top), .own(top)] }
    return (home.map { [.home($0)] } ?? [])
      // On a bind mount, the device is that of the home trash, and renaming fails all the same.
      + [.shared(Self.topDirectory(of: directory)), .own(Self.topDirectory(of: directory))]
  }

  private static var homeTrash: RawPath? {
    func variable(_ name: String) -> RawPath? {
      guard let value = getenv(name) else { return nil }
      let path = UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:))
      // A relative path is to be ignored, says the base directory specification.
      return path.first == UInt8(ascii: "/") ? path : nil
    }
    let data = variable("XDG_DATA_HOME") ?? variable("HOME").map { $0.appending(Array(".local/share".utf8)) }
    return data?.appending(Array("Trash".utf8))
  }

  private static func device(_ path: RawPath) -> UInt? {
    var result = stat()
    return withCPath(path) { stat($0, &result) } == 0 ? UInt(result.st_dev) : nil
  }

  /// The device of a path, or of what it will be made in.
  private static func nearestDevice(_ path: RawPath) -> UInt? {
    var path = path
    while true {
      if let device = device(path) { return device }
      guard let above = try? Location(path).parent else { return nil }
      path = above
    }
  }

  /// Of an absolute path without symbolic links.
  static func topDirectory(of path: RawPath) -> RawPath {
    var top = path
    let device = device(path)
    while let above = try? Location(top).parent, above.first == UInt8(ascii: "/"), Self.device(above) == device {
      top = above
    }
    return top
  }
}
