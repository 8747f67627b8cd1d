internal import CPangoCairo
internal import Glibc

/// Reads what fontconfig has to read before the first letter can be drawn.
public enum FontPreparation {
  /// Begins, on a thread of its own, unless it has begun before, and returns at once; whoever needs fonts earlier waits inside
  /// fontconfig for what is already under way.
  ///
  /// To be called as soon as it is likely that a window will be shown; ``ToolWindow/show()`` does it at the latest.
  public static func begin() { _ = thread }

  private static let thread: Void = {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    // Without the thread it only takes longer.
    _ = pthread_create(
      &thread, &attributes,
      { _ in
        // Of this thread only. The window is on its way meanwhile, with questions to the server; on two processors the server
        // would have to wait until we have used up our time.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        FcInit()
        return nil
      }, nil)
    pthread_attr_destroy(&attributes)
  }()
}
