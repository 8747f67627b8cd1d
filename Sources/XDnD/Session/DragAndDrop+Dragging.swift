extension DragAndDrop {
  /// Begins a drag: acquires the selection `XdndSelection`, grabs the pointer and the keyboard, and follows the pointer
  /// until the button is released. The counterpart of `NSView.beginDraggingSession(with:event:source:)`.
  ///
  /// Returns immediately. Failures, such as a lost grab, are the drag's ``DragSession/outcome``.
  ///
  /// Keys work in every drag: the arrow keys move the pointer, Tab moves it to the next window that accepts the
  /// content, Return and Space drop, and Escape cancels.
  ///
  /// - Parameters:
  ///   - items: The dragged items, in order. They are merged into one XDND offer: see ``DragItem/init(joining:)``.
  ///   - preview: The drag image; `nil` for the images of the items, with a drawn one for each item without an image.
  ///   - button: The held button, whose release drops. `nil` if no button is held, as in a drag that a key or a menu
  ///     begins: then a click with button 1 drops, and a click with button 3 cancels.
  ///   - time: The timestamp of the press event, never `CurrentTime`.
  ///   - container: The container that the items are dragged from, so that a drop into the same container is
  ///     recognized.
  ///   - policy: Which operation is the default at which place.
  ///   - delegate: Not retained.
  /// - Returns: The drag. This object retains it until ``DragDelegate/dragReleased(_:)``.
  @discardableResult
  public func beginDrag(
    _ items: [DragItem], preview: DragPreview? = nil, button: PointerButton? = .primary, at time: Timestamp,
    from container: DragContainer? = nil, policy: OperationPolicy = .standard, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    drags.begin(
      items, preview: preview, button: button, at: time, from: container, policy: policy, delegate: delegate)
  }

  /// Begins a drag of one item. See the form for several items.
  @discardableResult
  public func beginDrag(
    _ item: DragItem, preview: DragPreview? = nil, button: PointerButton? = .primary, at time: Timestamp,
    from container: DragContainer? = nil, policy: OperationPolicy = .standard, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    beginDrag(
      [item], preview: preview, button: button, at: time, from: container, policy: policy, delegate: delegate)
  }

  /// Captures the current content of a window as a drag image, with its place on the screen as ``DragImage/origin``.
  ///
  /// - Parameters:
  ///   - window: A window of this program or another one. The image shows what is on the screen: it includes windows
  ///     above this one, and lacks the parts off the screen.
  ///   - area: The part to capture, in window-local device pixels; `nil` for the whole window.
  ///   - hotspot: The hot spot, in device pixels from the upper left corner of the area; `nil` for the position of the
  ///     pointer when the drag begins.
  /// - Returns: The image; `nil` if no part of the area is on the screen.
  public func image(ofWindow window: WindowID, area: Rect? = nil, hotspot: Point? = nil) -> DragImage? {
    guard let picture = reactor.system.picture(of: window, area) else { return nil }
    // The captured part may begin further right or further down than the area.
    let (start, part) = (area?.origin ?? Point(x: 0, y: 0), picture.part)
    let spot = hotspot.map { Point(x: $0.x + start.x - part.origin.x, y: $0.y + start.y - part.origin.y) }
    return DragImage(picture.bitmap, hotspot: spot, origin: picture.place)
  }
}
