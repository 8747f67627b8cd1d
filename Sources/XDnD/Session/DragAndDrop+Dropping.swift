extension DragAndDrop {
  /// Registers a window as a drop target. The counterpart of `UIView.addInteraction(_:)` with a `UIDropInteraction`,
  /// and of `NSView.registerForDraggedTypes(_:)`.
  ///
  /// A second call for the same window replaces the offer and the delegate, and removes the regions.
  ///
  /// - Parameters:
  ///   - window: A top-level window. Register a window of this connection before it is mapped: some drag sources read
  ///     `XdndAware` only once. For a window of another connection or program, see ``checkDropTarget(_:)``.
  ///   - offer: The types and operations that the window accepts. The library answers positions from it, unless the
  ///     delegate refines the answer.
  ///   - delegate: Not retained, like the delegates of UIKit and AppKit. Once it is deallocated, drags over the window are
  ///     refused and drops are rejected.
  public func registerDropTarget(_ window: WindowID, accepting offer: DropOffer, delegate: any DropDelegate) {
    register(window, accepting: offer, delegate: delegate, regions: nil)
  }

  /// Registers a window as a drop target that consists of regions, which can also spring open and scroll.
  ///
  /// It replaces an earlier registration of the window.
  ///
  /// - Parameters:
  ///   - window: A top-level window. Register a window of this connection before it is mapped: some drag sources read
  ///     `XdndAware` only once. For a window of another connection or program, see ``checkDropTarget(_:)``.
  ///   - offer: The types and operations that the rest of the window accepts; nothing by default.
  ///   - delegate: Handles drags where no region accepts the content. It also receives one
  ///     ``DropDelegate/dropEntered(_:)`` and ``DropDelegate/dropExited(_:_:)`` for each visit of the whole window,
  ///     however many regions the drag passes through. Not retained.
  ///   - regions: The regions, lowest first. Retained.
  public func registerDropTarget(
    _ window: WindowID, accepting offer: DropOffer = DropOffer([]), delegate: (any DropDelegate)? = nil,
    regions: [DropRegion]
  ) {
    register(window, accepting: offer, delegate: delegate, regions: regions)
  }

  /// Throws an error if a window cannot be registered as a drop target. Makes a few round trips.
  ///
  /// Any window of this connection can be registered. A window of another connection, of this program or another one,
  /// accepts drops through a proxy: a hidden window of this connection that the window's `XdndProxy` names. The window's
  /// own `XdndAware` and `XdndProxy` are replaced until ``unregisterDropTarget(_:)`` or the end of this object. They are
  /// saved on the window: if this process is killed, the next registration restores them. All methods that register a
  /// window create the proxy. ``DropSession/location`` is in the coordinates of the registered window.
  ///
  /// Pass the client's top-level window, which has `WM_STATE`, and not the window manager's frame: GTK's drag sources
  /// search down to that window only. If it is registered with regions only, each with a frame, drags over the rest of
  /// the window are relayed to its own program, if that program accepts drops.
  ///
  /// Sources that do not support proxies, such as FLTK, cannot drop there. ``onDropTargetLost`` is called if the
  /// registration fails, or if another program ends it.
  ///
  /// - Throws: ``XDnDError/Code/noWindow`` if the window does not exist, ``XDnDError/Code/windowUnavailable`` if it is a
  ///   root window, or if another program or another `DragAndDrop` has a proxy for it.
  public func checkDropTarget(_ window: WindowID) throws(XDnDError) {
    do {
      try reactor.targets.check(window)
    } catch {
      throw XDnDError(error, of: window)
    }
  }

  /// Returns the top-level window of a window, which may be the window itself: the nearest one with `WM_STATE`, or else
  /// the child of the root. `nil` if the window does not exist or is a root window. Makes a round trip for each level.
  ///
  /// Use it for a window that another program embeds (an XEmbed plug), because sources look for targets among top-level
  /// windows. Register the embedder's window with a region where the embedded window is, and set ``DropRegion/frame``
  /// again when that window has moved. If the embedder accepts drops, it still receives drops outside the regions. Do
  /// not also register the embedded window: GtkSocket of GTK 3 would send drags to it, and lose the answers to drops.
  public func topLevelWindow(of window: WindowID) -> WindowID? { reactor.system.topLevelWindow(of: window) }

  /// Unregisters a drop target. Pending drops are rejected.
  public func unregisterDropTarget(_ window: WindowID) { reactor.unregister(window) }

  /// Adds a region to a window, above the existing ones, and handles its drops with closures. The counterpart of
  /// SwiftUI's `onDrop(of:isTargeted:perform:)`.
  ///
  /// - Parameters:
  ///   - types: The accepted types, best first.
  ///   - operations: The supported operations, preferred ones first; `nil` for the default of ``DropOffer/operations``.
  ///   - window: A top-level window of this connection; see ``registerDropTarget(_:accepting:delegate:)``. A delegate
  ///     that was registered before handles the rest of the window.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - isTargeted: Called with `true` when a drop would be accepted in the region, and with `false` when it no longer
  ///     would.
  ///   - perform: Called for a drop. It loads the content, and calls ``DropSession/finish(_:)`` or
  ///     ``DropSession/reject()``.
  /// - Returns: The region, for further configuration and for ``removeDropRegion(_:from:)``. The window's registration
  ///   retains it.
  @discardableResult
  public func onDrop(
    of types: [ContentType], operations: [DragOperation]? = nil, in window: WindowID, frame: Rect? = nil,
    isTargeted: ((Bool) -> Void)? = nil, perform: @escaping (DropSession) -> Void
  ) -> DropRegion {
    let region = DropRegion(frame: frame, accepting: DropOffer(types, operations: operations))
    region.onTargeted = isTargeted
    region.onDrop = perform
    add(region, to: window)
    return region
  }

  /// Adds a region to a window, above the existing ones, and handles its drops with closures. The counterpart of
  /// SwiftUI's `onDrop(of:isTargeted:perform:)` with a location.
  ///
  /// - Parameters:
  ///   - types: The accepted types, best first.
  ///   - operations: The supported operations, preferred ones first; `nil` for the default of ``DropOffer/operations``.
  ///   - window: A top-level window of this connection; see ``registerDropTarget(_:accepting:delegate:)``. A delegate
  ///     that was registered before handles the rest of the window.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - isTargeted: Called with `true` when a drop would be accepted in the region, and with `false` when it no longer
  ///     would.
  ///   - perform: Called for a drop, with its position in window-local device pixels. It returns `true` if it loads the
  ///     content, and then calls ``DropSession/finish(_:)`` or ``DropSession/reject()``. After `false` the library rejects
  ///     the drop.
  /// - Returns: The region, for further configuration and for ``removeDropRegion(_:from:)``. The window's registration
  ///   retains it.
  @discardableResult
  public func onDrop(
    of types: [ContentType], operations: [DragOperation]? = nil, in window: WindowID, frame: Rect? = nil,
    isTargeted: ((Bool) -> Void)? = nil, perform: @escaping (DropSession, Point) -> Bool
  ) -> DropRegion {
    onDrop(of: types, operations: operations, in: window, frame: frame, isTargeted: isTargeted) { drop in
      // There is no location if the window was destroyed.
      guard let location = drop.location, perform(drop, location) else { return drop.reject() }
    }
  }

  /// Adds a region that accepts values to a window, above the existing regions. The library loads the values, and
  /// finishes or rejects the drop. The counterpart of SwiftUI's `dropDestination(for:action:isTargeted:)`.
  ///
  /// ```swift
  /// dragAndDrop.dropDestination(for: String.self, in: window) { texts, location in
  ///   insert(texts, at: location)
  ///   return true
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the values. The region accepts the types from which such a value can be created.
  ///   - operations: The supported operations, preferred ones first; `nil` for the default of ``DropOffer/operations``.
  ///   - window: A top-level window of this connection; see ``registerDropTarget(_:accepting:delegate:)``. A delegate
  ///     that was registered before handles the rest of the window.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - action: Called when the values are loaded, with the position of the drop in window-local device pixels. It
  ///     returns whether the values were taken: `true` finishes the drop with ``DropSession/droppedOperation``, `false`
  ///     rejects it. Not called if the load fails, which rejects the drop.
  ///   - isTargeted: Called with `true` when a drop would be accepted in the region, and with `false` when it no longer
  ///     would.
  /// - Returns: The region, for further configuration and for ``removeDropRegion(_:from:)``. The window's registration
  ///   retains it.
  @discardableResult
  public func dropDestination<Value: Transferable>(
    for type: Value.Type, operations: [DragOperation]? = nil, in window: WindowID, frame: Rect? = nil,
    action: @escaping ([Value], Point) -> Bool, isTargeted: ((Bool) -> Void)? = nil
  ) -> DropRegion {
    onDrop(of: DropOffer(for: type).types, operations: operations, in: window, frame: frame, isTargeted: isTargeted) {
      drop, location in
      drop.load([Value].self) { result in
        guard case .success(let values) = result, action(values, location) else { return drop.reject() }
        drop.finish(drop.droppedOperation ?? .copy)
      }
      return true
    }
  }

  /// Adds a region to a window, above the existing ones, and handles its drops with a delegate. The counterpart of
  /// SwiftUI's `onDrop(of:delegate:)`.
  ///
  /// - Parameters:
  ///   - types: The accepted types, best first.
  ///   - operations: The supported operations, preferred ones first; `nil` for the default of ``DropOffer/operations``.
  ///   - window: A top-level window of this connection; see ``registerDropTarget(_:accepting:delegate:)``. A delegate
  ///     that was registered before handles the rest of the window.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - delegate: Retained by the region, as in SwiftUI. If the delegate retains this object,
  ///     ``removeDropRegion(_:from:)`` breaks the retain cycle.
  /// - Returns: The region, for further configuration and for ``removeDropRegion(_:from:)``. The window's registration
  ///   retains it.
  @discardableResult
  public func onDrop(
    of types: [ContentType], operations: [DragOperation]? = nil, in window: WindowID, frame: Rect? = nil,
    delegate: any DropDelegate
  ) -> DropRegion {
    let region = DropRegion(frame: frame, accepting: DropOffer(types, operations: operations))
    region.retain(delegate)
    add(region, to: window)
    return region
  }

  /// Removes a region from a window. If the window has no other region and no delegate, it is unregistered.
  ///
  /// To remove a nested region, remove it from its parent's ``DropRegion/children``.
  public func removeDropRegion(_ region: DropRegion, from window: WindowID) {
    guard let target = dropWindow(window), target.contains(region) else { return }
    target.remove(region)
    if target.isAbandoned {
      reactor.unregister(window)
    } else {
      reactor.register(target)
    }
  }
}

// MARK: - Registration

extension DragAndDrop {
  private func register(
    _ window: WindowID, accepting offer: DropOffer, delegate: (any DropDelegate)?, regions: [DropRegion]?
  ) {
    let target = registeredOrNew(window)
    target.accept(offer, delegate: delegate, regions: regions)
    reactor.register(target)
  }

  private func add(_ region: DropRegion, to window: WindowID) {
    let target = registeredOrNew(window)
    target.add(region)
    reactor.register(target)
  }

  private func registeredOrNew(_ window: WindowID) -> DropWindow {
    dropWindow(window) ?? DropWindow(window, context)
  }

  /// The half of a registered window.
  private func dropWindow(_ window: WindowID) -> DropWindow? { reactor.targets[window]?.host as? DropWindow }
}
