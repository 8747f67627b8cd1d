import XDnD

/// The drag image of a client, as the server has it.
extension FakeClient {
  struct Image: Equatable {
    var bitmap: Bitmap
    var origin: Point
  }

  func showImage(_ bitmap: Bitmap, at origin: Point) {
    guard !isClosed else { return }
    if bitmap.isEmpty { server.impossible("\(self) shows an image without pixels") }
    image = Image(bitmap: bitmap, origin: origin)
    imagePlaces.append(origin)
  }

  func moveImage(to origin: Point) {
    guard !isClosed, image != nil else { return }
    image?.origin = origin
    imagePlaces.append(origin)
  }

  func hideImage() { image = nil }

  /// The window, if its middle is not covered. Children do not count: they are part of what one sees of it.
  func visiblePlace(of part: WindowPart) -> Rect? {
    guard !isClosed, let found = server.windows[part.window], found.isMapped else { return nil }
    let place = part.frame.moved(by: found.frame.origin)
    return server.topLevel(at: place.middle, for: self) == part.window ? place : nil
  }

  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture? {
    guard !isClosed, let frame = server.windows[window]?.frame, !frame.isEmpty else { return nil }
    let part = area ?? Rect(x: 0, y: 0, width: frame.width, height: frame.height)
    let place = part.moved(by: frame.origin)
    let pixels = Array(repeating: 0xFF00_00FF as UInt32, count: part.width * part.height)
    return Bitmap(width: part.width, height: part.height, pixels: pixels).map {
      WindowPicture(bitmap: $0, part: part, place: place)
    }
  }
}
