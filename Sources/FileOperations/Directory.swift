internal import CFileSystem
internal import Glibc

/// A descriptor that is closed when nobody needs it any more.
final class Descriptor: Sendable {
  let number: CInt

  init(_ number: CInt) { self.number = number }

  deinit { close(number) }
}

/// A directory that is held open: everything is done relative to it, so that it stays the same one whatever becomes of
/// its path, and no symbolic link can lead out of it.
final class Directory: Sendable {
  /// Trees deeper than this are refused: each level takes two descriptors, and a process has 1024 by default.
  static let deepest = 200

  let descriptor: Descriptor
  /// What names in it begin with in messages: nothing, or `tree/sub/`.
  private let label: RawPath
  /// As it was opened.
  let path: RawPath

  private init(_ number: CInt, label: RawPath, path: RawPath) {
    descriptor = Descriptor(number)
    self.label = label
    self.path = path
  }

  /// Opens the directory at a path; the path itself may lead through symbolic links.
  ///
  /// - Parameter holder: A descriptor of the directory; then the path is only what it is called.
  static func open(_ path: RawPath, heldBy holder: CInt? = nil) throws(FileError) -> Directory {
    guard !path.isEmpty, !path.contains(0) else { throw FileError("\(path.quoted) is not a directory") }
    let place = holder == nil ? path : Array(".".utf8)
    var number: CInt = -1
    var code = errorNumber {
      number = withCPath(place) { openat(holder ?? AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      return number
    }
    if code == EACCES {
      // What may not be listed may still be gone through.
      code = errorNumber {
        number = withCPath(place) { openat(holder ?? AT_FDCWD, $0, OPEN_PATH | O_DIRECTORY | O_CLOEXEC) }
        return number
      }
    }
    guard code == 0 else { throw FileError("open", path, code) }
    return Directory(number, label: [], path: path)
  }

  /// Opens a directory in this one.
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

  /// A name for messages.
  func full(_ name: RawPath) -> RawPath { label + name }

  /// Where it is now, without symbolic links.
  var resolvedPath: RawPath {
    if let linked = readLink(AT_FDCWD, Array("/proc/self/fd/\(descriptor.number)".utf8)), linked.first == 0x2F {
      return linked
    }
    guard let resolved = withCPath(path, { realpath($0, nil) }) else { return path }
    defer { free(resolved) }
    return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
  }

  /// Of the directory itself.
  func status() throws(FileError) -> FileStatus {
    var result = stat()
    guard fstat(descriptor.number, &result) == 0 else { throw FileError("read", path, errno) }
    return FileStatus(result)
  }

  /// Whether it has been removed while it was held open.
  var isGone: Bool {
    var result = stat()
    return fstat(descriptor.number, &result) != 0 || result.st_nlink == 0
  }

  /// Of something in it, which may be a symbolic link.
  func status(of name: RawPath) throws(FileError) -> FileStatus {
    var result = stat()
    let code = errorNumber {
      withCPath(name) { fstatat(descriptor.number, $0, &result, AT_SYMLINK_NOFOLLOW) }
    }
    guard code == 0 else { throw FileError("read", full(name), code) }
    return FileStatus(result)
  }

  /// Whether the name is taken; a symbolic link that leads nowhere takes it, too.
  func holds(_ name: RawPath) throws(FileError) -> Bool {
    do {
      _ = try status(of: name)
      return true
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// The names in it.
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
      // The entry is as long as its name, and so shorter than the structure that C has for it.
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
      let name = start.assumingMemoryBound(to: CChar.self)
      let bytes = UnsafeBufferPointer(start: name, count: strlen(name)).map(UInt8.init(bitPattern:))
      if bytes.isName { names.append(bytes) }
      errno = 0
    }
    guard errno == 0 else { throw FileError("read", label.isEmpty ? path : label, errno) }
    return names
  }

  /// Whether it is the given directory or somewhere below it.
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

  /// Has the names in it on the disk.
  func sync() throws(FileError) {
    switch errorNumber({ fsync(descriptor.number) }) {
    // EBADF is what a descriptor gives that is only good for going through.
    case 0, EINVAL, EROFS, ENOTSUP, EBADF: return
    case let code: throw FileError("write", path, code)
    }
  }
}
