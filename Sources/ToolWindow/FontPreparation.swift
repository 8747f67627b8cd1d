internal import CPangoCairo
internal import Glibc

/// Reads what fontconfig has to read before the first letter can be drawn.
enum FontPreparation {
  /// Begins, on a thread of its own, and returns at once; whoever needs fonts earlier waits inside fontconfig for what is
  /// already under way.
  ///
  /// To be called when the window is being mapped, while the server and the window manager have the word. Earlier it makes the
  /// window come later: two threads that both map files wait for each other in the kernel.
  static func begin() {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    // Without the thread it only takes longer.
    _ = pthread_create(
      &thread, &attributes,
      { _ in
        FcInit()
        return nil
      }, nil)
    pthread_attr_destroy(&attributes)
  }
}
