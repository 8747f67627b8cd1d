import XDnDX11

/// The part of the window hierarchy that hit testing has queried. Queries missing parts from the server.
///
/// While tracking, it caches a ``WindowTree``, so that motion within one window costs no round trip. Unknown windows on
/// the way to the pointer are queried level by level: one round trip for the geometry of all siblings, and one for the
/// shape, properties and, at the top level, children of the sibling under the pointer. A display may be far away, and
/// have a thousand windows.
///
/// A search reads cached facts. If one is missing, ``search(_:)`` waits for the reply. ``attempt(_:)`` throws
/// ``Unanswered``, and ``onAnswers`` repeats it when the reply has arrived.
final class WindowHierarchy {
  /// Thrown by a search that needs a reply that has not arrived.
  struct Unanswered: Error {}

  /// Whether hit testing skips a window.
  var isIgnored: (WindowID) -> Bool = { _ in false }
  /// Called when the replies that an attempt needs have arrived.
  var onAnswers: () -> Void = {}

  private let display: DisplayHandle
  private let properties: Properties
  private let masks: EventMasks
  private let shapes: ShapeExtension?
  /// `nil` while not tracking.
  private var tree: WindowTree?
  /// The event masks that tracking has selected.
  private var watched: [WindowID: Int] = [:]
  /// Facts that the present search and its attempts have read, and that are not in the tree.
  private var notes = Notes()
  /// Whether the present search waits for replies.
  private var waits = true
  /// Whether replies for an attempt are on their way. They may belong to a tree that has been discarded since.
  private(set) var isAsking = false
  /// Whether ``onAnswers`` is being called. Meanwhile ``notes`` are kept: an attempt may use facts that were read for
  /// another.
  private var isPassingOn = false
  /// The windows outside the tree that searches have started from.
  private var adopted: Set<WindowID> = []

  private struct Notes {
    /// The event masks of windows, with other attributes.
    var masks: [WindowID: RequestBatch.Attributes] = [:]
    /// The `XdndProxy` and `XdndAware` of windows.
    var claims: [WindowID: Claim] = [:]
    /// The parents of windows that are not in the tree.
    var parents: [WindowID: WindowID] = [:]
  }

  private struct Claim {
    var proxy: WindowID?
    var version: UInt32?
  }

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
    guard tree == nil else { return }
    tree = WindowTree(root: display.root)
    // Replies about an earlier tree may have arrived since its end.
    notes = Notes()
  }

  /// Discards the window tree and deselects its events.
  func endTracking() {
    tree = nil
    notes = Notes()
    masks.remove(watched)
    watched.removeAll()
    shapes?.stopWatching()
  }

  /// Runs a search, which may ask the questions below, and waits for the replies. Without tracking, the tree is
  /// discarded afterwards.
  func search<Result>(_ body: () throws(Unanswered) -> Result?) -> Result? {
    let isMomentary = tree == nil
    if isMomentary { beginTracking() }
    // Waiting also brings in the replies of a pending attempt.
    let waited = waits
    waits = true
    defer {
      waits = waited
      // Forgets the adopted windows, because no event reports their moves.
      for window in adopted where tree?[window]?.parent == nil { apply(.destroyed, to: window, serial: 0) }
      adopted.removeAll()
      if isMomentary { endTracking() } else if !isAsking { notes = Notes() }
    }
    return try? body()
  }

  /// Runs a search without waiting, while tracking. Waits only for event masks that may have changed since their reply.
  ///
  /// - Throws: ``Unanswered`` if replies are missing; ``onAnswers`` is called when they have arrived. Attempts
  ///   before that send no new requests.
  func attempt<Result>(_ body: () throws(Unanswered) -> Result) throws(Unanswered) -> Result {
    waits = false
    defer { waits = true }
    let result = try body()
    if !isAsking, !isPassingOn { notes = Notes() }
    return result
  }

  /// Makes the requests of a search.
  private func ask(_ batch: RequestBatch) throws(Unanswered) {
    if batch.isEmpty { return }
    if waits { return batch.run() }
    if !isAsking {
      isAsking = true
      batch.send { [weak self] in self?.receiveAnswers() }
    }
    throw Unanswered()
  }

  private func receiveAnswers() {
    isAsking = false
    isPassingOn = true
    onAnswers()
    isPassingOn = false
    if !isAsking { notes = Notes() }
    if tree == nil { shapes?.stopWatching() }
  }

  /// The maximum depth to which other clients' window trees are searched, far beyond what programs use.
  static let deepestNesting = 64

  /// Applies a change to the window tree.
  ///
  /// - Returns: Whether another window may now be under a resting pointer.
  func receive(_ change: WindowTree.Change, about window: WindowID, serial: UInt) -> Bool {
    if change == .awarenessChanged { notes.claims[window] = nil }
    if case .reparented = change { notes.parents[window] = nil }
    guard let wasKnown = tree.map({ $0[window] != nil }) else { return false }
    apply(change, to: window, serial: serial)
    if case .created = change { return false }  // A new window is not mapped yet.
    return (wasKnown || tree?[window] != nil) && !isIgnored(window)
  }

  private func apply(_ change: WindowTree.Change, to window: WindowID, serial: UInt) {
    for gone in tree?.apply(change, to: window, serial: serial) ?? [] {
      if let mask = watched.removeValue(forKey: gone) { masks.remove(mask, from: gone) }
      shapes?.stopWatching(gone)
    }
  }

  // MARK: Questions of a search

  /// The top-most mapped child at a point in the parent's coordinates, and the point in the child's coordinates.
  func child(of parent: WindowID, at point: Point) throws(Unanswered) -> (WindowID, Point)? {
    for window in try candidates(in: parent) {
      guard let geometry = try geometry(of: window), geometry.isMapped, geometry.frame.contains(point) else { continue }
      try learn([window], withChildren: parent == root)
      let local = point - geometry.inside.origin
      if tree?[window]?.shape.map({ $0.contains(local) }) ?? true { return (window, local) }
    }
    return nil
  }

  /// The children of a window that hit testing does not skip, top-most first, with their geometry known.
  func candidates(in parent: WindowID) throws(Unanswered) -> [WindowID] {
    let windows = try children(of: parent).reversed().filter { !isIgnored($0) }
    try ask(aboutGeometry: windows.filter { tree?[$0]?.geometry == nil })
    return windows
  }

  private func children(of window: WindowID) throws(Unanswered) -> [WindowID] {
    adopt(window)
    guard let node = tree?[window] else { return [] }
    if let children = node.children { return children }
    try watch([window], SubstructureNotifyMask)
    var batch = RequestBatch(display)
    askChildren(of: window, in: &batch)
    try ask(batch)
    return tree?[window]?.children ?? []
  }

  /// Adds a window that a search begins with, until the end of the search.
  private func adopt(_ window: WindowID) {
    guard waits, tree != nil, tree?[window] == nil else { return }
    tree?.adopt(window)
    adopted.insert(window)
  }

  private func askChildren(of window: WindowID, in batch: inout RequestBatch) {
    batch.children(of: window) { [self] in
      guard let (windows, serial) = $0 else { return apply(.destroyed, to: window, serial: 0) }
      tree?.setChildren(windows, of: window, serial: serial)
    }
  }

  /// `nil` if the window does not exist.
  func geometry(of window: WindowID) throws(Unanswered) -> WindowGeometry? {
    adopt(window)
    if tree?[window]?.geometry == nil { try ask(aboutGeometry: [window]) }
    return tree?[window]?.geometry
  }

  /// Asks for the geometry and the event masks of windows of the tree: one round trip.
  private func ask(aboutGeometry windows: [WindowID]) throws(Unanswered) {
    var batch = RequestBatch(display)
    for window in windows where tree?[window] != nil {
      batch.attributes(of: window) { [self] in
        guard let attributes = $0 else { return apply(.destroyed, to: window, serial: 0) }
        notes.masks[window] = attributes
        tree?.setGeometry(attributes.geometry, of: window, serial: attributes.serial)
      }
    }
    try ask(batch)
  }

  /// Queries the places of windows in root coordinates: one round trip for each level of windows up to the root, and
  /// then the round trips of a search from the root down. ``origin(of:)`` returns the results.
  func locate(_ windows: [WindowID]) throws(Unanswered) {
    try learnParents(of: windows)
    for window in windows {
      // From the root downwards, so that each window is in the tree when its children are requested.
      for ancestor in path(from: window).dropFirst().reversed() { _ = try candidates(in: ancestor) }
    }
  }

  /// The upper-left corner of a window (inside its border), in root coordinates. `nil` if it has not been located, or
  /// if the window does not exist.
  func origin(of window: WindowID) -> Point? { tree?.origin(of: window, below: root) }

  /// Asks for the parents of windows, then for their parents, and so on.
  private func learnParents(of windows: [WindowID]) throws(Unanswered) {
    for _ in 0..<Self.deepestNesting {
      var batch = RequestBatch(display)
      for window in Set(windows.compactMap { path(from: $0).last }) where window != root {
        // A window that does not exist is noted with the parent `.none`.
        if notes.parents[window] != nil { continue }
        batch.parent(of: window) { [self] in notes.parents[window] = $0 ?? WindowID.none }
      }
      if batch.isEmpty { return }
      try ask(batch)
    }
  }

  /// A window and its known ancestors, up to the root.
  private func path(from window: WindowID) -> [WindowID] {
    var path = [window]
    while let last = path.last, last != root, path.count < Self.deepestNesting {
      guard let parent = tree?[last]?.parent ?? notes.parents[last], parent != .none else { break }
      path.append(parent)
    }
    return path
  }

  /// `nil` without the SHAPE extension, and for the root window.
  func shape(of window: WindowID) throws(Unanswered) -> WindowShape? {
    try learn([window], withChildren: false)
    return tree?[window]?.shape
  }

  /// The window as a drop target; `nil` if it takes no drops.
  func target(_ window: WindowID) throws(Unanswered) -> DropTarget? {
    adopt(window)
    try learn([window], withChildren: false)
    guard case .aware(let target)? = tree?[window]?.awareness else { return nil }
    return target
  }

  /// The class of the program that a window of the tree belongs to; `nil` if the window has none.
  func programClass(of window: WindowID) throws(Unanswered) -> String? {
    if let known = tree?[window]?.programClass { return known.name }
    var batch = RequestBatch(display)
    properties.ask(for: .windowClass, of: window, in: &batch) { [self] value in
      let name = value?.format == 8 ? WindowClass.program(in: value?.bytes.array ?? []) : nil
      tree?.setProgramClass(name, of: window)
    }
    try ask(batch)
    return tree?[window]?.programClass?.name
  }

  /// Queries the unknown shape, `XdndProxy` and `XdndAware` of windows of the tree, and watches the windows: usually
  /// one round trip, at most three, and one for each event mask that may have changed.
  ///
  /// - Parameter withChildren: Whether their children are likely to be needed, as for window managers' frames.
  func learn(_ windows: [WindowID], withChildren: Bool) throws(Unanswered) {
    let windows = windows.filter(isIncomplete)
    guard !windows.isEmpty else { return }
    try watch(windows, withChildren ? PropertyChangeMask | SubstructureNotifyMask : PropertyChangeMask)
    var batch = RequestBatch(display)
    for window in windows where lacksShape(window) {
      shapes?.ask(about: window, in: &batch) { [self] shape in
        guard var shape, let geometry = tree?[window]?.geometry else {
          return apply(.destroyed, to: window, serial: 0)
        }
        shape.completeBorder(of: geometry)
        tree?.setShape(shape, of: window)
      }
    }
    if withChildren {
      for window in windows where tree?[window]?.children == nil { askChildren(of: window, in: &batch) }
    }
    let unaware = windows.filter { tree?[$0]?.awareness == nil }
    askClaims(of: unaware, in: &batch)
    try ask(batch)
    // A proxy is valid only if its own `XdndProxy` names itself (XDND, "XdndProxy"): the property may have been left by
    // a client that crashed, and the id reused by another window. Otherwise the window itself is the destination.
    var proxies = RequestBatch(display)
    askClaims(of: Set(unaware.compactMap { notes.claims[$0]?.proxy }), in: &proxies)
    try ask(proxies)
    for window in unaware {
      let proxy = notes.claims[window]?.proxy.flatMap { notes.claims[$0]?.proxy == $0 ? $0 : nil }
      let destination = proxy ?? window
      let version = notes.claims[destination]?.version.flatMap { ProtocolVersion(negotiatedWith: $0) }
      let target = version.map { DropTarget(window: window, destination: destination, version: $0) }
      tree?.setAwareness(target.map { .aware($0) } ?? .unaware, of: window)
    }
  }

  private func isIncomplete(_ window: WindowID) -> Bool {
    guard let node = tree?[window] else { return false }
    return node.awareness == nil || lacksShape(window)
  }

  private func lacksShape(_ window: WindowID) -> Bool {
    guard let node = tree?[window] else { return false }
    return node.shape == nil && node.geometry != nil && shapes != nil && window != root
  }

  /// Adds the requests for the `XdndProxy` and `XdndAware` of windows, unless these are known.
  private func askClaims(of windows: some Sequence<WindowID>, in batch: inout RequestBatch) {
    for window in windows where notes.claims[window] == nil {
      var proxy: WindowID?
      properties.askWords(in: .xdndProxy, of: window, type: .window, limit: 1, in: &batch) { words in
        proxy = words?.first.flatMap { $0 == 0 ? nil : WindowID(rawValue: $0) }
      }
      properties.askWords(in: .xdndAware, of: window, type: .atom, limit: 1, in: &batch) { [self] words in
        notes.claims[window] = Claim(proxy: proxy, version: words?.first)
      }
    }
  }

  private func watch(_ windows: [WindowID], _ mask: Int) throws(Unanswered) {
    let windows = windows.filter { watched[$0, default: 0] & mask != mask }
    try ask(aboutGeometry: windows.filter { notes.masks[$0] == nil })
    for window in windows {
      let fresh = mask & ~watched[window, default: 0]
      guard let known = notes.masks[window] else { continue }
      guard masks.add(fresh, to: window, known: known, onError: .swallow) else { continue }
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
