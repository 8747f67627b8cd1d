import CX11

/// The drag image, window snapshots for it, and the places that it animates to.
extension XlibConnection {
  func showImage(_ bitmap: Bitmap, at origin: Point) {
    let old = image.window
    observeCompositor()
    image.show(bitmap, at: origin)
    guard let window = image.window, window != old else { return }
    imageWindows = [window] + imageWindows.prefix(3)
    locator.ignored = Set([dragWindow] + imageWindows)
  }

  var isComposited: Bool {
    observeCompositor()
    return image.isBlended
  }

  private func observeCompositor() {
    guard !observesCompositor else { return }
    observesCompositor = true
    // Subscribe first: a compositing manager that starts in between is then reported.
    selections.observeOwner(of: compositor, true)
    image.isBlended = selections.owner(of: compositor) != .none
  }

  func moveImage(to origin: Point) { image.move(to: origin) }

  func hideImage() { image.hide() }

  /// The selection that the compositing manager of this screen owns: `_NET_WM_CM_Sn` (EWMH).
  var compositor: AtomName {
    AtomName("_NET_WM_CM_S\(display.screen)")
  }

  /// Whether an event is about the drag image's window. The host must not see such events.
  ///
  /// Structure events begin with the window that they were selected on, then the window that they are about.
  func isAboutImage(_ event: UnsafePointer<XEvent>) -> Bool {
    switch event.pointee.type {
    case CreateNotify, DestroyNotify, UnmapNotify, MapNotify, ReparentNotify, ConfigureNotify, GravityNotify,
      CirculateNotify:
      return imageWindows.contains(WindowID(event.pointee.xdestroywindow.window))
    case GenericEvent, MappingNotify: return false
    default: return imageWindows.contains(WindowID(event.pointee.xany.window))
    }
  }

  func visiblePlace(of frame: Rect, in window: WindowID) -> Rect? {
    guard !frame.isEmpty, let origin = translate(.init(x: 0, y: 0), from: window),
      state(of: window)?.isViewable == true
    else { return nil }
    let place = frame.moved(by: origin)
    guard screen.contains(place.middle), locator.isUncovered(window, at: place.middle) else { return nil }
    return place
  }

  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture? {
    guard let state = state(of: window), state.isViewable, let origin = translate(.init(x: 0, y: 0), from: window),
      let visual = WindowVisual(state.visual, depth: state.depth)
    else { return nil }
    // `XGetImage` fails with `BadMatch` if any part of the area is off the screen.
    let onScreen = screen.moved(by: Point(x: -origin.x, y: -origin.y))
    let inside = Rect(x: 0, y: 0, width: state.width, height: state.height)
    let part = [area, inside].compactMap { $0 }.reduce(onScreen) { $0.intersection($1) }
    guard !part.isEmpty else { return nil }
    return display.roundTrip { x in
      let image = XGetImage(
        x, window.xid, Int32(part.origin.x), Int32(part.origin.y), UInt32(part.width), UInt32(part.height), UInt.max,
        ZPixmap)
      guard let image else { return nil }
      defer { _ = image.pointee.f.destroy_image(image) }
      return visual.bitmap(image).map {
        WindowPicture(bitmap: $0, part: part, place: part.moved(by: origin))
      }
    }
  }

  // MARK: Windows

  private struct WindowState {
    var isViewable: Bool
    var width: Int
    var height: Int
    var depth: Int
    var visual: UnsafeMutablePointer<Visual>
  }

  private func state(of window: WindowID) -> WindowState? {
    display.roundTrip { x in
      var attributes = XWindowAttributes()
      guard XGetWindowAttributes(x, window.xid, &attributes) != 0, let visual = attributes.visual else { return nil }
      return WindowState(
        isViewable: attributes.map_state == IsViewable, width: Int(attributes.width), height: Int(attributes.height),
        depth: Int(attributes.depth), visual: visual)
    }
  }

  private func translate(_ point: Point, from window: WindowID) -> Point? {
    display.roundTrip { x in
      var (xResult, yResult): (Int32, Int32) = (0, 0)
      var child: Window = 0
      let succeeded = XTranslateCoordinates(
        x, window.xid, display.root.xid, Int32(clamping: point.x), Int32(clamping: point.y), &xResult, &yResult, &child)
      return succeeded != 0 ? Point(x: Int(xResult), y: Int(yResult)) : nil
    }
  }

  /// The screen's current bounds. The size may have changed since the connection was opened without Xlib's knowledge.
  private var screen: Rect {
    state(of: display.root).map { Rect(x: 0, y: 0, width: $0.width, height: $0.height) }
      ?? Rect(x: 0, y: 0, width: 0, height: 0)
  }
}
