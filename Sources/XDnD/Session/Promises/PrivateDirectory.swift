import Glibc

/// A directory of ours in which things are put together, where nobody else can see or change them.
///
/// It is there for as long as this object, and locked (`flock`): if the process is killed, the lock is free, and
/// ``sweep(_:olderThan:)`` of any later process removes what it has left.
package final class PrivateDirectory {
  /// Absolute if the directory was named so that it is in.
  package let path: [UInt8]
  /// Of the directory, with the lock, which is held for as long as anybody has it open: also a process that inherits it.
  package let descriptor: CInt
  private let name: [UInt8]
  private let parent: CInt
  /// Whether it is removed with this object.
  private var isOurs = true

  /// Makes a directory within one that belongs to us, such as ``cacheRoot``, which is made if it is not there.
  ///
  /// - Parameter root: Absolute.
  /// - Throws: ``XDnDError/Code/fileNotWritten``, also if others could write to the root, or if it is a symbolic link.
  static func make(in root: [UInt8]) throws(XDnDError) -> PrivateDirectory {
    do {
      return try PrivateDirectory(in: openRoot(root), at: root)
    } catch {
      throw FileDestination(rawPath: root).failure(error.code)
    }
  }

  /// Makes a directory within one that is for temporary files, also if that is a symbolic link.
  ///
  /// - Parameter root: Where others may make files, but not rename ours, such as `/tmp`.
  /// - Throws: ``XDnDError/Code/fileNotWritten``.
  package static func make(inShared root: [UInt8]) throws(XDnDError) -> PrivateDirectory {
    do {
      return try PrivateDirectory(in: openShared(root), at: root)
    } catch {
      throw FileDestination(rawPath: root).failure(error.code)
    }
  }

  /// Makes a directory within any that we can write to, whoever it belongs to.
  ///
  /// - Parameters:
  ///   - parent: A descriptor, `O_PATH` is enough; belongs to the object from here on, and is closed also if this fails.
  ///   - path: Where that is.
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

  /// Removes it with everything in it.
  package func remove() {
    guard isOurs else { return }
    isOurs = false
    OpenDirectory.removeContents(of: descriptor)
    Self.removeEmpty(name, in: parent, if: descriptor)
  }

  /// Leaves it there when this object goes, for somebody who may still read it; a sweep takes it when its time is over.
  func keep() { isOurs = false }

  /// Has its time count from now.
  func touch() { futimens(descriptor, nil) }

  // MARK: Making

  private static let prefix = Array(".xdnd-".utf8)
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
  private static let randomCount = 20

  /// Whether it is a name that this makes. Nothing else is ever removed.
  static func isName(_ name: [UInt8]) -> Bool {
    name.count == prefix.count + randomCount && name.starts(with: prefix)
      && name.dropFirst(prefix.count).allSatisfy(alphabet.contains)
  }

  private static func make(in parent: CInt) throws(SystemError) -> (name: [UInt8], descriptor: CInt) {
    for _ in 0..<100 {
      // Not from the process number and a counter: who knows the name could make it first.
      let name = prefix + (0..<randomCount).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }
      if withCPath(name, { mkdirat(parent, $0, 0o700) }) != 0 {
        if errno == EEXIST { continue }
        throw .last
      }
      let descriptor: CInt
      do {
        descriptor = try OpenDirectory.openOwn(name, in: parent)
      } catch {
        // Swept already, by somebody with no patience at all.
        if error.code == ENOENT { continue }
        _ = withCPath(name) { unlinkat(parent, $0, AT_REMOVEDIR) }
        throw error
      }
      // The creation mask may have taken something from the owner.
      _ = fchmod(descriptor, 0o700)
      // Somebody may have swept it before it was locked.
      if isLocked(descriptor), isNamed(name, in: parent, descriptor) {
        return (name, descriptor)
      }
      close(descriptor)
    }
    throw SystemError(EEXIST)
  }

  /// Takes the lock for as long as the descriptor is open. Some file systems have none: there nothing is ever swept, for
  /// who sweeps cannot take it either.
  private static func isLocked(_ descriptor: CInt) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  // MARK: The root

  /// `$XDG_CACHE_HOME/xdnd`, by default `~/.cache/xdnd`; `nil` if there is neither.
  static var cacheRoot: [UInt8]? {
    cacheRoot { name in getenv(name).map { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
  }

  /// A relative path is to be ignored, XDG Base Directory Specification.
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
    // Whoever can write to it could put something else in the place of what we make.
    let status = try? OpenDirectory.status(of: descriptor)
    guard let status, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      close(descriptor)
      throw SystemError(EPERM)
    }
    return descriptor
  }

  // MARK: Sweeping

  /// Removes what processes have left here that are gone.
  ///
  /// Any number of processes may do it at the same time, and make such directories meanwhile.
  ///
  /// - Parameters:
  ///   - root: A directory, not a symbolic link. That it is not there is no error.
  ///   - age: How long nothing must have been added to one or taken from it.
  static func sweep(_ root: [UInt8], olderThan age: Duration) {
    guard let root = try? OpenDirectory.open(root, in: AT_FDCWD) else { return }
    sweep(root, olderThan: age)
    close(root)
  }

  /// The same for a directory that ``make(inShared:)`` makes them in, without a time for those that were kept: nobody
  /// keeps any there, and a process that still needs one holds its lock.
  package static func sweep(shared root: [UInt8]) {
    guard let root = try? openShared(root) else { return }
    sweep(root, olderThan: .zero)
    close(root)
  }

  /// The same for an open directory.
  static func sweep(_ root: CInt, olderThan age: Duration) {
    for name in OpenDirectory.names(in: root) where isName(name) {
      guard let descriptor = try? OpenDirectory.open(name, in: root) else { continue }
      // The lock goes with the descriptor, after the directory.
      defer { close(descriptor) }
      guard isAbandoned(descriptor, for: age), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
        // It may have been kept a moment ago.
        isAbandoned(descriptor, for: age)
      else { continue }
      OpenDirectory.removeContents(of: descriptor)
      removeEmpty(name, in: root, if: descriptor)
    }
  }

  private static func isAbandoned(_ descriptor: CInt, for age: Duration) -> Bool {
    self.age(of: descriptor).map { $0 >= age } ?? false
  }

  /// How long nothing was added to one or taken from it; `nil` if it does not belong to us.
  private static func age(of descriptor: CInt) -> Duration? {
    guard let status = try? OpenDirectory.status(of: descriptor), status.st_uid == geteuid() else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Duration(now) - Duration(status.st_mtim)
  }

  /// How old each directory of ours is that is still there, in a directory or a descriptor's.
  static func ages(in root: CInt) -> [Duration] {
    OpenDirectory.names(in: root).filter(isName).compactMap { name in
      guard let descriptor = try? OpenDirectory.open(name, in: root) else { return nil }
      defer { close(descriptor) }
      return age(of: descriptor)
    }
  }

  /// Only if the name still is that of this directory.
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
