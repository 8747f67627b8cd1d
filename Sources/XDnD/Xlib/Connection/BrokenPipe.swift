import Glibc

/// The `SIGPIPE` handler of processes with an owned connection.
///
/// A write to a server that has just died raises `SIGPIPE`, whose default action ends the process. Xlib usually reads
/// the end of the connection before it writes, but not if the server dies in between.
enum BrokenPipe {
  /// Makes such a write fail with `EPIPE`, for the whole process, unless the application handles or ignores the signal
  /// already.
  ///
  /// Installs an empty handler and not `SIG_IGN`, which child processes would inherit.
  static func beAnError() { _ = handled }

  private static let handled: Void = {
    let previous = signal(SIGPIPE) { _ in }
    if previous != nil { signal(SIGPIPE, previous) }
  }()
}
