/// Scrolling the list, and the rectangles of the parts that accept drops.
extension ToolWindow {
  /// Scrolls the list down by a number of device pixels; negative values scroll up.
  ///
  /// - Returns: Whether the list moved; at its end it does not.
  @discardableResult
  public func scroll(by pixels: Int) -> Bool {
    let before = layout.scrollOffset
    scroll(to: before + Double(pixels) / scale)
    return layout.scrollOffset != before
  }

  /// Scrolls the list with the arrow keys, Page Up, Page Down, Home and End.
  ///
  /// - Returns: Whether the key was one of these.
  @discardableResult
  public func scroll(with key: KeyEvent) -> Bool {
    let distance: Double
    switch key.keysym {
    case 0xFF52, 0xFF97: distance = -layout.rowHeight
    case 0xFF54, 0xFF99: distance = layout.rowHeight
    case 0xFF55, 0xFF9A: distance = -page
    case 0xFF56, 0xFF9B: distance = page
    case 0xFF50, 0xFF95: distance = -layout.contentHeight
    case 0xFF57, 0xFF9C: distance = layout.contentHeight
    default: return false
    }
    scroll(to: layout.scrollOffset + distance)
    return true
  }

  /// Handles a press; returns whether it was on the scroll bar. The thumb follows the pointer; a press beside the
  /// thumb scrolls by a page.
  func pressScrollbar(_ event: PointerEvent) -> Bool {
    let (place, layout) = (place(of: event), layout)
    guard event.button == 1, let track = layout.scrollTrack, track.contains(x: place.x, y: place.y),
      let thumb = layout.scrollThumb
    else { return false }
    if place.y >= thumb.y, place.y < thumb.maxY {
      hover.grip = place.y - thumb.y
    } else {
      hover.grip = thumb.height / 2
      scroll(to: layout.scrollOffset + (place.y < thumb.y ? -page : page))
    }
    return true
  }

  /// Handles motion; returns whether the thumb is being dragged.
  func moveScrollbar(_ event: PointerEvent) -> Bool {
    guard let grip = hover.grip, event.state & Self.anyButton != 0 else { return false }
    scroll(to: layout.scrollOffset(thumbAt: place(of: event).y - grip))
    return true
  }

  /// Handles a release; returns whether it ended dragging the thumb.
  func releaseScrollbar(_ event: PointerEvent) -> Bool {
    guard hover.grip != nil, event.button == 1 else { return false }
    hover.grip = nil
    return true
  }

  private var page: Double { max(layout.rowHeight, layout.list.height - layout.rowHeight) }

  /// How many rows a page scrolls by; at least one.
  public var rowsPerPage: Int { max(1, Int(page / layout.rowHeight)) }

  /// Scrolls to the first row.
  public func scrollToTop() { scroll(to: 0) }

  /// The height of a row in device pixels.
  public var rowHeight: Int { Int((layout.rowHeight * scale).rounded()) }

  /// The index of the first row that is at least partly visible; 0 if there is none.
  public var firstVisibleRow: Int { layout.visibleRows.lowerBound }

  /// Returns the rectangle of a part of the window in device pixels, window-local; the whole window if the scene has
  /// no such part.
  public func place(of part: Scene.Part) -> (origin: PixelPoint, size: PixelSize) {
    let box = layout.box(of: part)
    let (left, top) = ((box.x * scale).rounded(), (box.y * scale).rounded())
    return (
      PixelPoint(x: Int(left), y: Int(top)),
      PixelSize(
        width: Int((box.maxX * scale).rounded() - left), height: Int((box.maxY * scale).rounded() - top))
    )
  }
}
