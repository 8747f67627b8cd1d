internal import XDnDLoadedLibraries
internal import XDnDX11

/// The window's content, in an off-screen surface on the server. It is redrawn when the content has changed, and copied
/// to the window on exposure: no half-drawn content is visible, and an exposure alone needs no drawing.
final class BackingStore {
  private let display: OpaquePointer
  private let window: XDnDX11.Window
  private var size: PixelSize
  /// The window's surface. Created at the first drawing: cairo makes about a dozen round trips for it, which must not
  /// delay mapping the window.
  private var front: OpaquePointer?
  private var back: OpaquePointer?
  /// Whether the window is mapped; otherwise nothing is drawn.
  var isMapped = false
  private var isDirty = true
  private var isExposeUnderway = false
  /// Whether the window has been drawn at least once.
  private var isShown = false

  init(_ display: OpaquePointer, window: XDnDX11.Window, size: PixelSize) {
    self.display = display
    self.window = window
    self.size = size
  }

  /// Frees the surfaces. Not called from a `deinit`, because it must not be called after the connection is lost.
  func destroy() {
    dropBack()
    if let front { cairo_surface_destroy(front) }
    front = nil
  }

  /// Schedules a redraw by sending the window a synthetic `Expose` event. This needs no support from the event loop
  /// and coalesces many changes into one drawing.
  func invalidate() {
    isDirty = true
    guard isMapped, !isExposeUnderway else { return }
    isExposeUnderway = true
    var event = XEvent()
    event.xexpose.type = Expose
    event.xexpose.window = window
    XSendEvent(display, window, 0, NoEventMask, &event)
    XFlush(display)
  }

  func resize(to size: PixelSize) {
    self.size = size
    if let front {
      cairo_xlib_surface_set_size(front, Int32(clamping: size.width), Int32(clamping: size.height))
      dropBack()
    }
    invalidate()
  }

  /// Shows the content of an exposed window.
  ///
  /// - Parameter draw: Draws the content. The first frame need not be complete: the next one follows at once.
  /// - Returns: Whether a complete frame was drawn.
  func expose(_ event: XExposeEvent, draw: (_ cairo: OpaquePointer, _ isFirstFrame: Bool) -> Void) -> Bool {
    if event.send_event != 0 { isExposeUnderway = false }
    guard event.count == 0 else { return false }
    // cairo never returns null: on failure the surface is in an error state, and drawing does nothing.
    let front =
      self.front
      ?? cairo_xlib_surface_create(
        display, window, XDefaultVisual(display, XDefaultScreen(display)), Int32(clamping: size.width),
        Int32(clamping: size.height))
    self.front = front
    let isDrawn = isDirty || back == nil
    if isDrawn {
      back =
        back
        ?? cairo_surface_create_similar(
          front, CAIRO_CONTENT_COLOR, Int32(clamping: size.width), Int32(clamping: size.height))
      let cairo = cairo_create(back)
      if let cairo { draw(cairo, !isShown) }
      cairo_destroy(cairo)
    }
    let cairo = cairo_create(front)
    cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE)
    cairo_set_source_surface(cairo, back, 0, 0)
    cairo_paint(cairo)
    cairo_destroy(cairo)
    cairo_surface_flush(front)
    isDirty = false
    XFlush(display)
    guard isDrawn, !isShown else { return isDrawn }
    isShown = true
    invalidate()
    return false
  }

  private func dropBack() {
    if let back { cairo_surface_destroy(back) }
    back = nil
  }
}
