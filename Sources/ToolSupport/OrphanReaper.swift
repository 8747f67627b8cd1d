public import Glibc
import Synchronization

/// Processes whose end is not waited for any more. They have to be reaped all the same.
public enum OrphanReaper {
  private static let processes = Mutex<[pid_t]>([])

  /// Takes a process over from who has started it.
  public static func leave(_ process: pid_t) {
    reap()
    processes.withLock { $0.append(process) }
  }

  /// Reaps those that have ended.
  public static func reap() { processes.withLock { $0.removeAll { waitpid($0, nil, WNOHANG) != 0 } } }
}
