/// The picture of one dragged item.
public struct DragImage: Hashable, Sendable {
  /// What it looks like, in device pixels.
  public var bitmap: Bitmap
  /// Where the pointer holds it, in pixels from its upper left corner.
  ///
  /// `nil` is where the pointer is when the drag begins, if the picture lies under it then (see ``origin``), else the middle.
  public var hotspot: Point?
  /// Where the item lies on the screen when the drag begins, in root coordinates and pixels; `nil` if it is not visible.
  ///
  /// The picture flies from there into the formation, and back if the drag fails.
  public var origin: Rect?

  /// A picture that is held at `hotspot` and comes from `origin`.
  public init(_ bitmap: Bitmap, hotspot: Point? = nil, origin: Rect? = nil) {
    self.bitmap = bitmap
    self.hotspot = hotspot
    self.origin = origin
  }
}
