package import Glibc
import Synchronization

/// Reaps abandoned child processes, so that they do not remain as zombies.
package enum OrphanReaper {
  private static let processes = Mutex<[pid_t]>([])

  /// Takes over a child process.
  package static func leave(_ process: pid_t) {
    reap()
    processes.withLock { $0.append(process) }
  }

  /// Reaps the processes that have ended.
  package static func reap() { processes.withLock { $0.removeAll { waitpid($0, nil, WNOHANG) != 0 } } }
}
