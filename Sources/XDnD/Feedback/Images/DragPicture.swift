/// What is on the screen during a drag: one picture, and where it lies.
struct DragPicture: Hashable, Sendable {
  var bitmap: Bitmap
  /// The way from the pointer (or from where the drag was dropped) to the upper left corner, in pixels.
  var offset: Point
}
