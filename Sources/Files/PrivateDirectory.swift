import Glibc

/// A temporary directory that other users can neither read nor change.
///
/// It is locked (`flock`), and removed together with this object unless ``keep()`` was called. If the process is
/// killed, the lock is released, and ``sweep(_:olderThan:keeping:)`` in a later process removes the directory.
package final class PrivateDirectory {
  /// The path; absolute if the parent's path was.
  package let path: RawPath
  /// The open directory, which holds the lock. The lock lasts as long as any process has the descriptor open, including
  /// a child that inherits it.
  package let handle: OpenDirectory
  private let name: RawPath
  private let parent: OpenDirectory
  private var isOurs = true

  /// Creates a directory in a root that belongs to this user, such as ``cacheRoot``. The root is created if necessary.
  ///
  /// - Parameter root: An absolute path.
  /// - Throws: `EPERM` if another user owns the root or can write to it; `ENOTDIR` if it is a symbolic link.
  package static func make(in root: RawPath) throws(SystemError) -> PrivateDirectory {
    try PrivateDirectory(in: openRoot(root), at: root)
  }

  /// Creates a directory in a shared directory for temporary files, which may be a symbolic link.
  ///
  /// - Parameter root: A directory in which other users may create files but not rename this user's, such as `/tmp`.
  package static func make(inShared root: RawPath) throws(SystemError) -> PrivateDirectory {
    try PrivateDirectory(in: OpenDirectory(root), at: root)
  }

  /// Creates a directory in any writable directory, even if another user owns the parent.
  ///
  /// - Parameter path: The path of the parent.
  package init(in parent: OpenDirectory, at path: RawPath) throws(SystemError) {
    (name, handle) = try Self.make(in: parent)
    self.parent = parent
    self.path = path.appending(name)
  }

  deinit { remove() }

  package func remove() {
    guard isOurs else { return }
    isOurs = false
    parent.removeAll(of: handle, named: name)
  }

  /// Keeps the directory when this object is deallocated, for peers that still read it. A sweep removes it when it has
  /// expired.
  package func keep() { isOurs = false }

  /// Restarts the time after which a sweep removes the directory.
  package func touch() { futimens(handle.descriptor, nil) }

  // MARK: Making

  private static let prefix = Array(".xdnd-".utf8)
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
  private static let randomCount = 20

  /// Whether a name has the form of the names that this type creates. A sweep removes nothing else.
  package static func isName(_ name: RawPath) -> Bool {
    name.count == prefix.count + randomCount && name.starts(with: prefix)
      && name.dropFirst(prefix.count).allSatisfy(alphabet.contains)
  }

  private static func make(in parent: OpenDirectory) throws(SystemError) -> (name: RawPath, OpenDirectory) {
    for _ in 0..<100 {
      // Random: another user could create a predictable name first.
      let name = prefix + (0..<randomCount).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }
      do throws(SystemError) {
        try parent.makeDirectory(name)
      } catch {
        if error.code == EEXIST { continue }
        throw error
      }
      let directory: OpenDirectory
      do {
        directory = try parent.ownChild(name)
      } catch {
        // Another process has swept it already.
        if error.code == ENOENT { continue }
        try? parent.remove(name, isDirectory: true)
        throw error
      }
      // The creation mask may have removed permissions of the owner.
      _ = fchmod(directory.descriptor, 0o700)
      // Another process may have swept it before it was locked.
      if isLocked(directory), parent.holds(directory, as: name) { return (name, directory) }
    }
    throw SystemError(EEXIST)
  }

  /// Takes the lock, which lasts while the directory is open. `true` also if the file system does not support locks:
  /// then a sweep removes nothing, because it needs the lock too.
  private static func isLocked(_ directory: OpenDirectory) -> Bool {
    flock(directory.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  // MARK: The root

  /// `$XDG_CACHE_HOME/xdnd`, by default `$HOME/.cache/xdnd`; `nil` if neither variable is an absolute path.
  package static var cacheRoot: RawPath? { cacheRoot(RawPath.environment) }

  package static func cacheRoot(_ environment: (String) -> RawPath?) -> RawPath? {
    RawPath.userDirectory("XDG_CACHE_HOME", orAtHome: ".cache", environment: environment)?
      .appending(Array("xdnd".utf8))
  }

  private static func openRoot(_ root: RawPath) throws(SystemError) -> OpenDirectory {
    guard root.first == UInt8(ascii: "/"), !root.contains(0) else { throw SystemError(EINVAL) }
    try OpenDirectory.makeAll(root)
    let directory = try OpenDirectory(root, isFollowing: false)
    // A user who can write to the root could replace the new directory.
    guard let status = try? directory.status(), status.user == geteuid(), status.mode & 0o022 == 0 else {
      throw SystemError(EPERM)
    }
    return directory
  }

  // MARK: Sweeping

  /// Removes the directories of processes that have ended.
  ///
  /// Any number of processes may sweep, and create directories, at the same time.
  ///
  /// - Parameters:
  ///   - root: A directory, not a symbolic link. Its absence is not an error.
  ///   - age: The time without changes after which a directory expires.
  ///   - isNeeded: Whether to keep an expired directory.
  package static func sweep(
    _ root: RawPath, olderThan age: Duration, keeping isNeeded: (OpenDirectory) -> Bool = { _ in false }
  ) {
    guard let root = try? OpenDirectory(root, isFollowing: false) else { return }
    sweep(root, olderThan: age, keeping: isNeeded)
  }

  /// Removes the directories of ended processes from a root of ``make(inShared:)``. A directory there is never kept
  /// beyond its process, so every unlocked one is removed, whatever its age.
  package static func sweep(shared root: RawPath) {
    guard let root = try? OpenDirectory(root) else { return }
    sweep(root, olderThan: .zero)
  }

  package static func sweep(
    _ root: OpenDirectory, olderThan age: Duration, keeping isNeeded: (OpenDirectory) -> Bool = { _ in false }
  ) {
    for name in (try? root.names()) ?? [] where isName(name) {
      // Closing the directory releases the lock; its contents are removed first.
      guard let directory = try? root.child(name), isAbandoned(directory, for: age),
        flock(directory.descriptor, LOCK_EX | LOCK_NB) == 0,
        // Checked again: another process may have called ``touch()``.
        isAbandoned(directory, for: age), !isNeeded(directory)
      else { continue }
      root.removeAll(of: directory, named: name)
    }
  }

  private static func isAbandoned(_ directory: OpenDirectory, for age: Duration) -> Bool {
    guard let status = try? directory.status(), status.user == geteuid() else { return false }
    return Duration.sinceEpoch - Duration(status.modified) >= age
  }
}
