internal import CPangoCairo
internal import CX11

/// The pixels of a window, and a picture of them on the server: a redraw is composed there and shown by one copy, so
/// nothing half-drawn is ever seen and an exposure costs no drawing.
final class BackingStore {
  private let front: OpaquePointer
  private var back: OpaquePointer?
  private(set) var size: PixelSize

  init(display: OpaquePointer, window: CX11.Window, size: PixelSize) {
    let visual = XDefaultVisual(display, XDefaultScreen(display))
    // A null pointer is never returned: surfaces that cannot be made are in an error state, and drawing does nothing.
    guard
      let front = cairo_xlib_surface_create(
        display, window, visual, Int32(clamping: size.width), Int32(clamping: size.height))
    else { preconditionFailure("cairo_xlib_surface_create returns no null") }
    self.front = front
    self.size = size
  }

  /// Gives the server's picture back. Not called from a `deinit`, since with a lost server it must not be called.
  func destroy() {
    dropPicture()
    cairo_surface_destroy(front)
  }

  /// Follows the window.
  func resize(to size: PixelSize) {
    guard size != self.size else { return }
    self.size = size
    cairo_xlib_surface_set_size(front, Int32(clamping: size.width), Int32(clamping: size.height))
    dropPicture()
  }

  /// Copies the picture to the window, drawing it first if `redraw` is set or there is none.
  func show(redraw: Bool, draw: (OpaquePointer) -> Void) {
    if redraw || back == nil {
      let picture =
        back
        ?? cairo_surface_create_similar(
          front, CAIRO_CONTENT_COLOR, Int32(clamping: size.width), Int32(clamping: size.height))
      back = picture
      let cairo = cairo_create(picture)
      if let cairo {
        draw(cairo)
      }
      cairo_destroy(cairo)
    }
    let cairo = cairo_create(front)
    cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE)
    cairo_set_source_surface(cairo, back, 0, 0)
    cairo_paint(cairo)
    cairo_destroy(cairo)
    cairo_surface_flush(front)
  }

  private func dropPicture() {
    if let back {
      cairo_surface_destroy(back)
    }
    back = nil
  }
}
