extension DragAndDrop {
  /// Begins a drag: acquires the selection `XdndSelection`, grabs the pointer and the keyboard, and follows the pointer
  /// until the button is released. The counterpart of `NSView.beginDraggingSession(with:event:source:)`.
  ///
  /// Returns immediately: the drag begins when the server has granted the selection and the grab, see
  /// ``DragDelegate/dragBegan(_:)``. A failure, such as a lost grab, is the drag's ``DragSession/outcome``. If the
  /// press has given this connection a grab, it is released; for a grab of another connection, see
  /// ``DragDelegate/dragNeedsGrab(_:)``. Until the drag begins, the host's windows receive input as before; if the
  /// button is released meanwhile, the drop is at that position.
  ///
  /// Return and Space drop, and Escape cancels. Unless a finger drags, the arrow keys move the pointer, and Tab moves
  /// it to the next window that accepts the content.
  ///
  /// - Parameters:
  ///   - items: The dragged items, in order. They are merged into one XDND offer: see ``DragItem/init(joining:)``.
  ///   - preview: The drag image; `nil` for the images of the items, with a drawn one for each item without an image.
  ///   - button: The held button, whose release drops. `nil` if no button is held, as in a drag that a key or a menu
  ///     begins: then a click with button 1 drops, and a click with button 3 cancels.
  ///   - device: The device of the press, as the host's events name it. The drag follows this device alone, also on a
  ///     server with several pointers.
  ///   - time: The timestamp of the press event. ``Timestamp/currentTime`` for the server's time now, which takes a round
  ///     trip.
  ///   - container: The container that the items are dragged from, so that a drop into the same container is
  ///     recognized.
  ///   - policy: The default operations within the container, within the program, and for other programs.
  ///   - delegate: Not retained.
  /// - Returns: The drag. This object retains it until ``DragDelegate/dragReleased(_:)``.
  @discardableResult
  public func beginDrag(
    _ items: [DragItem], preview: DragPreview? = nil, button: PointerButton? = .primary,
    of device: InputDevice = .core, at time: Timestamp, from container: DragContainer? = nil,
    policy: OperationPolicy = .standard, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    context.beginDrag(
      items, preview: preview, button: button, of: device, at: time, from: container, policy: policy,
      delegate: delegate)
  }

  /// Begins a drag of one item. See the method for several items.
  @discardableResult
  public func beginDrag(
    _ item: DragItem, preview: DragPreview? = nil, button: PointerButton? = .primary,
    of device: InputDevice = .core, at time: Timestamp, from container: DragContainer? = nil,
    policy: OperationPolicy = .standard, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    beginDrag(
      [item], preview: preview, button: button, of: device, at: time, from: container, policy: policy,
      delegate: delegate)
  }

  /// Captures the current content of a window as a drag image, with its place on the screen as ``DragImage/origin``.
  ///
  /// - Parameters:
  ///   - window: A window of this program or another one. The image is taken from the screen: it includes windows above
  ///     this one, and lacks the parts off the screen.
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

  // MARK: Without the pointer

  /// Whether ``drop(_:on:at:along:asking:delegate:)`` would find a drop target.
  package func takesDrops(_ window: WindowID, at point: Point?) -> Bool {
    reactor.system.dropTarget(for: window, at: point) != nil
  }

  /// Drops items on a given window without using the pointer: for scripts, for tests, and for programs that know the
  /// target.
  ///
  /// The protocol is the same as with a pointer: the target receives the drag, answers each position, and loads content
  /// after the drop. Nothing is grabbed, the pointer and the keyboard focus stay where they are, and no image is shown.
  /// The window may be covered by others.
  ///
  /// Returns immediately. Failures are the drag's ``DragSession/outcome``:
  ///
  /// - ``DragOutcome/noTarget`` if there is no such window, or it accepts no drops;
  /// - ``DragOutcome/refused`` if the target refuses the content at the last position;
  /// - ``DragOutcome/timedOut`` if the target does not answer;
  /// - ``DragOutcome/targetVanished`` if the target's window is destroyed.
  ///
  /// The call ends the user's current drag.
  ///
  /// - Parameters:
  ///   - items: The items, in order. They are merged into one XDND offer: see ``DragItem/init(joining:)``.
  ///   - window: The window to drop on. If it is not a drop target itself, its descendants at the position are tried, and
  ///     then its ancestors. It may be a window that is embedded in another one, or the frame of a window manager.
  ///   - point: The position of the drop, in window-local device pixels; `nil` for the middle of the window.
  ///   - path: Positions to visit first, in window-local device pixels. Each is sent after the answer to the previous
  ///     one.
  ///   - operation: The requested operation; `nil` for the first that the items permit. An operation that they do not
  ///     permit is ignored.
  ///   - delegate: Not retained.
  @discardableResult
  public func drop(
    _ items: [DragItem], on window: WindowID, at point: Point? = nil, along path: [Point] = [],
    asking operation: DragOperation? = nil, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    context.drop(items, on: window, at: point, along: path, asking: operation, delegate: delegate)
  }
}
