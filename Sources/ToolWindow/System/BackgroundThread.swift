internal import Glibc

/// Starts a detached thread that gives way to others.
///
/// - Parameter niceness: How much its priority is lowered, from 1 to 19. On Linux this applies to one thread only.
/// - Returns: Whether the thread was started.
@discardableResult
func startBackgroundThread(niceness: CInt, _ run: @escaping @Sendable () -> Void) -> Bool {
  var thread = pthread_t()
  let body = Unmanaged.passRetained(
    ThreadBody {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
      run()
    })
  let result = pthread_create(
    &thread, nil,
    { body in
      body.map { Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue().run() }
      return nil
    }, body.toOpaque())
  guard result == 0 else {
    body.release()
    return false
  }
  pthread_detach(thread)
  return true
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
