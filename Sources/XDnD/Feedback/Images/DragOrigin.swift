/// The place of a dragged item: its image comes from there, and returns if the drag fails.
///
/// UIKit's counterpart is `UIDragPreviewTarget`.
public struct DragOrigin: Hashable, Sendable {
  /// The item's frame in device pixels, in the coordinates of ``window``.
  public var frame: Rect
  /// The window that contains the frame; `nil` for the root window, where any frame is taken to be visible.
  ///
  /// The position is looked up again when the drag ends. The image does not return to a window that has been closed,
  /// hidden or covered since.
  public var window: WindowID?

  /// Creates the place of an item in a window, or in root coordinates.
  public init(_ frame: Rect, in window: WindowID? = nil) {
    self.frame = frame
    self.window = window
  }
}
