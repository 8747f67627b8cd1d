import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the first asks the tool to end, the second makes it.
///
/// The first is a byte in a pipe, for the event loop. After the second the loop has a moment to end in order; if it does not come
/// round, because something keeps it, a timer ends the process all the same, and so does a third signal.
public enum EndSignals {
  /// The descriptor that the first signal is written to; -1 if no loop waits for it.
  private static let writer = Atomic<CInt>(-1)
  private static let count = Atomic<Int>(0)
  /// The exit status once the tool has nothing left to do but to be read; -1 before.
  private static let finalStatus = Atomic<CInt>(-1)

  /// How long an orderly end may take after the second signal.
  private static let moment: CInt = 300_000

  /// Whether one has come.
  public static var haveCome: Bool { count.load(ordering: .relaxed) > 0 }

  /// Takes the signals from now on. A `poll` ends with them, which no handler restarts.
  ///
  /// - Parameter writer: Each of them is written to it as a byte; must not block.
  public static func take(writingTo writer: CInt = -1) {
    self.writer.store(writer, ordering: .relaxed)
    // Touched before a signal comes: globals are made when they are used first, which is nothing for a handler.
    _ = (count.load(ordering: .relaxed), finalStatus.load(ordering: .relaxed), moment)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, handler) }
    signal(SIGALRM) { _ in _exit(ExitStatus.cancelled.rawValue) }
    // Who closes our standard output makes a write fail, and does not end a drag.
    signal(SIGPIPE, SIG_IGN)
    // So does a file that grows over a limit.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// From now on the first signal ends the process, with this status.
  static func endAtOnce(with status: CInt) { finalStatus.store(status, ordering: .relaxed) }

  /// Writes a byte for something else that is awaited at the same place.
  static let note: @convention(c) (CInt) -> Void = { number in
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writer.load(ordering: .relaxed), &byte, 1)
    errno = saved
  }

  /// Only what POSIX allows in a handler, or what is one call of the system.
  private static let handler: @convention(c) (CInt) -> Void = { number in
    let status = finalStatus.load(ordering: .relaxed)
    if status >= 0 { _exit(status) }
    let before = count.wrappingAdd(1, ordering: .relaxed).oldValue
    if before >= 2 { _exit(ExitStatus.cancelled.rawValue) }
    if before == 1 {
      var time = itimerval(
        it_interval: timeval(tv_sec: 0, tv_usec: 0), it_value: timeval(tv_sec: 0, tv_usec: Int(moment)))
      let saved = errno
      setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &time, nil)
      errno = saved
    }
    note(number)
  }
}
