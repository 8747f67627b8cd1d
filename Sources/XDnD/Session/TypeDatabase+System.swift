import Glibc

extension TypeDatabase {
  /// The shared MIME-info database of this system and user; ``builtIn`` if there is none.
  ///
  /// It is read once, when it is first used, from `mime` in `XDG_DATA_HOME` (`~/.local/share`) and `XDG_DATA_DIRS`
  /// (`/usr/local/share:/usr/share`). What is changed there later is not noticed.
  public static let system = TypeDatabase(dataDirectories: dataDirectories { getenv($0).map { String(cString: $0) } })

  /// Reads the database of given data directories, the most important first.
  convenience init(dataDirectories: [String]) {
    self.init(reading: {
      var directories = dataDirectories.map { Self.directory("\($0)/mime") }
      // The names of types are in the package that all other packages rely on. A file by a single application in the
      // user's home, say, makes no database.
      let isThere = directories.contains { MIMEInfo.hasGlobs(of: WireName.text, in: $0.globs2) }
      // Aliases that the system does not know do no harm: Firefox says image/jpg, the database does not.
      directories.append(isThere ? Directory(aliases: Self.builtInDirectory.aliases) : Self.builtInDirectory)
      return directories
    })
  }

  /// Where data is, by the XDG Base Directory specification. Paths that are not absolute do not count.
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

  /// What a regular file has, up to what is looked at; nothing of a file that is not there or may not be read.
  private static func content(of path: String) -> [UInt8] {
    // Somebody may have put a pipe there, which would be opened when it is written to.
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
