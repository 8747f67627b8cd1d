/// Scrolling the list, and the parts of the window that take drops.
extension ToolWindow {
  /// Scrolls the list down by so many device pixels, or up if they are negative.
  ///
  /// - Returns: Whether it has moved; at its end it does not.
  @discardableResult
  public func scroll(by pixels: Int) -> Bool {
    let before = layout.scrollOffset
    scroll(to: before + Double(pixels) / scale)
    return layout.scrollOffset != before
  }

  /// Scrolls the list as keys do that mean it.
  ///
  /// - Returns: Whether the key means that.
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

  /// Whether a press was for the scroll bar: its thumb follows, and beside it the list turns a page.
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

  /// Whether a motion scrolls.
  func moveScrollbar(_ event: PointerEvent) -> Bool {
    guard let grip = hover.grip, event.state & Self.anyButton != 0 else { return false }
    scroll(to: layout.scrollOffset(thumbAt: place(of: event).y - grip))
    return true
  }

  /// Whether a release was the end of that.
  func releaseScrollbar(_ event: PointerEvent) -> Bool {
    guard hover.grip != nil, event.button == 1 else { return false }
    hover.grip = nil
    return true
  }

  private var page: Double { max(layout.rowHeight, layout.list.height - layout.rowHeight) }

  /// How many rows are seen at once; at least one.
  public var rowsPerPage: Int { max(1, Int(page / layout.rowHeight)) }

  /// Shows the list from its beginning.
  public func scrollToTop() { scroll(to: 0) }

  /// How high a row is, in device pixels.
  public var rowHeight: Int { Int((layout.rowHeight * scale).rounded()) }

  /// The first row of which something is visible; 0 if there is none.
  public var firstVisibleRow: Int { layout.visibleRows.lowerBound }

  /// Where a part of the window is in it, in device pixels.
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
