import XDnDFiles
import Glibc
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP: the first asks the tool to end, the second forces it to.
///
/// Each signal writes a byte to a pipe for the event loop. After the second signal, the loop has 0.3 s to end the tool
/// in an orderly way; after that time, or on a third signal, the process exits.
package enum TerminationSignals {
  /// The descriptor that signal numbers are written to; -1 before an event loop is created.
  private static let writer = Atomic<CInt>(-1)
  private static let count = Atomic<Int>(0)
  /// The exit status for the next signal while only output is left to write; -1 before.
  private static let finalStatus = Atomic<CInt>(-1)

  /// The time for an orderly end after the second signal, in microseconds.
  private static let gracePeriod = 300_000

  package static var haveArrived: Bool { count.load(ordering: .relaxed) > 0 }

  /// Installs the handlers. Signals interrupt `poll`, which Linux never restarts after a handler (signal(7)). A signal
  /// that was ignored when the tool started stays ignored, such as SIGHUP under nohup(1).
  ///
  /// - Parameter writer: The descriptor to which each signal is written as a byte. It must be non-blocking.
  package static func handle(writingTo writer: CInt = -1) {
    self.writer.store(writer, ordering: .relaxed)
    // Initializes the globals now: lazy initialization is not safe in a signal handler.
    _ = (count.load(ordering: .relaxed), finalStatus.load(ordering: .relaxed), gracePeriod)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { signal(number, handler) }
    signal(SIGALRM) { _ in _exit(ExitStatus.cancelled.rawValue) }
    // With these ignored, a write to a closed pipe or beyond the file size limit fails but does not end a drag.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Makes the next signal end the process at once, with this status.
  static func exitAtOnce(with status: CInt) { finalStatus.store(status, ordering: .relaxed) }

  /// A signal handler that writes the signal's number to the pipe, and nothing else.
  static let record: @convention(c) (CInt) -> Void = { number in
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writer.load(ordering: .relaxed), &byte, 1)
    errno = saved
  }

  /// Calls only functions that POSIX permits in a signal handler, or that are a single system call.
  private static let handler: @convention(c) (CInt) -> Void = { number in
    let status = finalStatus.load(ordering: .relaxed)
    if status >= 0 { _exit(status) }
    let before = count.wrappingAdd(1, ordering: .relaxed).oldValue
    if before >= 2 { _exit(ExitStatus.cancelled.rawValue) }
    if before == 1 {
      var time = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: 0, tv_usec: gracePeriod))
      let saved = errno
      setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &time, nil)
      errno = saved
    }
    record(number)
  }
}

/// Makes signals visible to `poll`.
final class SignalPipe {
  let reader: CInt

  init() {
    let pipe = PrivatePipe()
    for end in [pipe?.reader, pipe?.writer] { end.map { _ = fcntl($0, F_SETFL, O_NONBLOCK) } }
    reader = pipe?.reader ?? -1
    TerminationSignals.handle(writingTo: pipe?.writer ?? -1)
  }

  /// Reports the end of child processes as a signal from now on, and reports one signal now for those that have ended
  /// before.
  func watchChildren() {
    signal(SIGCHLD, TerminationSignals.record)
    TerminationSignals.record(SIGCHLD)
  }

  func drain() -> Set<CInt> {
    var numbers: Set<CInt> = []
    var bytes = [UInt8](repeating: 0, count: 64)
    while case let count = read(reader, &bytes, bytes.count), count > 0 {
      numbers.formUnion(bytes[..<count].map(CInt.init))
    }
    return numbers
  }
}
