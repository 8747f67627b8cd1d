/// A key that steers a drag, whatever it is called on this keyboard.
enum DragKey: Hashable, Sendable {
  /// A step in a direction, each part -1, 0 or 1. With Alt it is a large one.
  case arrow(dx: Int, dy: Int, isLarge: Bool)
  /// Tab: on to the next window that takes drops.
  case nextTarget
  /// Tab with Shift: back to the one before.
  case previousTarget
  /// Return, Enter or the space bar.
  case drop
  /// Escape.
  case cancel
}

/// How the pointer is to be moved by somebody else than the user's hand.
enum PointerMove: Hashable, Sendable {
  /// From where the server has it, as far as the screen goes.
  case by(dx: Int, dy: Int)
  /// To a place in root coordinates.
  case to(Point)
}

/// A window that takes drops, and a place in root coordinates where the pointer would be over it.
struct DropPlace: Hashable, Sendable {
  var target: DropTarget
  var point: Point
}
