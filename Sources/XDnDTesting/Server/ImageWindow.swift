import XDnD

/// The window of a client's drag image, as it is on the screen.
struct ImageWindow {
  struct Image: Equatable {
    var bitmap: Bitmap
    var origin: Point
  }

  /// The drag image; `nil` while the window is not mapped.
  private(set) var image: Image?
  /// The past and present places of its upper-left corner.
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
