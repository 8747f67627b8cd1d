internal import CPangoCairo
internal import Glibc

/// Reads what fontconfig has to read before the first letter can be drawn.
public enum FontPreparation {
  /// Begins, on a thread of its own, and returns at once: it takes as long as parsing the arguments, connecting and mapping
  /// the window together. Whoever needs fonts earlier waits inside fontconfig for what is already under way.
  public static func begin() {
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
