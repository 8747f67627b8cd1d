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
    let id = reactor.offers.nextID()
    let (content, promises) = content(of: items, of: id)
    let offer = SourceMachine.Offer(
      source: reactor.system.dragWindow, types: content.types.map(\.atomName), operations: content.operations,
      promised: content.promisedTypes, policy: policy, button: button, time: time, scale: reactor.system.settings.scale)
    let session = DragSession(
      id: id, items: items, content: content, preview: preview ?? automaticPreview(of: items), delegate: delegate,
      owner: self)
    session.container = container
    session.hasAutomaticPreview = preview == nil
    promises?.session = session
    session.promises = promises
    dragSessions[id] = session
    let appearance = appearance(of: session)
    reactor.perform { $0.drags.begin(id, offer, content.driverContent, from: container, appearance: appearance) }
    return session
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
}
