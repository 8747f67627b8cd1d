import Glibc

/// Reads the names in a directory, one after another.
final class DirectoryStream {
  private let stream: OpaquePointer
  let descriptor: CInt

  /// - Parameter descriptor: The stream takes ownership, and closes it even if this initializer throws.
  init(_ descriptor: CInt) throws(SystemError) {
    guard let stream = fdopendir(descriptor) else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    self.stream = stream
    self.descriptor = descriptor
  }

  deinit { closedir(stream) }

  /// The next name, without "." and ".."; `nil` at the end.
  func next() throws(SystemError) -> [UInt8]? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last }
        return nil
      }
      // A name may be longer than the array that the C header declares.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
      let start = UnsafeRawPointer(entry) + offset
      let name = [UInt8](UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
      if name != [46], name != [46, 46] { return name }
    }
  }
}

/// System calls relative to an open directory. None of them follows a symbolic link, so that concurrent renames and
/// links cannot redirect them.
enum OpenDirectory {
  /// Opens a directory for reading.
  static func open(_ name: [UInt8], in directory: CInt) throws(SystemError) -> CInt {
    try SystemError.check(
      withCPath(name) { openat(directory, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) })
  }

  /// Opens a directory of this library, and restores the owner's permissions if they are missing.
  static func openOwn(_ name: [UInt8], in directory: CInt) throws(SystemError) -> CInt {
    do {
      return try open(name, in: directory)
    } catch {
      guard error.code == EACCES else { throw error }
      try SystemError.check(withCPath(name) { fchmodat(directory, $0, 0o700, AT_SYMLINK_NOFOLLOW) })
      return try open(name, in: directory)
    }
  }

  static func status(of name: [UInt8], in directory: CInt) throws(SystemError) -> stat {
    var status = stat()
    try SystemError.check(withCPath(name) { fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) })
    return status
  }

  static func status(of descriptor: CInt) throws(SystemError) -> stat {
    var status = stat()
    try SystemError.check(fstat(descriptor, &status))
    return status
  }

  /// The target of a symbolic link.
  static func link(_ name: [UInt8], in directory: CInt) throws(SystemError) -> [UInt8] {
    var length = 256
    while true {
      var target = [UInt8](repeating: 0, count: length)
      let count = withCPath(name) { name in
        target.withUnsafeMutableBytes { buffer -> Int in
          guard let base = buffer.baseAddress else { return 0 }
          return readlinkat(directory, name, base.assumingMemoryBound(to: CChar.self), buffer.count)
        }
      }
      guard count >= 0 else { throw .last }
      // A target that fills the buffer may be truncated.
      if count < length { return Array(target[..<count]) }
      length *= 4
    }
  }

  /// Moves a directory from one open directory to another.
  ///
  /// - Parameter replacing: Whether to replace an empty directory. Nothing else is ever replaced.
  static func move(
    _ name: [UInt8], in directory: CInt, to newName: [UInt8], in newDirectory: CInt, replacing: Bool
  ) throws(SystemError) {
    // `rename` silently replaces an empty directory, even one of another process. `mkdir` is exclusive on every file
    // system; `RENAME_NOREPLACE` is not supported by all of them.
    if !replacing { try SystemError.check(withCPath(newName) { mkdirat(newDirectory, $0, 0o700) }) }
    let result = withCPath(name) { old in withCPath(newName) { renameat(directory, old, newDirectory, $0) } }
    if result == 0 { return }
    let error = SystemError.last
    if !replacing { _ = withCPath(newName) { unlinkat(newDirectory, $0, AT_REMOVEDIR) } }
    throw error
  }

  // MARK: Removing

  /// The depth limit; no tree that is created here is deeper.
  static let greatestDepth = 200

  /// Removes the contents of a directory of this library. Mounted file systems stay, and entries of other users may.
  static func removeContents(of directory: CInt) {
    guard let status = try? status(of: directory) else { return }
    removeContents(of: directory, on: status.st_dev, depth: 0)
  }

  private static func removeContents(of directory: CInt, on device: dev_t, depth: Int) {
    // A copied directory may lack write permission.
    _ = fchmod(directory, 0o700)
    for name in names(in: directory) where withCPath(name, { unlinkat(directory, $0, 0) }) != 0 {
      guard errno == EISDIR || errno == EPERM, depth <= 2 * greatestDepth,
        let child = try? openOwn(name, in: directory)
      else { continue }
      defer { close(child) }
      guard let status = try? status(of: child), status.st_dev == device else { continue }
      removeContents(of: child, on: device, depth: depth + 1)
      _ = withCPath(name) { unlinkat(directory, $0, AT_REMOVEDIR) }
    }
  }

  /// Reads all names first: `readdir` may skip entries while others are removed.
  static func names(in directory: CInt) -> [[UInt8]] {
    guard let descriptor = try? open([46], in: directory), let stream = try? DirectoryStream(descriptor) else {
      return []
    }
    var names: [[UInt8]] = []
    while let name = try? stream.next() { names.append(name) }
    return names
  }
}
