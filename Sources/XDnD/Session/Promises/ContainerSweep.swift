import Glibc

/// Removes the temporary files of processes that have ended, when their time is over.
///
/// For a process of its own, which outlives those that it cleans up after: a library must not start one, a program may.
package enum ContainerSweep {
  /// How often to look whether a process has ended that still holds its files: nothing tells that.
  private static let interval = Duration.seconds(60)

  /// Runs until there are no temporary files of this user any more; at once if somebody else does so already.
  package static func run() {
    guard let path = PrivateDirectory.cacheRoot, let root = try? OpenDirectory.open(path, in: AT_FDCWD) else { return }
    defer { close(root) }
    let changes = Changes(of: path)
    // Who finds the lock taken goes, so who has it looks once more when it has given it back.
    while !PrivateDirectory.ages(in: root).isEmpty, flock(root, LOCK_EX | LOCK_NB) == 0 {
      sweep(root, changes)
      flock(root, LOCK_UN)
    }
  }

  private static func sweep(_ root: CInt, _ changes: Changes) {
    while true {
      PrivateDirectory.sweep(root, olderThan: PromiseContainer.lifetime)
      let ages = PrivateDirectory.ages(in: root)
      guard let oldest = ages.filter({ $0 < PromiseContainer.lifetime }).max() ?? ages.max() else { return }
      // Times of files go forward in ticks.
      let next = max(.milliseconds(20), PromiseContainer.lifetime - oldest + .milliseconds(20))
      changes.wait(atMost: oldest < PromiseContainer.lifetime ? min(interval, next) : interval)
    }
  }

  /// What happens to the directories in a directory: that one goes, or that its time is set anew.
  private final class Changes {
    private let descriptor: CInt

    init(of path: [UInt8]) {
      descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
      let events = IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      // Without it things are only seen when it is looked for them.
      _ = withCPath(path) { inotify_add_watch(descriptor, $0, UInt32(events)) }
    }

    deinit { close(descriptor) }

    func wait(atMost time: Duration) {
      var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let (seconds, attoseconds) = time.components
      poll(&events, 1, CInt(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }
}
