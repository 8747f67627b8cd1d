internal import CPangoCairo
internal import Glibc

/// Loads fontconfig's configuration and caches ahead of the first use of a font.
public enum FontPreparation {
  /// Starts loading on a separate thread and returns at once; later calls do nothing. Code that needs fonts earlier
  /// waits inside fontconfig for the load in progress.
  ///
  /// Call it as soon as a window is likely to be shown; ``ToolWindow/show()`` calls it at the latest.
  public static func begin() { _ = thread }

  private static let thread: Void = {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    // On failure the fonts are loaded on first use.
    _ = pthread_create(
      &thread, &attributes,
      { _ in
        // On Linux this applies to this thread only. The main thread is creating the window with requests to the
        // server meanwhile; on two processors the server would otherwise wait for this thread's time slice.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        FcInit()
        return nil
      }, nil)
    pthread_attr_destroy(&attributes)
  }()
}
