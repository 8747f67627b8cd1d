import CX11

/// The window hierarchy, as far as hit testing has asked about it. Asks the server for the rest.
///
/// While tracking, it caches a ``WindowTree``, so that motion within one window costs no round trip. What is unknown on the
/// way to the pointer is asked for level by level: one round trip for the geometry of all siblings, and one for all that is
/// to be known about the one under the pointer. A display may be far away, and have a thousand windows.
final class WindowHierarchy {
  /// Windows that hit testing skips: the drag's own.
  var ignored: Set<WindowID> = []

  private let display: DisplayHandle
  private let properties: Properties
  private let masks: EventMasks
  private let shapes: ShapeExtension?
  /// `nil` while not tracking.
  private var tree: WindowTree?
  /// The event masks that tracking has selected.
  private var watched: [WindowID: Int] = [:]
  /// The event masks that windows had during the present search, in which no one else can change them.
  private var knownMasks: [WindowID: Int] = [:]

  init(_ display: DisplayHandle, _ properties: Properties, _ masks: EventMasks) {
    self.display = display
    self.properties = properties
    self.masks = masks
    self.shapes = ShapeExtension(display)
  }

  /// The event number of `ShapeNotify`; `nil` without the SHAPE extension.
  var shapeEvent: Int32? { shapes?.notifyEvent }

  var root: WindowID { display.root }

  /// Starts to maintain the window tree, until ``endTracking()``. Does nothing while tracking.
  func beginTracking() {
    if tree == nil { tree = WindowTree(root: display.root) }
  }

  /// Discards the window tree and deselects its events.
  func endTracking() {
    tree = nil
    knownMasks.removeAll()
    masks.remove(watched)
    watched.removeAll()
    shapes?.stopWatching()
  }

  /// Runs a search, which may ask all questions below; without tracking, in a momentary tree.
  func search<Result>(_ body: () -> Result) -> Result {
    let isMomentary = tree == nil
    if isMomentary { beginTracking() }
    let result = body()
    knownMasks.removeAll()
    if isMomentary { endTracking() }
    return result
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

  // MARK: Questions of a search

  /// The top-most mapped child at a point in the parent's coordinates, and the point in the child's.
  func child(of parent: WindowID, at point: Point) -> (WindowID, Point)? {
    for window in candidates(in: parent) {
      guard let geometry = geometry(of: window), geometry.isMapped, geometry.frame.contains(point) else { continue }
      learn([window], withChildren: parent == root)
      let local = Point(
        x: point.x - geometry.frame.origin.x - geometry.border,
        y: point.y - geometry.frame.origin.y - geometry.border)
      if tree?[window]?.shape.map({ $0.contains(local) }) ?? true { return (window, local) }
    }
    return nil
  }

  /// The children of a window that hit testing does not skip, top-most first, with their geometry known.
  func candidates(in parent: WindowID) -> [WindowID] {
    let windows = children(of: parent).reversed().filter { !ignored.contains($0) }
    let unknown = windows.filter { tree?[$0]?.geometry == nil }
    if !unknown.isEmpty { _ = attributes(of: unknown) }
    return windows
  }

  private func children(of window: WindowID) -> [WindowID] {
    if let children = tree?[window]?.children { return children }
    var found: [WindowID] = []
    watch([window], SubstructureNotifyMask)
    var batch = RequestBatch(display)
    askChildren(of: window, in: &batch) { found = $0 }
    batch.run()
    return found
  }

  private func askChildren(of window: WindowID, in batch: inout RequestBatch, _ receive: @escaping ([WindowID]) -> Void)
  {
    batch.children(of: window) { [self] reply in
      tree?.setChildren(reply?.windows ?? [], of: window, serial: reply?.serial ?? 0)
      receive(reply?.windows ?? [])
    }
  }

  /// `nil` if the window does not exist.
  func geometry(of window: WindowID) -> WindowTree.Geometry? {
    tree?[window]?.geometry ?? attributes(of: [window])[window].map(Self.geometry)
  }

  /// Asks for the attributes of windows: one round trip.
  private func attributes(of windows: [WindowID]) -> [WindowID: RequestBatch.Attributes] {
    var found: [WindowID: RequestBatch.Attributes] = [:]
    var batch = RequestBatch(display)
    for window in windows { batch.attributes(of: window) { found[window] = $0 } }
    batch.run()
    for (window, attributes) in found {
      knownMasks[window] = attributes.eventMask
      tree?.setGeometry(Self.geometry(attributes), of: window, serial: attributes.serial)
    }
    return found
  }

  private static func geometry(_ attributes: RequestBatch.Attributes) -> WindowTree.Geometry {
    WindowTree.Geometry(frame: attributes.frame, border: attributes.border, isMapped: attributes.isMapped)
  }

  /// `nil` without the SHAPE extension, and for the root window.
  func shape(of window: WindowID) -> WindowShape? {
    learn([window], withChildren: false)
    return tree?[window]?.shape
  }

  /// The window as a drop target; `nil` if it takes no drops.
  func target(_ window: WindowID) -> DropTarget? {
    learn([window], withChildren: false)
    // A window outside the tree, which nothing is remembered about.
    guard let awareness = tree?[window]?.awareness ?? readAwareness(of: [window])[window],
      case .aware(let target) = awareness
    else { return nil }
    return target
  }

  /// Asks for what is unknown about windows of the tree, and watches them: one round trip for all of it, as a rule, or three.
  ///
  /// - Parameter withChildren: Whether their children are likely to be needed: those of window managers' frames are.
  func learn(_ windows: [WindowID], withChildren: Bool) {
    guard let tree else { return }
    func isUnknown(_ window: WindowID) -> Bool {
      guard let node = tree[window] else { return false }
      return node.awareness == nil || node.shape == nil && node.geometry != nil && shapes != nil && window != root
    }
    let windows = windows.filter(isUnknown)
    guard !windows.isEmpty else { return }
    watch(windows, withChildren ? PropertyChangeMask | SubstructureNotifyMask : PropertyChangeMask)
    var batch = RequestBatch(display)
    for window in windows where tree[window]?.shape == nil {
      guard let geometry = tree[window]?.geometry else { continue }
      shapes?.ask(about: window, in: &batch) { [self] shape in
        guard var shape else { return }
        shape.completeBorder(of: geometry)
        self.tree?.setShape(shape, of: window)
      }
    }
    if withChildren {
      for window in windows where tree[window]?.children == nil { askChildren(of: window, in: &batch) { _ in } }
    }
    let unaware = windows.filter { tree[$0]?.awareness == nil }
    for (window, awareness) in readAwareness(of: unaware, batch) { self.tree?.setAwareness(awareness, of: window) }
  }

  /// Reads the `XdndProxy` and `XdndAware` of windows, together with what is in a batch.
  ///
  /// A proxy counts only if its own `XdndProxy` names itself (XDND, "XdndProxy"): the property may have been left by a
  /// client that crashed, and the id reused by another window. Otherwise the window itself is the destination.
  private func readAwareness(
    of windows: [WindowID], _ batch: RequestBatch? = nil
  ) -> [WindowID: WindowTree.Awareness] {
    var read = readProperties(of: Set(windows), batch ?? RequestBatch(display))
    let proxies = Set(windows.compactMap { read[$0]?.proxy }).subtracting(read.keys)
    if !proxies.isEmpty { read.merge(readProperties(of: proxies, RequestBatch(display))) { $1 } }
    var awareness: [WindowID: WindowTree.Awareness] = [:]
    for window in windows {
      let proxy = read[window]?.proxy.flatMap { read[$0]?.proxy == $0 ? $0 : nil }
      let destination = proxy ?? window
      let version = read[destination]?.version.flatMap { ProtocolVersion(negotiatedWith: $0) }
      awareness[window] =
        version.map { .aware(DropTarget(window: window, destination: destination, version: $0)) } ?? .unaware
    }
    return awareness
  }

  private func readProperties(
    of windows: Set<WindowID>, _ batch: RequestBatch
  ) -> [WindowID: (proxy: WindowID?, version: UInt32?)] {
    var read: [WindowID: (proxy: WindowID?, version: UInt32?)] = [:]
    var batch = batch
    for window in windows {
      properties.askWords(in: .xdndProxy, of: window, type: .window, limit: 1, in: &batch) { words in
        read[window, default: (nil, nil)].proxy = words?.first.flatMap { $0 == 0 ? nil : WindowID(rawValue: $0) }
      }
      properties.askWords(in: .xdndAware, of: window, type: .atom, limit: 1, in: &batch) { words in
        read[window, default: (nil, nil)].version = words?.first
      }
    }
    batch.run()
    return read
  }

  private func watch(_ windows: [WindowID], _ mask: Int) {
    let windows = windows.filter { watched[$0, default: 0] & mask != mask }
    let unknown = windows.filter { knownMasks[$0] == nil }
    if !unknown.isEmpty { _ = attributes(of: unknown) }
    for window in windows {
      let fresh = mask & ~watched[window, default: 0]
      guard let current = knownMasks[window],
        masks.add(fresh, to: window, current: current, onError: .swallow)
      else { continue }
      knownMasks[window] = current | fresh
      watched[window, default: 0] |= fresh
    }
  }
}

extension Rect {
  /// The outer frame of a window, from the origin of its border and the size inside the border, as X reports them.
  init(x: Int32, y: Int32, width: Int32, height: Int32, border: Int32) {
    self.init(x: Int(x), y: Int(y), width: Int(width + 2 * border), height: Int(height + 2 * border))
  }
}
