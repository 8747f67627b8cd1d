import CX11

/// Finds the window that a drop at a place on the root would go to.
///
/// While it tracks, it keeps a ``WindowTree`` and asks the server only for what is not in there, so that motion
/// within one window costs no round trip. What it needs of a window it asks for when the pointer first comes to it.
final class WindowLocator {
  /// Windows that the pointer is taken to pass through: those of the drag itself.
  var ignored: Set<WindowID> = []

  let display: DisplayHandle
  private let properties: Properties
  private let masks: EventMasks
  private let shapes: ShapeExtension?
  /// `nil` while not tracking.
  private var tree: WindowTree?
  /// The event masks that tracking has added.
  private var watched: [WindowID: Int] = [:]

  init(_ display: DisplayHandle, _ properties: Properties, _ masks: EventMasks) {
    self.display = display
    self.properties = properties
    self.masks = masks
    self.shapes = ShapeExtension(display)
  }

  /// The number of `ShapeNotify`; `nil` without the extension.
  var shapeEvent: Int32? { shapes?.notifyEvent }

  var root: WindowID { display.root }

  var isTracking: Bool { tree != nil }

  /// Starts to keep the model, until ``endTracking()``. Does nothing if it is kept already.
  func beginTracking() {
    if tree == nil { tree = WindowTree(root: display.root) }
  }

  /// Forgets the model, and asks for no more events.
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
    // From here on only what is inside this top-level window counts: what it covers is not under the pointer, also
    // when it takes no drops itself.
    while true {
      if let target = target(window) { return target }
      guard let next = child(of: window, at: local) else { return nil }
      (window, local) = next
    }
  }

  /// Whether a window is what one sees at a place on the root, and not something that covers it.
  func isUncovered(_ window: WindowID, at point: Point) -> Bool {
    let isMomentary = tree == nil
    if isMomentary { beginTracking() }
    defer { if isMomentary { endTracking() } }

    // Frames of window managers count as the window: the way goes up, to the child of the root.
    var top = window
    for _ in 0..<Self.deepestNesting {
      guard let parent = parent(of: top) else { return false }
      if parent == display.root { return child(of: display.root, at: point)?.0 == top }
      top = parent
    }
    return false
  }

  /// No program nests windows like this; a bound for what others can make.
  static let deepestNesting = 64

  /// Works news of the tree in.
  ///
  /// - Returns: Whether something else may be under a resting pointer now.
  func receive(_ change: WindowTree.Change, about window: WindowID, serial: UInt) -> Bool {
    guard let wasKnown = tree.map({ $0[window] != nil }) else { return false }
    for gone in tree?.apply(change, to: window, serial: serial) ?? [] {
      if let mask = watched.removeValue(forKey: gone) { masks.remove(mask, from: gone) }
      shapes?.stopWatching(gone)
    }
    if case .created = change { return false }  // A new window is not mapped yet.
    return (wasKnown || tree?[window] != nil) && !ignored.contains(window)
  }

  // MARK: Looking

  /// The top-most mapped child under a point in the parent's coordinates, and the point in its own.
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

  /// Reads what a window says of drops.
  ///
  /// A proxy counts only if it names itself as its proxy: so says the specification, since the property may have
  /// been left behind by a client that crashed, and the id been given to another window. Then the window speaks for
  /// itself.
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
  /// The outside of a window, from what X tells: the origin of its border, and the size inside of it.
  init(x: Int32, y: Int32, width: Int32, height: Int32, border: Int32) {
    self.init(x: Int(x), y: Int(y), width: Int(width + 2 * border), height: Int(height + 2 * border))
  }
}
