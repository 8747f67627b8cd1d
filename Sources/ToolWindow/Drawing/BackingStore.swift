internal import CPangoCairo
internal import CX11

/// The window's cairo surface and an off-screen surface on the server. A redraw is composed off-screen and shown by
/// one copy: nothing half-drawn is visible, and an exposure needs no drawing.
final class BackingStore {
  private let front: OpaquePointer
  private var back: OpaquePointer?
  private(set) var size: PixelSize

  init(display: OpaquePointer, window: CX11.Window, size: PixelSize) {
    let visual = XDefaultVisual(display, XDefaultScreen(display))
    // cairo never returns null: on failure the surface is in an error state, and drawing does nothing.
    guard
      let front = cairo_xlib_surface_create(
        display, window, visual, Int32(clamping: size.width), Int32(clamping: size.height))
    else { preconditionFailure("cairo_xlib_surface_create returns no null") }
    self.front = front
    self.size = size
  }

  /// Frees the surfaces. Not called from a `deinit`, because it must not be called after the connection is lost.
  func destroy() {
    dropPicture()
    cairo_surface_destroy(front)
  }

  /// Adopts the window's new size.
  func resize(to size: PixelSize) {
    guard size != self.size else { return }
    self.size = size
    cairo_xlib_surface_set_size(front, Int32(clamping: size.width), Int32(clamping: size.height))
    dropPicture()
  }

  /// Copies the off-screen surface to the window; redraws it first if `redraw` is set or it does not exist yet.
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
