internal import CPangoCairo

/// Proof that gdk-pixbuf is loaded; functions that call it take this value. The library is loaded at the first icon
/// lookup, because loading its dependencies before the window is mapped would cost more than 2 ms.
struct PixbufLibrary: Sendable {
  /// `nil` if gdk-pixbuf is not installed. The tools then show neither thumbnails nor theme icons.
  static let shared = XDnDLoadPixbuf() == 0 ? nil : PixbufLibrary()

  private init() {}
}
