extension DragSession {
  /// Whether `add(_:)` has an effect: the drag has been neither dropped nor ended.
  public var takesItems: Bool { outcome == nil && (owner?.reactor.drags.takesChanges(id) ?? false) }

  /// Adds items to the drag while it is under way. The counterpart of the `UIDragInteractionDelegate` method
  /// `dragInteraction(_:itemsForAddingTo:withTouchAt:)`.
  ///
  /// The offer is replaced by that of all items, and the default ``preview`` and its badge are updated. A preview that
  /// the application has set stays. XDND fixes the types between `XdndEnter` and `XdndLeave`, so the target under the
  /// pointer receives a leave and a new enter.
  ///
  /// - Returns: Whether the items were added. After the button is released, none can be added.
  @discardableResult
  public func add(_ items: [DragItem]) -> Bool {
    guard takesItems, let owner else { return false }
    owner.replaceItems(of: self, with: self.items + items)
    return true
  }

  /// Adds one item to the drag while it is under way.
  @discardableResult
  public func add(_ item: DragItem) -> Bool { add([item]) }
}

extension DragAndDrop {
  /// Returns the XDND offer of all items, and the writer of their promised files.
  func content(of items: [DragItem], of drag: DragID) -> (DragItem, DragPromises?) {
    var content = DragItem(joining: items)
    let promises = DragPromises(content.filePromises, of: drag, owner: self)
    content.offerFiles(of: promises)
    return (content, promises)
  }

  func replaceItems(of session: DragSession, with items: [DragItem]) {
    let (content, promises) = content(of: items, of: session.id)
    promises?.session = session
    // Replacing the promises also removes the files that were made for the old list.
    session.promises = promises
    session.items = items
    session.content = content
    reactor.perform {
      $0.drags.change(
        session.id, types: content.types.map(\.atomName), operations: content.operations,
        promised: content.promisedTypes, content.driverContent)
    }
    if session.hasAutomaticPreview { session.preview = automaticPreview(of: items) }
  }
}
