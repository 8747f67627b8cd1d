import Glibc

extension TypeDatabase {
  /// The shared MIME-info database of this system and user; ``builtIn`` if there is none.
  ///
  /// It is read once, at its first use, from `mime` in `XDG_DATA_HOME` (`~/.local/share`) and `XDG_DATA_DIRS`
  /// (`/usr/local/share:/usr/share`). Later changes have no effect. It may be used from any thread.
  public static let system = TypeDatabase(dataDirectories: dataDirectories { getenv($0).map { String(cString: $0) } })

  /// Reads the database of the given data directories, highest precedence first.
  convenience init(dataDirectories: [String]) {
    self.init(reading: {
      var directories = dataDirectories.map { Self.directory("\($0)/mime") }
      // The database is present if it knows `text/plain`, which shared-mime-info itself defines. A file that one
      // application has installed in the user's home is not a database.
      let isThere = directories.contains { MIMEInfo.hasGlobs(of: WireName.text, in: $0.globs2) }
      // Additional aliases are harmless: Firefox sends image/jpg, which the database does not know.
      directories.append(isThere ? Directory(aliases: Self.builtInDirectory.aliases) : Self.builtInDirectory)
      return directories
    })
  }

  /// The data directories of the XDG Base Directory Specification. Relative paths are ignored.
  static func dataDirectories(environment: (String) -> String?) -> [String] {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
    let shared = value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    let all = (home.map { [$0] } ?? []) + shared.split(separator: ":").prefix(directoryLimit).map(String.init)
    return all.filter { $0.hasPrefix("/") }
  }

  private static let directoryLimit = 64

  private static func directory(_ path: String) -> Directory {
    Directory(
      aliases: content(of: "\(path)/aliases"), subclasses: content(of: "\(path)/subclasses"),
      globs2: content(of: "\(path)/globs2"))
  }

  /// The contents of a regular file, up to the size limit; empty if the file is missing or unreadable.
  private static func content(of path: String) -> [UInt8] {
    // Opening a FIFO must not block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    let size = min(max(0, Int(status.st_size)), MIMEInfo.byteLimit)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let count = read(descriptor, buffer.baseAddress.map { $0 + filled }, size - filled)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        filled += count
      }
    }
  }
}
