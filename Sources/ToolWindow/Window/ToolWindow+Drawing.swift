internal import CX11

extension ToolWindow {
  var layout: SceneLayout {
    SceneLayout(
      scene, width: Double(size.width) / scale, height: Double(size.height) / scale, scrollOffset: scrollOffset)
  }

  /// Schedules a redraw by sending the window a synthetic `Expose` event. This needs no support from the event loop
  /// and coalesces many changes into one drawing.
  func invalidate() {
    isDirty = true
    guard let display, isMapped, !isExposeUnderway else { return }
    isExposeUnderway = true
    var event = XEvent()
    event.xexpose.type = Expose
    event.xexpose.window = window
    XSendEvent(display, window, 0, NoEventMask, &event)
    XFlush(display)
  }

  func expose(_ event: XExposeEvent) {
    if event.send_event != 0 {
      isExposeUnderway = false
    }
    guard let display, event.count == 0 else { return }
    let store = self.store ?? BackingStore(display: display, window: window, size: size)
    self.store = store
    var isDrawn = false
    store.show(redraw: isDirty) { cairo in
      isDrawn = true
      text?.isHasty = !isShown
      text?.prepare(for: cairo, scale: scale)
      revealCaret()
      ScenePainter(
        scene, layout: layout, barState: barState, hover: hover, fieldOffset: fieldOffset, scale: scale, text: text,
        icons: icons,
        cairo: cairo
      ).paint()
    }
    isDirty = false
    XFlush(display)
    guard isDrawn else { return }
    guard isShown else {
      // The first frame draws only text in the body font (`isHasty`); draw the rest at once.
      isShown = true
      return invalidate()
    }
    icons.search()
    if let onDrawn {
      self.onDrawn = nil
      onDrawn()
    }
  }

  func resize(to event: XConfigureEvent) {
    let size = PixelSize(width: Int(event.width), height: Int(event.height))
    guard size != self.size else { return }
    self.size = size
    store?.resize(to: size)
    invalidate()
    onResize?()
  }

  /// Sets the window background, which the server uses for newly exposed areas until they are drawn.
  func setBackground() {
    guard let display, let visual = XDefaultVisual(display, XDefaultScreen(display)) else { return }
    let color = Theme(scene.appearance).ground(of: scene)
    XSetWindowBackground(display, window, color.pixel(of: visual.pointee))
  }
}
