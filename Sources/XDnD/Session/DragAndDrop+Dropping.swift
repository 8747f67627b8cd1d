extension DragAndDrop {
  /// Registers a window as a drop target that consists of regions, which can also spring open and scroll.
  ///
  /// It replaces an earlier registration of the window.
  ///
  /// - Parameters:
  ///   - window: A top-level window of this connection. Register it before it is mapped: some drag sources read
  ///     `XdndAware` only once.
  ///   - offer: What the rest of the window accepts; nothing by default.
  ///   - delegate: Handles drags where no region accepts the content. It also receives one
  ///     ``DropDelegate/dropEntered(_:)`` and ``DropDelegate/dropExited(_:_:)`` for each visit of the window as a
  ///     whole, however many regions it passes through. Not retained.
  ///   - regions: The regions, lowest first. Retained.
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

  /// Adds a region to a window, above the existing ones, and handles its drops with closures. The counterpart of
  /// SwiftUI's `onDrop(of:isTargeted:perform:)`.
  ///
  /// - Parameters:
  ///   - types: The accepted types, best first.
  ///   - operations: The supported operations, preferred ones first.
  ///   - window: A top-level window of this connection; see ``registerDropTarget(_:accepting:delegate:)``. A delegate
  ///     that is registered already keeps the rest of the window.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - isTargeted: Called with `true` when a drop would be accepted in the region, and with `false` when it no longer
  ///     would.
  ///   - perform: Called for a drop. It loads the content, and calls ``DropSession/finish(_:)`` or
  ///     ``DropSession/reject()``.
  /// - Returns: The region, for further configuration and for ``removeDropRegion(_:from:)``. The window's registration
  ///   retains it.
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

  /// Adds a region to a window, above the existing ones, and handles its drops with a delegate. The counterpart of
  /// SwiftUI's `onDrop(of:delegate:)`.
  ///
  /// - Parameters:
  ///   - types: The accepted types, best first.
  ///   - operations: The supported operations, preferred ones first.
  ///   - window: A top-level window of this connection; see ``registerDropTarget(_:accepting:delegate:)``. A delegate
  ///     that is registered already keeps the rest of the window.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - delegate: Not retained.
  /// - Returns: The region, for further configuration and for ``removeDropRegion(_:from:)``. The window's registration
  ///   retains it.
  @discardableResult
  public func onDrop(
    of types: [ContentType], operations: [DragOperation] = [.copy], in window: WindowID, frame: Rect? = nil,
    delegate: any DropDelegate
  ) -> DropRegion {
    let region = DropRegion(frame: frame, accepting: DropOffer(types, operations: operations), delegate: delegate)
    add(region, to: window)
    return region
  }

  /// Removes a region from a window. If the window has no other region and no delegate, it is unregistered.
  ///
  /// A nested region is removed from its parent's ``DropRegion/children`` instead.
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
    let known = reactor.targets.isRegistered(window) ? dropTargets[window] : nil
    if let hub = known?.regions {
      hub.regions.append(region)
    } else {
      registerDropTarget(
        window, accepting: known?.offer ?? DropOffer([]), delegate: known?.delegate, regions: [region])
    }
  }
}
