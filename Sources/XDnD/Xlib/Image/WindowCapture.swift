import XDnDX11

/// Captures what windows show, as images of drags.
struct WindowCapture {
  let display: DisplayHandle
  let windows: WindowQueries

  /// See ``WindowSystem/picture(of:_:)``.
  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture? {
    guard let state = windows.state(of: window), state.isViewable, let origin = windows.origin(of: window),
      let visual = state.visual.flatMap({ WindowVisual($0, depth: state.depth) })
    else { return nil }
    // `XGetImage` fails with `BadMatch` if any part of the area is off the screen.
    let onScreen = windows.screen.moved(by: Point(x: -origin.x, y: -origin.y))
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
}
