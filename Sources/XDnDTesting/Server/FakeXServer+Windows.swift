import XDnD

extension FakeXServer {
  // MARK: The tree

  /// Makes a window, on top of its siblings.
  @discardableResult
  func createWindow(
    of client: FakeClient, frame: Rect = Rect(x: 0, y: 0, width: 100, height: 100), in parent: WindowID? = nil,
    isMapped: Bool = true
  ) -> WindowID {
    let id = client.nextWindowID()
    windows[id] = Window(id: id, client: client, parent: parent, frame: frame, isMapped: isMapped)
    if let parent { windows[parent]?.children.append(id) } else { stacking.append(id) }
    if parent == nil, isMapped { tellStackingChanged() }
    return id
  }

  func destroy(_ window: WindowID) {
    guard let gone = windows[window] else { return }
    for child in gone.children { destroy(child) }
    windows[window] = nil
    if let parent = gone.parent { windows[parent]?.children.removeAll { $0 == window } }
    stacking.removeAll { $0 == window }
    for (name, selection) in selections where selection.owner == window { setOwner(.none, of: name, at: time) }
    conversions.removeAll { $0.request.requestor == window }
    for client in clients where client.watches(window, .destruction) { deliver(.windowVanished(window), to: client) }
    if gone.parent == nil, gone.isMapped { tellStackingChanged() }
  }

  func raise(_ window: WindowID) {
    stacking.removeAll { $0 == window }
    stacking.append(window)
    tellStackingChanged()
  }

  func setMapped(_ isMapped: Bool, _ window: WindowID) {
    windows[window]?.isMapped = isMapped
    tellStackingChanged()
  }

  private func tellStackingChanged() {
    // Only who drags listens; the driver's connection keeps its model true all the time.
    if let client = grab?.client { deliver(.stackingChanged, to: client) }
  }

  /// The top-most mapped window of `siblings` whose input shape has the point.
  private func topWindow(at point: Point, of siblings: [WindowID], for client: FakeClient) -> Window? {
    for id in siblings.reversed() {
      guard let window = windows[id], window.isMapped, id != client.dragWindow, window.frame.contains(point) else {
        continue
      }
      let inside = Point(x: point.x - window.frame.origin.x, y: point.y - window.frame.origin.y)
      if let shape = window.inputShape, !shape.contains(where: { $0.contains(inside) }) { continue }
      return window
    }
    return nil
  }

  /// The window that one sees at a place; `nil` for the root.
  func topLevel(at point: Point, for client: FakeClient) -> WindowID? {
    topWindow(at: point, of: stacking, for: client)?.id
  }

  func locateTarget(at point: Point, for client: FakeClient) -> DropTarget? {
    var siblings = stacking
    while let window = topWindow(at: point, of: siblings, for: client) {
      if let target = dropTarget(window) { return target }
      siblings = window.children
    }
    return nil
  }

  /// Of each window a few places are looked at.
  func dropPlaces(for client: FakeClient) -> [DropPlace] {
    func targets(in siblings: [WindowID]) -> [(DropTarget, Rect)] {
      siblings.reversed().compactMap { windows[$0] }.flatMap { window in
        dropTarget(window).map { [($0, window.frame)] } ?? targets(in: window.children)
      }
    }
    return targets(in: stacking).compactMap { target, frame in
      let places = [4, 1, 7].flatMap { x in [4, 1, 7].map { y in (x, y) } }.map { x, y in
        Point(x: frame.origin.x + frame.width * x / 8, y: frame.origin.y + frame.height * y / 8)
      }
      return places.first { locateTarget(at: $0, for: client) == target }.map { DropPlace(target: target, point: $0) }
    }
  }

  /// The window itself, or the nearest around it that takes drops.
  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace? {
    guard let frame = windows[window]?.frame else { return nil }
    let inside = point ?? Point(x: frame.width / 2, y: frame.height / 2)
    var next: Window? = windows[window]
    while let window = next {
      if let target = dropTarget(window) {
        return DropPlace(
          target: target, point: Point(x: frame.origin.x + inside.x, y: frame.origin.y + inside.y))
      }
      next = window.parent.flatMap { windows[$0] }
    }
    return nil
  }

  /// The window as a target, with its proxy if that is one.
  private func dropTarget(_ window: Window) -> DropTarget? {
    func proxy(of id: WindowID) -> WindowID? {
      guard case .words(let words)? = windows[id]?.properties[.xdndProxy]?.contents, let word = words.first else {
        return nil
      }
      return WindowID(rawValue: word)
    }
    var destination = window.id
    if let named = proxy(of: window.id), proxy(of: named) == named { destination = named }
    guard case .words(let words)? = windows[destination]?.properties[.xdndAware]?.contents, let word = words.first,
      let version = ProtocolVersion(negotiatedWith: word)
    else { return nil }
    return DropTarget(window: window.id, destination: destination, version: version)
  }

  // MARK: Properties

  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID, from client: FakeClient) {
    guard !client.isClosed else { return }
    guard window != .none else { return impossible("\(property) written to no window by \(client)") }
    if value.byteCount > maximumWriteSize {
      impossible("\(value.byteCount) bytes written at once to \(property) by \(client)")
    }
    guard let old = windows[window] else { return deliver(.windowVanished(window), to: client) }
    if client.isChecked, old.client !== client, property.isTransfer, old.properties[property] != nil,
      value.type != .atomPair
    {
      impossible("\(property) of \(window) overwritten by \(client) before it was taken")
    }
    windows[window]?.properties[property] = value
    for listener in clients where listener.watches(window, .properties) {
      deliver(.propertyChanged(property, of: window), to: listener)
    }
  }

  func delete(_ property: AtomName, of window: WindowID, from client: FakeClient) {
    guard !client.isClosed else { return }
    guard window != .none else { return impossible("\(property) deleted of no window by \(client)") }
    guard windows[window] != nil else { return deliver(.windowVanished(window), to: client) }
    guard windows[window]?.properties.removeValue(forKey: property) != nil else { return }
    for listener in clients where listener.watches(window, .properties) {
      deliver(.propertyDeleted(property, of: window), to: listener)
    }
  }
}

extension AtomName {
  /// Whether the library transfers content in properties of this name.
  fileprivate var isTransfer: Bool { rawValue.hasPrefix("XDND_TRANSFER_") }
}

extension PropertyValue {
  var format: Int {
    if case .units(_, let unit) = contents { unit.rawValue } else { 32 }
  }

  var byteCount: Int {
    switch contents {
    case .units(let bytes, _): bytes.count
    case .words(let words): words.count * 4
    case .atoms(let atoms): atoms.count * 4
    }
  }
}
