import CX11

/// Hit testing: finds the drop target at a root position.
///
/// While tracking, it caches a ``WindowTree``, so that motion within one window costs no round trip. A window's
/// attributes are queried when the pointer first reaches it.
final class WindowLocator {
  /// Windows that hit testing skips: the drag's own.
  var ignored: Set<WindowID> = []

  let display: DisplayHandle
  private let properties: Properties
  private let masks: EventMasks
  private let shapes: ShapeExtension?
  /// `nil` while not tracking.
  private var tree: WindowTree?
  /// The event masks that tracking has selected.
  private var watched: [WindowID: Int] = [:]

  init(_ display: DisplayHandle, _ properties: Properties, _ masks: EventMasks) {
    self.display = display
    self.properties = properties
    self.masks = masks
    self.shapes = ShapeExtension(display)
  }

  /// The event number of `ShapeNotify`; `nil` without the SHAPE extension.
  var shapeEvent: Int32? { shapes?.notifyEvent }

  var root: WindowID { display.root }

  var isTracking: Bool { tree != nil }

  /// Starts to maintain the window tree, until ``endTracking()``. Does nothing while tracking.
  func beginTracking() {
    if tree == nil { tree = WindowTree(root: display.root) }
  }

  /// Discards the window tree and deselects its events.
  func endTracking() {
    tree = nil
    for (window, mask) in watched { masks.remove(mask, from: window) }
    watched.removeAll()
    shapes?.stopWatching()
  }

  /// See ``WindowSystem/locateTarget(at:)``.
  func locateTarget(at point: Point) -> DropTarget? {
    let isMomentary = tree == nil
    if isMomentary { beginTracking() }
    defer { if isMomentary { endTracking() } }

    guard var (window, local) = child(of: display.root, at: point) else {
      return target(display.root)
    }
    // From here on, only descendants of this top-level window count. Windows that it covers are not under the pointer,
    // even if it takes no drops itself.
    while true {
      if let target = target(window) { return target }
      guard let next = child(of: window, at: local) else { return nil }
      (window, local) = next
    }
  }

  /// Whether a window's top-level window is the topmost one at a root position.
  func isUncovered(_ window: WindowID, at point: Point) -> Bool {
    let isMomentary = tree == nil
    if isMomentary { beginTracking() }
    defer { if isMomentary { endTracking() } }

    // A window manager's frame counts as part of the window, so go up to the child of the root.
    var top = window
    for _ in 0..<Self.deepestNesting {
      guard let parent = parent(of: top) else { return false }
      if parent == display.root { return child(of: display.root, at: point)?.0 == top }
      top = parent
    }
    return false
  }

  /// A bound on the depth of other clients' window trees, far beyond what programs use.
  static let deepestNesting = 64

  /// Applies a change to the window tree.
  ///
  /// - Returns: Whether another window may now be under a resting pointer.
  func receive(_ change: WindowTree.Change, about window: WindowID, serial: UInt) -> Bool {
    guard let wasKnown = tree.map({ $0[window] != nil }) else { return false }
    for gone in tree?.apply(change, to: window, serial: serial) ?? [] {
      if let mask = watched.removeValue(forKey: gone) { masks.remove(mask, from: gone) }
      shapes?.stopWatching(gone)
    }
    if case .created = change { return false }  // A new window is not mapped yet.
    return (wasKnown || tree?[window] != nil) && !ignored.contains(window)
  }

  // MARK: Queries

  /// The top-most mapped child at a point in the parent's coordinates, and the point in the child's.
  private func child(of parent: WindowID, at point: Point) -> (WindowID, Point)? {
    for window in children(of: parent).reversed() where !ignored.contains(window) {
      guard let geometry = geometry(of: window), geometry.isMapped, geometry.frame.contains(point) else { continue }
      let local = Point(
        x: point.x - geometry.frame.origin.x - geometry.border,
        y: point.y - geometry.frame.origin.y - geometry.border)
      if shape(of: window).map({ $0.contains(local) }) ?? true { return (window, local) }
    }
    return nil
  }

  func children(of window: WindowID) -> [WindowID] {
    if let children = tree?[window]?.children { return children }
    watch(window, SubstructureNotifyMask)
    let serial = display.nextSerial
    let children = display.roundTrip { display -> [WindowID]? in
      var (root, parent): (Window, Window) = (0, 0)
      var list: UnsafeMutablePointer<Window>?
      var count: UInt32 = 0
      guard XQueryTree(display, window.xid, &root, &parent, &list, &count) != 0 else { return nil }
      defer { if let list { XFree(list) } }
      return UnsafeBufferPointer(start: list, count: Int(count)).map { WindowID($0) }
    }
    tree?.setChildren(children ?? [], of: window, serial: serial)
    return children ?? []
  }

  func parent(of window: WindowID) -> WindowID? {
    display.roundTrip { display in
      var (root, parent): (Window, Window) = (0, 0)
      var list: UnsafeMutablePointer<Window>?
      var count: UInt32 = 0
      guard XQueryTree(display, window.xid, &root, &parent, &list, &count) != 0 else { return nil }
      if let list { XFree(list) }
      return parent == 0 ? nil : WindowID(parent)
    }
  }

  func geometry(of window: WindowID) -> WindowTree.Geometry? {
    if let geometry = tree?[window]?.geometry { return geometry }
    let serial = display.nextSerial
    let geometry = display.roundTrip { display -> WindowTree.Geometry? in
      var attributes = XWindowAttributes()
      guard XGetWindowAttributes(display, window.xid, &attributes) != 0 else { return nil }
      return WindowTree.Geometry(
        frame: Rect(
          x: attributes.x, y: attributes.y, width: attributes.width, height: attributes.height,
          border: attributes.border_width),
        border: Int(attributes.border_width), isMapped: attributes.map_state != IsUnmapped)
    }
    if let geometry { tree?.setGeometry(geometry, of: window, serial: serial) }
    return geometry
  }

  func shape(of window: WindowID) -> WindowShape? {
    if let shape = tree?[window]?.shape { return shape }
    guard let geometry = tree?[window]?.geometry, var shape = shapes?.watch(window) else { return nil }
    shape.completeBorder(of: geometry)
    tree?.setShape(shape, of: window)
    return shape
  }

  func target(_ window: WindowID) -> DropTarget? {
    if let awareness = tree?[window]?.awareness {
      guard case .aware(let target) = awareness else { return nil }
      return target
    }
    watch(window, PropertyChangeMask)
    let target = readTarget(window)
    tree?.setAwareness(target.map { .aware($0) } ?? .unaware, of: window)
    return target
  }

  /// Reads a window's `XdndProxy` and `XdndAware`.
  ///
  /// A proxy counts only if its own `XdndProxy` names itself (XDND, "XdndProxy"): the property may have been left by a
  /// client that crashed, and the id reused by another window. Otherwise the window itself is the destination.
  private func readTarget(_ window: WindowID) -> DropTarget? {
    var destination = window
    if let proxy = proxy(of: window), self.proxy(of: proxy) == proxy { destination = proxy }
    guard let stated = properties.words(in: .xdndAware, of: destination, type: .atom, limit: 1)?.first,
      let version = ProtocolVersion(negotiatedWith: stated)
    else { return nil }
    return DropTarget(window: window, destination: destination, version: version)
  }

  private func proxy(of window: WindowID) -> WindowID? {
    let word = properties.words(in: .xdndProxy, of: window, type: .window, limit: 1)?.first
    return word.flatMap { $0 == 0 ? nil : WindowID(rawValue: $0) }
  }

  private func watch(_ window: WindowID, _ mask: Int) {
    guard watched[window, default: 0] & mask == 0, masks.add(mask, to: window, onError: .swallow) else { return }
    watched[window, default: 0] |= mask
  }
}

extension Rect {
  /// The outer frame of a window, from the origin of its border and the size inside the border, as X reports them.
  init(x: Int32, y: Int32, width: Int32, height: Int32, border: Int32) {
    self.init(x: Int(x), y: Int(y), width: Int(width + 2 * border), height: Int(height + 2 * border))
  }
}
