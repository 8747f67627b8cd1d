import Glibc
import Synchronization

/// Whether somebody wants the examination to end: SIGINT, SIGTERM or SIGHUP.
///
/// The handler only raises a flag; it also ends a `poll`, which no handler restarts.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  static var hasCome: Bool { flag.load(ordering: .relaxed) }

  static func catchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
    }
    signal(SIGPIPE, SIG_IGN)
  }
}
