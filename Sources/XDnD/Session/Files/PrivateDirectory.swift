import Glibc

/// A temporary directory that other users can neither read nor change.
///
/// It exists as long as this object and is locked (`flock`). If the process is killed, the lock is released, and
/// ``sweep(_:olderThan:)`` in any later process removes the directory.
package final class PrivateDirectory {
  /// The path; absolute if the parent's path was.
  package let path: [UInt8]
  /// The open directory, which holds the lock. The lock lasts as long as any process has the descriptor open, including
  /// a child that inherits it.
  package let descriptor: CInt
  private let name: [UInt8]
  private let parent: CInt
  /// Whether to remove the directory with this object.
  private var isOurs = true

  /// Creates a directory in a root that belongs to this user, such as ``cacheRoot``. The root is created if necessary.
  ///
  /// - Parameter root: An absolute path.
  /// - Throws: ``XDnDError/Code/fileNotWritten``, also if other users can write to the root, or if the root is a
  ///   symbolic link.
  static func make(in root: [UInt8]) throws(XDnDError) -> PrivateDirectory {
    do {
      return try PrivateDirectory(in: openRoot(root), at: root)
    } catch {
      throw FileDestination(rawPath: root).failure(error.code)
    }
  }

  /// Creates a directory in a shared directory for temporary files, which may be a symbolic link.
  ///
  /// - Parameter root: A directory in which other users may create files but not rename this user's, such as `/tmp`.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  package static func make(inShared root: [UInt8]) throws(XDnDError) -> PrivateDirectory {
    do {
      return try PrivateDirectory(in: openShared(root), at: root)
    } catch {
      throw FileDestination(rawPath: root).failure(error.code)
    }
  }

  /// Creates a directory in any writable directory, whichever user owns that.
  ///
  /// - Parameters:
  ///   - parent: A descriptor of the parent; `O_PATH` suffices. The object takes ownership, and closes it even if this
  ///     initializer throws.
  ///   - path: The path of the parent.
  init(in parent: CInt, at path: [UInt8]) throws(SystemError) {
    do {
      (name, descriptor) = try Self.make(in: parent)
    } catch {
      close(parent)
      throw error
    }
    self.parent = parent
    self.path = path + (path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
  }

  deinit {
    remove()
    close(descriptor)
    close(parent)
  }

  /// Removes the directory with its contents.
  package func remove() {
    guard isOurs else { return }
    isOurs = false
    OpenDirectory.removeContents(of: descriptor)
    Self.removeEmpty(name, in: parent, if: descriptor)
  }

  /// Keeps the directory when this object is deallocated, for peers that still read it. A sweep removes it when it has
  /// expired.
  func keep() { isOurs = false }

  /// Restarts the time after which a sweep removes the directory.
  func touch() { futimens(descriptor, nil) }

  // MARK: Making

  private static let prefix = Array(".xdnd-".utf8)
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
  private static let randomCount = 20

  /// Whether a name has the form of the names that this type creates. A sweep removes nothing else.
  static func isName(_ name: [UInt8]) -> Bool {
    name.count == prefix.count + randomCount && name.starts(with: prefix)
      && name.dropFirst(prefix.count).allSatisfy(alphabet.contains)
  }

  private static func make(in parent: CInt) throws(SystemError) -> (name: [UInt8], descriptor: CInt) {
    for _ in 0..<100 {
      // Random: a predictable name could be created first by another user.
      let name = prefix + (0..<randomCount).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }
      if withCPath(name, { mkdirat(parent, $0, 0o700) }) != 0 {
        if errno == EEXIST { continue }
        throw .last
      }
      let descriptor: CInt
      do {
        descriptor = try OpenDirectory.openOwn(name, in: parent)
      } catch {
        // Another process has swept it already.
        if error.code == ENOENT { continue }
        _ = withCPath(name) { unlinkat(parent, $0, AT_REMOVEDIR) }
        throw error
      }
      // The creation mask may have removed permissions of the owner.
      _ = fchmod(descriptor, 0o700)
      // Another process may have swept it before it was locked.
      if isLocked(descriptor), isNamed(name, in: parent, descriptor) {
        return (name, descriptor)
      }
      close(descriptor)
    }
    throw SystemError(EEXIST)
  }

  /// Takes the lock for as long as the descriptor is open. Where the file system does not support locks, nothing is
  /// ever swept, because the sweep needs the lock too.
  private static func isLocked(_ descriptor: CInt) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  // MARK: The root

  /// `$XDG_CACHE_HOME/xdnd`, by default `~/.cache/xdnd`; `nil` if neither variable is set.
  static var cacheRoot: [UInt8]? {
    cacheRoot { name in getenv(name).map { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
  }

  /// Relative paths are ignored, as the XDG Base Directory Specification demands.
  static func cacheRoot(_ variable: (String) -> [UInt8]?) -> [UInt8]? {
    func absolute(_ name: String) -> [UInt8]? { variable(name).flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil } }
    let cache = absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + Array("/.cache".utf8) }
    return cache.map { $0 + Array("/xdnd".utf8) }
  }

  private static func openShared(_ root: [UInt8]) throws(SystemError) -> CInt {
    guard !root.contains(0) else { throw SystemError(EINVAL) }
    return try SystemError.check(withCPath(root) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  }

  private static func openRoot(_ root: [UInt8]) throws(SystemError) -> CInt {
    guard root.first == UInt8(ascii: "/"), !root.contains(0) else { throw SystemError(EINVAL) }
    for (index, byte) in root.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
      _ = withCPath(Array(root[..<index])) { mkdir($0, 0o700) }
    }
    if withCPath(root, { mkdir($0, 0o700) }) != 0, errno != EEXIST { throw .last }
    let descriptor = try OpenDirectory.open(root, in: AT_FDCWD)
    // A user who can write to the root could replace what is created here.
    let status = try? OpenDirectory.status(of: descriptor)
    guard let status, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      close(descriptor)
      throw SystemError(EPERM)
    }
    return descriptor
  }

  // MARK: Sweeping

  /// Removes the directories of processes that have ended.
  ///
  /// Any number of processes may sweep, and create directories, at the same time.
  ///
  /// - Parameters:
  ///   - root: A directory, not a symbolic link. Its absence is not an error.
  ///   - age: The time without changes after which a directory expires.
  static func sweep(_ root: [UInt8], olderThan age: Duration) {
    guard let root = try? OpenDirectory.open(root, in: AT_FDCWD) else { return }
    sweep(root, olderThan: age)
    close(root)
  }

  /// Removes the directories of ended processes from a root of ``make(inShared:)``. None are kept there beyond their
  /// process, so there is no expiry, and a live process holds its lock.
  package static func sweep(shared root: [UInt8]) {
    guard let root = try? openShared(root) else { return }
    sweep(root, olderThan: .zero)
    close(root)
  }

  /// Removes the directories of ended processes from an open root.
  static func sweep(_ root: CInt, olderThan age: Duration) {
    for name in OpenDirectory.names(in: root) where isName(name) {
      guard let descriptor = try? OpenDirectory.open(name, in: root) else { continue }
      // Closing the descriptor releases the lock; the directory is removed first.
      defer { close(descriptor) }
      guard isAbandoned(descriptor, for: age), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
        // Another process may have restarted its time.
        isAbandoned(descriptor, for: age)
      else { continue }
      OpenDirectory.removeContents(of: descriptor)
      removeEmpty(name, in: root, if: descriptor)
    }
  }

  private static func isAbandoned(_ descriptor: CInt, for age: Duration) -> Bool {
    self.age(of: descriptor).map { $0 >= age } ?? false
  }

  /// The time since an entry was last added or removed; `nil` if the directory belongs to another user.
  private static func age(of descriptor: CInt) -> Duration? {
    guard let status = try? OpenDirectory.status(of: descriptor), status.st_uid == geteuid() else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Duration(now) - Duration(status.st_mtim)
  }

  /// The ages of this user's directories in a root.
  static func ages(in root: CInt) -> [Duration] {
    OpenDirectory.names(in: root).filter(isName).compactMap { name in
      guard let descriptor = try? OpenDirectory.open(name, in: root) else { return nil }
      defer { close(descriptor) }
      return age(of: descriptor)
    }
  }

  /// Removes the empty directory, if the name still refers to it.
  private static func removeEmpty(_ name: [UInt8], in parent: CInt, if descriptor: CInt) {
    guard isNamed(name, in: parent, descriptor) else { return }
    _ = withCPath(name) { unlinkat(parent, $0, AT_REMOVEDIR) }
  }

  private static func isNamed(_ name: [UInt8], in parent: CInt, _ descriptor: CInt) -> Bool {
    guard let named = try? OpenDirectory.status(of: name, in: parent),
      let held = try? OpenDirectory.status(of: descriptor)
    else { return false }
    return named.st_ino == held.st_ino && named.st_dev == held.st_dev
  }
}

extension Duration {
  fileprivate init(_ time: timespec) {
    self = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
