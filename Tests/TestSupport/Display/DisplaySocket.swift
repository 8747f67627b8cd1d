import Glibc

/// The file in `/tmp/.X11-unix` that a server made for its display; a killed server leaves it there.
///
/// A server that chooses its number itself (`-displayfd`) writes no lock, so the next one may take the number over as
/// soon as this one has ended. What tells the two files apart is their inode and the moment they were made.
package struct DisplaySocket: Sendable {
  private let displayName: String
  private let inode: UInt
  private let seconds: Int
  private let nanoseconds: Int

  /// The socket of the display with this name, such as `:7`, as it is now; `nil` when there is none.
  package init?(displayName: String) {
    self.displayName = displayName
    var status = stat()
    guard stat(Self.path(displayName), &status) == 0 else { return nil }
    inode = status.st_ino
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }

  /// Whether this very file is still there.
  package var exists: Bool {
    guard let now = DisplaySocket(displayName: displayName) else { return false }
    return (now.inode, now.seconds, now.nanoseconds) == (inode, seconds, nanoseconds)
  }

  /// Removes it, unless it is gone or another server's.
  package func remove() {
    if exists { unlink(Self.path(displayName)) }
  }

  private static func path(_ displayName: String) -> String { "/tmp/.X11-unix/X\(displayName.dropFirst())" }
}
