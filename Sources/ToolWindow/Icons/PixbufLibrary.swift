internal import CPangoCairo

/// Proof that gdk-pixbuf is loaded, which its functions need. It is loaded when the first icon is looked for: its dependencies
/// would take more than two milliseconds before the window is mapped.
struct PixbufLibrary: Sendable {
  /// `nil` if gdk-pixbuf is not installed; then the tools show no thumbnails and no icons of the theme.
  static let shared = XDnDLoadPixbuf() == 0 ? nil : PixbufLibrary()

  private init() {}
}
