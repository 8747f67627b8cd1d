import XDnDLinux
import Glibc

/// Detached threads, for work that must not block an event loop.
package enum DetachedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - niceness: How much to lower the thread's priority, from 0 to 19. On Linux this affects only this thread.
  ///   - blocksSignals: Whether the thread blocks all signals, so that other threads handle them. With SIGXFSZ blocked,
  ///     a write beyond the file size limit fails with an error.
  package static func start(
    niceness: CInt = 0, blocksSignals: Bool = false, _ run: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    // A thread inherits the mask of the thread that creates it.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    if blocksSignals { pthread_sigmask(SIG_SETMASK, &all, &before) }
    defer { if blocksSignals { pthread_sigmask(SIG_SETMASK, &before, nil) } }
    let body = Unmanaged.passRetained(
      Body {
        if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
        run()
      })
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        argument.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      throw SystemError(code)
    }
  }
}
