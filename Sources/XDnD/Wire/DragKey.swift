/// A key that controls a drag, independent of the keyboard layout.
package enum DragKey: Hashable, Sendable {
  /// A step in one direction; `dx` and `dy` are -1, 0 or 1. With Alt the step is large.
  case arrow(dx: Int, dy: Int, isLarge: Bool)
  /// Tab: the next drop target.
  case nextTarget
  /// Shift-Tab: the previous drop target.
  case previousTarget
  /// Return, Enter or the space bar.
  case drop
  case cancel
}

/// A motion of the pointer by the program.
package enum PointerMove: Hashable, Sendable {
  /// Relative to the pointer's current position, in pixels, limited to the screen.
  case by(dx: Int, dy: Int)
  /// Root coordinates.
  case to(Point)
}

/// A drop target, and a point in root coordinates at which the pointer is over it.
package struct DropPlace: Hashable, Sendable {
  package var target: DropTarget
  package var point: Point

  package init(target: DropTarget, point: Point) {
    self.target = target
    self.point = point
  }
}
