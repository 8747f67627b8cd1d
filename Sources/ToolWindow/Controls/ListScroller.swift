/// The list's scroll position, which the wheel, keys and the scroll bar change.
struct ListScroller: Equatable {
  /// How far the list is scrolled down, in logical pixels. ``SceneLayout`` limits it to the content, which may have
  /// shrunk since.
  private(set) var offset = 0.0
  /// The distance from the top of the thumb to the pointer that drags it; `nil` if it is not dragged.
  private var grip: Double?

  var isDragging: Bool { grip != nil }

  /// - Parameter layout: The current layout, with this scroller's offset.
  mutating func scroll(to offset: Double, in layout: SceneLayout) { self.offset = layout.limited(offset) }

  /// Scrolls down by a distance, or up by a negative one.
  mutating func scroll(by distance: Double, in layout: SceneLayout) {
    scroll(to: layout.scrollOffset + distance, in: layout)
  }

  /// Scrolls with the arrow keys, Page Up, Page Down, Home and End; returns whether the key was one of these.
  mutating func type(_ key: KeyEvent, in layout: SceneLayout) -> Bool {
    switch key.key {
    case .up: scroll(by: -layout.rowHeight, in: layout)
    case .down: scroll(by: layout.rowHeight, in: layout)
    case .pageUp: scroll(by: -layout.page, in: layout)
    case .pageDown: scroll(by: layout.page, in: layout)
    case .home: scroll(by: -layout.contentHeight, in: layout)
    case .end: scroll(by: layout.contentHeight, in: layout)
    default: return false
    }
    return true
  }

  /// Scrolls with a press of the wheel; returns whether the button belongs to one.
  mutating func press(wheel button: UInt32, in layout: SceneLayout) -> Bool {
    switch button {
    case WheelButtons.up: scroll(by: -layout.rowHeight, in: layout)
    case WheelButtons.down: scroll(by: layout.rowHeight, in: layout)
    default: return WheelButtons.contains(button)
    }
    return true
  }

  /// Handles a press of the primary button; returns whether it was on the scroll bar. The thumb follows the pointer;
  /// a press beside it scrolls by a page.
  mutating func press(at point: LogicalPoint, in layout: SceneLayout) -> Bool {
    guard layout.scrollTrack?.contains(point) == true, let thumb = layout.scrollThumb else { return false }
    if point.y >= thumb.y, point.y < thumb.maxY {
      grip = point.y - thumb.y
    } else {
      grip = thumb.height / 2
      scroll(by: point.y < thumb.y ? -layout.page : layout.page, in: layout)
    }
    return true
  }

  /// Handles motion with a button held; returns whether it drags the thumb.
  mutating func drag(toY y: Double, in layout: SceneLayout) -> Bool {
    guard let grip else { return false }
    scroll(to: layout.scrollOffset(thumbAt: y - grip), in: layout)
    return true
  }

  /// Handles a release of the primary button; returns whether it ended dragging the thumb.
  mutating func release() -> Bool {
    defer { grip = nil }
    return isDragging
  }
}
