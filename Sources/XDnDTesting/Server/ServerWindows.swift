import XDnD

/// The windows of the simulated server: their tree, stacking order and properties.
struct ServerWindows {
  struct Window {
    var id: WindowID
    var client: FakeClient
    var parent: WindowID?
    /// In root coordinates.
    var frame: Rect
    var isMapped = true
    /// In window coordinates; `nil` is the whole window.
    var inputShape: [Rect]?
    var properties: [AtomName: PropertyValue] = [:]
    /// Back to front.
    var children: [WindowID] = []
  }

  private var windows: [WindowID: Window] = [:]
  /// Top-level windows, back to front.
  private var stacking: [WindowID] = []

  subscript(_ window: WindowID) -> Window? { windows[window] }

  var values: [WindowID: Window].Values { windows.values }

  // MARK: The tree

  /// Adds a window, on top of its siblings.
  mutating func insert(_ window: Window) {
    windows[window.id] = window
    if let parent = window.parent { windows[parent]?.children.append(window.id) } else { stacking.append(window.id) }
  }

  /// Removes a window that has no children.
  mutating func remove(_ window: WindowID) {
    guard let gone = windows.removeValue(forKey: window) else { return }
    if let parent = gone.parent { windows[parent]?.children.removeAll { $0 == window } }
    stacking.removeAll { $0 == window }
  }

  mutating func raise(_ window: WindowID) {
    stacking.removeAll { $0 == window }
    stacking.append(window)
  }

  mutating func setMapped(_ isMapped: Bool, _ window: WindowID) { windows[window]?.isMapped = isMapped }

  mutating func configure(_ window: WindowID, frame: Rect) { windows[window]?.frame = frame }

  mutating func setInputShape(_ shape: [Rect]?, of window: WindowID) { windows[window]?.inputShape = shape }

  // MARK: Properties

  mutating func setProperty(_ property: AtomName, of window: WindowID, to value: PropertyValue) {
    windows[window]?.properties[property] = value
  }

  /// Removes a property; `false` if there is none.
  @discardableResult
  mutating func removeProperty(_ property: AtomName, of window: WindowID) -> Bool {
    windows[window]?.properties.removeValue(forKey: property) != nil
  }

  // MARK: Hit testing

  /// The topmost mapped window of `siblings` whose input shape contains the point.
  private func topWindow(at point: Point, of siblings: [WindowID], ignoring dragWindow: WindowID) -> Window? {
    for id in siblings.reversed() {
      guard let window = windows[id], window.isMapped, id != dragWindow, window.frame.contains(point) else { continue }
      let inside = Point(x: point.x - window.frame.origin.x, y: point.y - window.frame.origin.y)
      if let shape = window.inputShape, !shape.contains(where: { $0.contains(inside) }) { continue }
      return window
    }
    return nil
  }

  /// The visible top-level window at a point; `nil` for the root.
  func topLevel(at point: Point, ignoring dragWindow: WindowID) -> WindowID? {
    topWindow(at: point, of: stacking, ignoring: dragWindow)?.id
  }

  func locateTarget(at point: Point, ignoring dragWindow: WindowID) -> FoundTarget {
    var siblings = stacking
    var found = FoundTarget()
    while let window = topWindow(at: point, of: siblings, ignoring: dragWindow) {
      if let target = dropTarget(window) { return FoundTarget(target: target) }
      found.windows.append(window.id)
      siblings = window.children
    }
    return found
  }

  /// The visible windows that accept drops, topmost first. Only nine points of each window are tried.
  func dropPlaces(ignoring dragWindow: WindowID) -> [DropPlace] {
    func targets(in siblings: [WindowID]) -> [(DropTarget, Rect)] {
      siblings.reversed().compactMap { windows[$0] }.flatMap { window in
        dropTarget(window).map { [($0, window.frame)] } ?? targets(in: window.children)
      }
    }
    return targets(in: stacking).compactMap { target, frame in
      let points = [4, 1, 7].flatMap { x in [4, 1, 7].map { y in (x, y) } }.map { x, y in
        Point(x: frame.origin.x + frame.width * x / 8, y: frame.origin.y + frame.height * y / 8)
      }
      return points.first { locateTarget(at: $0, ignoring: dragWindow).target == target }
        .map { DropPlace(target: target, point: $0) }
    }
  }

  /// The window or its nearest ancestor that accepts drops.
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

  /// The window as a drop target, with its proxy if it has a valid one; `nil` if it accepts no drops.
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
}
