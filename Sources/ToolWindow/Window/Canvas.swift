internal import CX11

/// Draws into the window when it is exposed, from a backing store that is redrawn when the content has changed.
final class Canvas {
  private let display: OpaquePointer
  private let window: CX11.Window
  private var size: PixelSize
  /// Created at the first drawing: cairo makes about a dozen round trips for it, which must not delay mapping the
  /// window.
  private var store: BackingStore?
  /// Whether the window is mapped. While it is not, nothing is drawn.
  private(set) var isMapped = false
  /// Whether the backing store is out of date.
  private var isDirty = true
  private var isExposeUnderway = false
  /// Whether the window has been drawn at least once.
  private var isShown = false

  init(_ display: OpaquePointer, window: CX11.Window, size: PixelSize) {
    self.display = display
    self.window = window
    self.size = size
  }

  /// Frees cairo's resources. Not called from a `deinit`, because it must not be called after the connection is lost.
  func destroy() { store?.destroy() }

  /// Records that the window was mapped or unmapped.
  func note(isMapped: Bool) { self.isMapped = isMapped }

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

  /// Adopts the window's new size.
  func resize(to size: PixelSize) {
    self.size = size
    store?.resize(to: size)
    invalidate()
  }

  /// Shows the content of an exposed window.
  ///
  /// - Parameter paint: Draws the content. `isHasty` is set for the first frame, which need not be complete: the next
  ///   one follows at once.
  /// - Returns: Whether a complete frame was drawn.
  func expose(_ event: XExposeEvent, paint: (_ cairo: OpaquePointer, _ isHasty: Bool) -> Void) -> Bool {
    if event.send_event != 0 { isExposeUnderway = false }
    guard event.count == 0 else { return false }
    let store = self.store ?? BackingStore(display: display, window: window, size: size)
    self.store = store
    var isDrawn = false
    store.show(redraw: isDirty) { cairo in
      isDrawn = true
      paint(cairo, !isShown)
    }
    isDirty = false
    XFlush(display)
    guard isDrawn else { return false }
    guard isShown else {
      isShown = true
      invalidate()
      return false
    }
    return true
  }
}
