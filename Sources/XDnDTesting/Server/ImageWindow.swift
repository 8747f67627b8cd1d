import XDnD

/// The window of a client's drag image, as it is on the screen.
struct ImageWindow {
  struct Image: Equatable {
    var bitmap: Bitmap
    var origin: Point
  }

  /// What is dragged; `nil` while the window is not mapped.
  private(set) var image: Image?
  /// Where its upper-left corner has been.
  private(set) var places: [Point] = []

  mutating func show(_ bitmap: Bitmap, at origin: Point) {
    image = Image(bitmap: bitmap, origin: origin)
    places.append(origin)
  }

  /// Moves the image, if there is one.
  mutating func move(to origin: Point) {
    guard image != nil else { return }
    image?.origin = origin
    places.append(origin)
  }

  mutating func hide() { image = nil }
}
