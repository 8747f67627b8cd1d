/// Where something that is dragged lay: where its image comes from, and goes back to when nobody takes it.
public struct DragOrigin: Hashable, Sendable {
  /// Its frame in pixels, in the coordinates of ``window``.
  public var frame: Rect
  /// The window that it is in; `nil` for the root, whose places are taken to be visible always.
  ///
  /// When the drag ends the place is looked up anew. The image does not fly to a window that has been closed, hidden or
  /// covered meanwhile.
  public var window: WindowID?

  /// A frame in a window, or on the screen.
  public init(_ frame: Rect, in window: WindowID? = nil) {
    self.frame = frame
    self.window = window
  }
}
