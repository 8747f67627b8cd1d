internal import XDnDLoadedLibraries

/// Loads fontconfig's configuration and caches ahead of the first use of a font.
package enum FontPreparation {
  /// Starts loading on a separate thread and returns at once; later calls do nothing. Code that needs fonts earlier
  /// waits inside fontconfig for the load in progress.
  ///
  /// Call it as soon as a window is likely to be shown; ``ToolWindow/show()`` calls it at the latest.
  package static func begin() { _ = isStarted }

  /// `false` if there is no thread: the fonts are then loaded on first use. The main thread is creating the window with
  /// requests to the server meanwhile; on two processors the server would otherwise wait for this thread's time slice.
  private static let isStarted = startBackgroundThread(niceness: 5) { FcInit() }
}
