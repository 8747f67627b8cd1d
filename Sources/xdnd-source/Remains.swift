import Glibc
import Synchronization

/// Processes whose end nobody waits for any more. They have to be reaped all the same.
enum Remains {
  private static let processes = Mutex<[pid_t]>([])

  static func leave(_ process: pid_t) {
    reap()
    processes.withLock { $0.append(process) }
  }

  static func reap() { processes.withLock { $0.removeAll { waitpid($0, nil, WNOHANG) != 0 } } }
}
