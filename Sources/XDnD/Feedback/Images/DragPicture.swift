/// The drawn drag image and its position.
struct DragPicture: Hashable, Sendable {
  var bitmap: Bitmap
  /// The offset of the upper-left corner from the pointer, or from where the items were dropped, in pixels.
  var offset: Point
}
