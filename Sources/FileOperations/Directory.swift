internal import CLinux
internal import Glibc

/// A file descriptor that is closed on release.
final class Descriptor: Sendable {
  let number: CInt

  init(_ number: CInt) { self.number = number }

  deinit { close(number) }
}

/// A directory that is held open. All access is relative to its descriptor: renaming the directory does not matter, and
/// no symbolic link leads out of it.
final class Directory: Sendable {
  /// The maximum depth of a tree. Each level takes two descriptors, and a process has 1024 by default.
  static let deepest = 200

  let descriptor: Descriptor
  /// The prefix of names in messages: empty, or `tree/sub/`.
  private let label: RawPath
  /// The path that it was opened with.
  let path: RawPath

  private init(_ number: CInt, label: RawPath, path: RawPath) {
    descriptor = Descriptor(number)
    self.label = label
    self.path = path
  }

  /// Opens the directory at a path, which may lead through symbolic links.
  ///
  /// - Parameter holder: A descriptor of the directory. If given, `path` is used in messages only.
  static func open(_ path: RawPath, heldBy holder: CInt? = nil) throws(FileError) -> Directory {
    guard !path.isEmpty, !path.contains(0) else { throw FileError("\(path.quoted) is not a directory") }
    let place = holder == nil ? path : Array(".".utf8)
    var number: CInt = -1
    var code = errorNumber {
      number = withCPath(place) { openat(holder ?? AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      return number
    }
    if code == EACCES {
      // A directory that may not be listed may still be searched.
      code = errorNumber {
        number = withCPath(place) { openat(holder ?? AT_FDCWD, $0, OPEN_PATH | O_DIRECTORY | O_CLOEXEC) }
        return number
      }
    }
    guard code == 0 else { throw FileError("open", path, code) }
    return Directory(number, label: [], path: path)
  }

  /// Opens a subdirectory; throws `FileError` if it is a symbolic link or deeper than ``deepest``.
  func child(_ name: RawPath, depth: Int) throws(FileError) -> Directory {
    guard depth < Self.deepest else {
      throw FileError("\(full(name).quoted) is more than \(Self.deepest) directories deep")
    }
    var number: CInt = -1
    let code = errorNumber {
      number = withCPath(name) {
        openat(descriptor.number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      }
      return number
    }
    guard code == 0 else { throw FileError("open", full(name), code) }
    return Directory(number, label: full(name) + Array("/".utf8), path: path.appending(name))
  }

  /// The name of an entry for messages, relative to the root of the tree.
  func full(_ name: RawPath) -> RawPath { label + name }

  /// The present path, without symbolic links.
  var resolvedPath: RawPath {
    if let linked = readLink(AT_FDCWD, Array("/proc/self/fd/\(descriptor.number)".utf8)), linked.first == 0x2F {
      return linked
    }
    guard let resolved = withCPath(path, { realpath($0, nil) }) else { return path }
    defer { free(resolved) }
    return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
  }

  /// The status of the directory itself.
  func status() throws(FileError) -> FileStatus {
    var result = stat()
    guard fstat(descriptor.number, &result) == 0 else { throw FileError("read", path, errno) }
    return FileStatus(result)
  }

  /// Whether the directory has been removed since it was opened.
  var isGone: Bool {
    var result = stat()
    return fstat(descriptor.number, &result) != 0 || result.st_nlink == 0
  }

  /// The status of an entry. Symbolic links are not followed.
  func status(of name: RawPath) throws(FileError) -> FileStatus {
    var result = stat()
    let code = errorNumber {
      withCPath(name) { fstatat(descriptor.number, $0, &result, AT_SYMLINK_NOFOLLOW) }
    }
    guard code == 0 else { throw FileError("read", full(name), code) }
    return FileStatus(result)
  }

  /// Whether the name is taken, be it by a dangling symbolic link.
  func holds(_ name: RawPath) throws(FileError) -> Bool {
    do {
      _ = try status(of: name)
      return true
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// The names of all entries but `.` and `..`.
  func names() throws(FileError) -> [RawPath] {
    let number = withCPath(Array(".".utf8)) { openat(descriptor.number, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0, let stream = fdopendir(number) else {
      let code = errno
      if number >= 0 { close(number) }
      throw FileError("read", label.isEmpty ? path : label, code)
    }
    defer { closedir(stream) }
    var names: [RawPath] = []
    errno = 0
    while let entry = readdir(stream) {
      // The entry has only the length of its name, and so is shorter than the C structure.
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
      let name = start.assumingMemoryBound(to: CChar.self)
      let bytes = UnsafeBufferPointer(start: name, count: strlen(name)).map(UInt8.init(bitPattern:))
      if bytes.isName { names.append(bytes) }
      errno = 0
    }
    guard errno == 0 else { throw FileError("read", label.isEmpty ? path : label, errno) }
    return names
  }

  /// Whether this is the given directory or a descendant of it.
  func isWithin(_ other: FileStatus.Identity) throws(FileError) -> Bool {
    var here = try status().identity
    var holder = descriptor
    for _ in 0..<4096 {
      if here == other { return true }
      let number = openat(holder.number, "..", OPEN_PATH | O_DIRECTORY | O_CLOEXEC)
      guard number >= 0 else { return false }
      holder = Descriptor(number)
      var result = stat()
      guard fstat(number, &result) == 0 else { return false }
      let above = FileStatus(result).identity
      if above == here { return false }
      here = above
    }
    return false
  }

  /// Syncs the directory's entries to disk.
  func sync() throws(FileError) {
    switch errorNumber({ fsync(descriptor.number) }) {
    // EBADF: the descriptor was opened with O_PATH.
    case 0, EINVAL, EROFS, ENOTSUP, EBADF: return
    case let code: throw FileError("write", path, code)
    }
  }
}
