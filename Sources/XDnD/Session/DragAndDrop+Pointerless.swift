extension DragAndDrop {
  /// Whether ``drop(_:on:at:along:asking:delegate:)`` would find something that takes drops.
  package func takesDrops(_ window: WindowID, at point: Point?) -> Bool {
    reactor.system.dropTarget(for: window, at: point) != nil
  }

  /// Drops on a given window, without a pointer: for scripts, for tests, and for programs that know where something goes.
  ///
  /// The whole protocol is gone through, as with a hand: the target hears of the drag, answers to each position, and
  /// fetches what it wants after the drop. But nothing is grabbed, nothing moves, nothing is shown, and the keyboard stays
  /// where it is. The window may be covered by others.
  ///
  /// Returns at once. What goes wrong is the outcome: ``DragOutcome/noTarget`` if there is no such window or none that takes
  /// drops, ``DragOutcome/refused`` if it does not want the content at the last place, ``DragOutcome/timedOut`` if it is
  /// silent, ``DragOutcome/targetVanished`` if it goes away. A drag of the user's that is under way ends.
  ///
  /// - Parameters:
  ///   - items: What is dropped, in order, joined as in any drag.
  ///   - window: What to drop on. If it takes no drops itself, what is inside of it at the place of the drop is tried, and
  ///     then what it is inside of: so a window that a program shows inside another one will do, and so will the frame of
  ///     a window manager.
  ///   - point: Where to drop, in the window's coordinates; `nil` for its middle.
  ///   - path: Where to be before, in the window's coordinates. Each place waits for the answer to the one before.
  ///   - operation: What to ask for; `nil` for the first that the items offer. One that they do not offer is not asked for.
  ///   - delegate: Not retained.
  @discardableResult
  public func drop(
    _ items: [DragItem], on window: WindowID, at point: Point? = nil, along path: [Point] = [],
    asking operation: DragOperation? = nil, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    let id = reactor.nextDragID()
    let (content, promises) = content(of: items, of: id)
    let asked = content.operations.filter { $0 == operation }
    let offer = SourceMachine.Offer(
      source: reactor.system.dragWindow, types: content.types.map(\.atomName),
      operations: asked + content.operations.filter { $0 != operation }, promised: content.promisedTypes,
      button: .primary, time: serverTime)
    let session = DragSession(
      id: id, items: items, content: content, preview: DragPreview(images: []), delegate: delegate, owner: self)
    promises?.session = session
    session.promises = promises
    dragSessions[id] = session
    reactor.drop(
      id, offer, on: window, at: point, along: path, served: content.unlistedTypes.map(\.atomName),
      descriptions: content.operationDescriptions, directSave: content.directSave, byteCount: content.byteCount)
    return session
  }
}
