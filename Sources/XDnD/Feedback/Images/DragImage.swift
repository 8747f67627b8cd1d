/// The image of one dragged item.
///
/// The counterparts are UIKit's `UIDragPreview` and AppKit's `NSDraggingImageComponent`.
public struct DragImage: Hashable, Sendable {
  /// The image, in device pixels.
  public var bitmap: Bitmap
  /// The hot spot: where the pointer holds the image, in pixels from its upper-left corner.
  ///
  /// `nil` means the pointer's position in ``origin`` when the drag begins. If the pointer is outside or there is no
  /// origin, it means the center.
  public var hotspot: Point?
  /// The item's frame on the screen when the drag begins, in root coordinates in device pixels; `nil` if it is not
  /// visible.
  ///
  /// The image animates from there into the formation, and back if the drag fails. AppKit's counterpart is
  /// `NSDraggingItem.draggingFrame`.
  public var origin: Rect?

  /// Creates an image that is held at `hotspot` and comes from `origin`.
  public init(_ bitmap: Bitmap, hotspot: Point? = nil, origin: Rect? = nil) {
    self.bitmap = bitmap
    self.hotspot = hotspot
    self.origin = origin
  }
}
