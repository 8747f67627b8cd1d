import Glibc

/// `SIGPIPE`, which the kernel sends to who writes to a server that has just died, and which ends the process if nobody
/// handles it.
///
/// Mostly Xlib reads that the server is gone before it writes. Not if it dies in between.
enum BrokenPipe {
  /// Lets the failed write be seen as one, for the whole process, unless the application handles the signal already.
  ///
  /// A handler that does nothing, and not `SIG_IGN`: programs that are started from here get what they expect.
  static func beAnError() { _ = handled }

  private static let handled: Void = {
    let previous = signal(SIGPIPE) { _ in }
    if previous != nil { signal(SIGPIPE, previous) }
  }()
}
