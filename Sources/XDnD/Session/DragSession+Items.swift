extension DragSession {
  /// Whether `add(_:)` can still do something: the drag has not been dropped or ended.
  public var takesItems: Bool { outcome == nil && (owner?.reactor.canChangeOffer(of: id) ?? false) }

  /// Adds items to the drag while it is under way.
  ///
  /// What all items are together is offered from now on, and the badge counts them, unless the application has said what the
  /// drag looks like: then it replaces ``preview``. The protocol fixes the types from `XdndEnter` to `XdndLeave`, so the
  /// target under the pointer sees the drag leave and come back.
  ///
  /// - Returns: Whether there was still time: nothing can be added once the button is up.
  @discardableResult
  public func add(_ items: [DragItem]) -> Bool {
    guard takesItems, let owner else { return false }
    owner.replaceItems(of: self, with: self.items + items)
    return true
  }

  /// Adds an item to the drag while it is under way.
  @discardableResult
  public func add(_ item: DragItem) -> Bool { add([item]) }
}

extension DragAndDrop {
  /// All items as they are on the wire, and what has to write files for them.
  func content(of items: [DragItem], of drag: DragID) -> (DragItem, DragPromises?) {
    var content = DragItem(joining: items)
    let promises = DragPromises(content.filePromises, of: drag, owner: self)
    content.offerFiles(of: promises)
    return (content, promises)
  }

  func replaceItems(of session: DragSession, with items: [DragItem]) {
    let (content, promises) = content(of: items, of: session.id)
    promises?.session = session
    // What was made for the old list goes with it.
    session.promises = promises
    session.items = items
    session.content = content
    reactor.changeOffer(
      of: session.id, types: content.types.map(\.atomName), operations: content.operations,
      promised: content.promisedTypes, served: content.unlistedTypes.map(\.atomName),
      descriptions: content.operationDescriptions,
      directSave: content.directSave, byteCount: content.byteCount)
    if session.hasAutomaticPreview { session.preview = automaticPreview(of: items) }
  }
}
