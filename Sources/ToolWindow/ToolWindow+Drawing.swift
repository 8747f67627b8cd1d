internal import CX11

extension ToolWindow {
  var layout: SceneLayout {
    SceneLayout(
      scene, width: Double(size.width) / scale, height: Double(size.height) / scale, scrollOffset: scrollOffset)
  }

  /// Has the scene drawn again when the event loop gets to it: by an exposure that we send ourselves, which needs no
  /// help of the loop and makes one drawing out of many changes.
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
    // Now that there is something to see.
    guard isDrawn else { return }
    guard isShown else {
      // Names first, and at once the rest.
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

  /// Gives the server the color that it fills newly visible parts with until we have drawn.
  func setBackground() {
    guard let display, let visual = XDefaultVisual(display, XDefaultScreen(display)) else { return }
    let color = Theme(scene.appearance).ground(of: scene)
    XSetWindowBackground(display, window, color.pixel(of: visual.pointee))
  }
}
