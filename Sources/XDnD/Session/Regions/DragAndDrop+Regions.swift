extension DragAndDrop {
  /// Makes parts of a window take drops, open and scroll.
  ///
  /// Takes the place of whatever the window was registered with before.
  ///
  /// - Parameters:
  ///   - window: A top-level window of this connection. Register it before it is mapped: some sources look only once.
  ///   - offer: What the rest of the window takes; nothing by default.
  ///   - delegate: Has the drag where no region takes it, and hears of each visit of the window as a whole, which is
  ///     once, however many regions it goes through. Not retained.
  ///   - regions: The lowest first; retained.
  public func registerDropTarget(
    _ window: WindowID, accepting offer: DropOffer = DropOffer([]), delegate: (any DropDelegate)? = nil,
    regions: [DropRegion]
  ) {
    var offer = offer
    offer.database = configuration.typeDatabase
    let hub = DropRegions(regions, offer: offer, delegate: delegate, owner: self)
    let old = dropTargets.updateValue(Registration(delegate: hub, offer: offer, regions: hub), forKey: window)
    old?.regions?.end()
    reactor.register(window, accepting: offer)
  }

  /// Has a closure take what is dropped on a window, or on a part of it, above the regions that it has already.
  ///
  /// - Parameters:
  ///   - types: What can be used, best first.
  ///   - operations: What can be done, preferred ones first.
  ///   - window: As for ``registerDropTarget(_:accepting:delegate:)``; a delegate of its own keeps the rest.
  ///   - frame: In pixels of the window; `nil` is all of it.
  ///   - isTargeted: Told when a drop would be taken there, and when no longer.
  ///   - perform: Loads what is needed, and calls ``DropSession/finish(_:)`` or ``DropSession/reject()``.
  /// - Returns: The region, for everything else that it can do, and for ``removeDropRegion(_:from:)``.
  @discardableResult
  public func onDrop(
    of types: [ContentType], operations: [DragOperation] = [.copy], in window: WindowID, frame: Rect? = nil,
    isTargeted: ((Bool) -> Void)? = nil, perform: @escaping (DropSession) -> Void
  ) -> DropRegion {
    let region = DropRegion(frame: frame, accepting: DropOffer(types, operations: operations))
    region.onTargeted = isTargeted
    region.onDrop = perform
    add(region, to: window)
    return region
  }

  /// Has a delegate take what is dropped on a window, or on a part of it, above the regions that it has already.
  ///
  /// - Parameters:
  ///   - types: What can be used, best first.
  ///   - operations: What can be done, preferred ones first.
  ///   - window: As for ``registerDropTarget(_:accepting:delegate:)``; a delegate of its own keeps the rest.
  ///   - frame: In pixels of the window; `nil` is all of it.
  ///   - delegate: Not retained.
  /// - Returns: The region, for everything else that it can do, and for ``removeDropRegion(_:from:)``.
  @discardableResult
  public func onDrop(
    of types: [ContentType], operations: [DragOperation] = [.copy], in window: WindowID, frame: Rect? = nil,
    delegate: any DropDelegate
  ) -> DropRegion {
    let region = DropRegion(frame: frame, accepting: DropOffer(types, operations: operations), delegate: delegate)
    add(region, to: window)
    return region
  }

  /// Takes a region away from a window. A window with no other region and no delegate takes no more drops.
  public func removeDropRegion(_ region: DropRegion, from window: WindowID) {
    guard let hub = dropTargets[window]?.regions, hub.regions.contains(where: { $0 === region }) else { return }
    let rest = hub.regions.filter { $0 !== region }
    if rest.isEmpty, hub.delegate == nil {
      unregisterDropTarget(window)
    } else {
      registerDropTarget(window, accepting: hub.offer, delegate: hub.delegate, regions: rest)
    }
  }

  private func add(_ region: DropRegion, to window: WindowID) {
    let known = reactor.targets[window].flatMap { _ in dropTargets[window] }
    if let hub = known?.regions {
      hub.regions.append(region)
    } else {
      registerDropTarget(
        window, accepting: known?.offer ?? DropOffer([]), delegate: known?.delegate, regions: [region])
    }
  }
}
