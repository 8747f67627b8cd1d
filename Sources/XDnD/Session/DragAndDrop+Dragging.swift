extension DragAndDrop {
  /// Begins a drag: takes `XdndSelection`, grabs pointer and keyboard, and follows the pointer until the button goes up.
  ///
  /// Returns at once. What goes wrong is the drag's outcome.
  ///
  /// - Parameters:
  ///   - items: What is dragged, in order. On the wire they are one: files are one list, texts one text; what cannot be
  ///     joined is there only if one item has it.
  ///   - preview: What the user sees at the pointer; `nil` for the images of the items, and where an item has none, one
  ///     that the library draws.
  ///   - button: The button that is held, and ends the drag when it is let go; `nil` if none is, as in a drag that a key
  ///     or a menu begins: then a click of button 1 drops, and one of button 3 cancels. With either, arrow keys move the
  ///     pointer, Tab goes to the next window that accepts, Return and the space bar drop, and Escape cancels.
  ///   - time: The time of the press, from its event; never `CurrentTime`.
  ///   - container: What it is dragged out of, so that a drop in the same place is known as one.
  ///   - policy: Which operation is the default where.
  ///   - delegate: Not retained.
  @discardableResult
  public func beginDrag(
    _ items: [DragItem], preview: DragPreview? = nil, button: PointerButton? = .primary, at time: Timestamp,
    from container: DragContainer? = nil, policy: OperationPolicy = .standard, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    let id = reactor.nextDragID()
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
    reactor.beginDrag(
      id, offer, served: content.unlistedTypes.map(\.atomName), descriptions: content.operationDescriptions,
      directSave: content.directSave, byteCount: content.byteCount, from: container, appearance: appearance(of: session)
    )
    return session
  }

  /// Begins a drag of one item.
  @discardableResult
  public func beginDrag(
    _ item: DragItem, preview: DragPreview? = nil, button: PointerButton? = .primary, at time: Timestamp,
    from container: DragContainer? = nil, policy: OperationPolicy = .standard, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    beginDrag(
      [item], preview: preview, button: button, at: time, from: container, policy: policy, delegate: delegate)
  }
}
