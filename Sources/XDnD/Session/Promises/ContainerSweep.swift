import XDnDFiles
import Glibc

/// Removes expired temporary files of processes that have ended.
///
/// It runs in a process of its own that outlives the others. A program may start such a process; a library must not.
package enum ContainerSweep {
  /// How often to check whether a process that held its files has ended. The kernel reports no event for that.
  private static let interval = Duration.seconds(60)

  /// Runs until no temporary files of this user are left. Returns immediately if another process is already sweeping.
  package static func run() {
    guard let path = PrivateDirectory.cacheRoot, let root = try? OpenDirectory(path, isFollowing: false) else { return }
    let changes = Changes(of: path)
    // A process that finds the lock taken exits. The holder therefore looks once more after it has released the lock.
    while !PrivateDirectory.ages(in: root).isEmpty, flock(root.descriptor, LOCK_EX | LOCK_NB) == 0 {
      sweep(root, changes)
      flock(root.descriptor, LOCK_UN)
    }
  }

  private static func sweep(_ root: OpenDirectory, _ changes: Changes) {
    while true {
      PrivateDirectory.sweep(root, olderThan: PromiseContainer.lifetime)
      let ages = PrivateDirectory.ages(in: root)
      guard let oldest = ages.filter({ $0 < PromiseContainer.lifetime }).max() ?? ages.max() else { return }
      // File timestamps advance in ticks of the kernel's clock.
      let next = max(.milliseconds(20), PromiseContainer.lifetime - oldest + .milliseconds(20))
      changes.wait(atMost: oldest < PromiseContainer.lifetime ? min(interval, next) : interval)
    }
  }

  /// Changes in a directory of containers: one is removed, or its modification time is set.
  private final class Changes {
    private let descriptor: CInt

    init(of path: [UInt8]) {
      descriptor = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
      let events = IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      // If the watch cannot be added, changes are found only at the next interval.
      _ = withCPath(path) { inotify_add_watch(descriptor, $0, UInt32(events)) }
    }

    deinit { close(descriptor) }

    func wait(atMost time: Duration) {
      var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&events, 1, (ContinuousClock.now + time).pollTimeout)
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }
}
