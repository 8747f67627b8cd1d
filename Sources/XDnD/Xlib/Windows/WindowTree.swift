/// A cache of the window hierarchy, filled on demand and kept current by events.
///
/// A pure value. Properties of a node are `nil` until they have been queried.
struct WindowTree: Equatable {
  struct Node: Equatable {
    var parent: WindowID?
    var geometry: WindowGeometry?
    var shape: WindowShape?
    /// In stacking order, bottom-most first.
    var children: [WindowID]?
    var awareness: Awareness?
    var programClass: ProgramClass?
    /// The serial number of the geometry query. Earlier events are outdated: the reply includes them.
    var geometrySerial: UInt = 0
    var childrenSerial: UInt = 0
  }

  /// Whether a window takes XDND messages, by its `XdndAware` and `XdndProxy`.
  enum Awareness: Equatable {
    case unaware
    case aware(DropTarget)
  }

  /// The class in `WM_CLASS`, if there is one.
  struct ProgramClass: Equatable {
    var name: String?
  }

  /// A change of a window on which, or on whose parent, events are selected.
  enum Change: Equatable {
    case created(parent: WindowID)
    case destroyed
    case reparented(to: WindowID)
    case mapped
    case unmapped
    /// `above` is the sibling right below the window, as in `XConfigureEvent`; `.none` at the bottom.
    case configured(frame: Rect, border: Int, above: WindowID)
    case moved(Point)
    case circulated(toTop: Bool)
    case reshaped
    case awarenessChanged
  }

  private(set) var nodes: [WindowID: Node] = [:]

  init(root: WindowID) {
    nodes[root] = Node(parent: nil)
  }

  subscript(window: WindowID) -> Node? { nodes[window] }

  // MARK: Replies of the server

  /// Adds a window whose place in the hierarchy is unknown. Does nothing if it is in the tree.
  mutating func adopt(_ window: WindowID) {
    if nodes[window] == nil { nodes[window] = Node(parent: nil) }
  }

  mutating func setChildren(_ children: [WindowID], of window: WindowID, serial: UInt) {
    nodes[window]?.children = children
    nodes[window]?.childrenSerial = serial
    for child in children where nodes[child]?.parent != window {
      nodes[child] = Node(parent: window)
    }
  }

  mutating func setGeometry(_ geometry: WindowGeometry, of window: WindowID, serial: UInt) {
    nodes[window]?.geometry = geometry
    nodes[window]?.geometrySerial = serial
  }

  /// Adds a window with its place in its parent, or replaces everything cached about it.
  mutating func setPlace(_ geometry: WindowGeometry, in parent: WindowID, of window: WindowID, serial: UInt) {
    nodes[window] = Node(parent: parent, geometry: geometry, geometrySerial: serial)
  }

  mutating func setShape(_ shape: WindowShape, of window: WindowID) {
    nodes[window]?.shape = shape
  }

  mutating func setAwareness(_ awareness: Awareness, of window: WindowID) {
    nodes[window]?.awareness = awareness
  }

  mutating func setProgramClass(_ name: String?, of window: WindowID) {
    nodes[window]?.programClass = ProgramClass(name: name)
  }

  // MARK: Places

  /// A window and its ancestors, up to a child of the root or to a window whose parent is unknown.
  func path(from window: WindowID, below root: WindowID) -> [WindowID] {
    var path: [WindowID] = []
    var next = window
    // The root of another screen has no parent.
    while next != root, next != .none, path.count < WindowHierarchy.deepestNesting {
      path.append(next)
      guard let parent = nodes[next]?.parent else { break }
      next = parent
    }
    return path
  }

  /// The upper-left corner of a window (inside its border), in root coordinates. `nil` unless the places of all windows
  /// on the way to the root are known.
  func origin(of window: WindowID, below root: WindowID) -> Point? {
    let path = path(from: window, below: root)
    guard let last = path.last, nodes[last]?.parent == root else { return nil }
    var origin = Point(x: 0, y: 0)
    for window in path {
      guard let geometry = nodes[window]?.geometry else { return nil }
      origin = origin + geometry.inside.origin
    }
    return origin
  }

  // MARK: Events

  /// Applies a change.
  ///
  /// - Returns: The windows that have left the tree.
  mutating func apply(_ change: Change, to window: WindowID, serial: UInt) -> [WindowID] {
    switch change {
    case .created(let parent):
      insert(window, on: parent, serial: serial)
    case .destroyed:
      return remove(window)
    case .reparented(let parent):
      // Nothing cached about the window is valid in its new place.
      let removed = remove(window)
      insert(window, on: parent, serial: serial)
      return removed
    case .mapped, .unmapped:
      updateGeometry(of: window, serial: serial) { $0.isMapped = change == .mapped }
    case .configured(let frame, let border, let above):
      let old = nodes[window]?.geometry?.frame
      if old?.width != frame.width || old?.height != frame.height {
        // An unshaped window's shape follows its size, and the reply does not tell whether a window is shaped.
        nodes[window]?.shape = nil
      }
      updateGeometry(of: window, serial: serial) {
        $0.frame = frame
        $0.border = border
      }
      restack(window, above: above, serial: serial)
    case .moved(let origin):
      updateGeometry(of: window, serial: serial) { $0.frame.origin = origin }
    case .circulated(let toTop):
      guard let parent = nodes[window]?.parent, let top = nodes[parent]?.children?.last else { break }
      restack(window, above: toTop ? top : .none, serial: serial)
    case .reshaped:
      nodes[window]?.shape = nil
    case .awarenessChanged:
      nodes[window]?.awareness = nil
    }
    return []
  }

  /// Removes a window and its descendants, and returns them.
  mutating func remove(_ window: WindowID) -> [WindowID] {
    guard let node = nodes.removeValue(forKey: window) else { return [] }
    if let parent = node.parent {
      nodes[parent]?.children?.removeAll { $0 == window }
    }
    var removed = [window]
    for child in node.children ?? [] where nodes[child]?.parent == window {
      removed += remove(child)
    }
    return removed
  }

  /// Adds a window on top of its siblings, where the server places created and reparented windows.
  private mutating func insert(_ window: WindowID, on parent: WindowID, serial: UInt) {
    guard let siblings = nodes[parent]?.children, let asked = nodes[parent]?.childrenSerial, serial >= asked else {
      return
    }
    if nodes[window]?.parent != parent { nodes[window] = Node(parent: parent) }
    nodes[parent]?.children = siblings.filter { $0 != window } + [window]
  }

  private mutating func updateGeometry(of window: WindowID, serial: UInt, _ update: (inout WindowGeometry) -> Void) {
    guard let node = nodes[window], var geometry = node.geometry, serial >= node.geometrySerial else { return }
    update(&geometry)
    nodes[window]?.geometry = geometry
  }

  private mutating func restack(_ window: WindowID, above: WindowID, serial: UInt) {
    guard above != window, let parent = nodes[window]?.parent, let node = nodes[parent],
      serial >= node.childrenSerial, var siblings = node.children
    else { return }
    siblings.removeAll { $0 == window }
    if above == .none {
      siblings.insert(window, at: 0)
    } else if let below = siblings.firstIndex(of: above) {
      siblings.insert(window, at: below + 1)
    } else {
      // An unknown sibling: query the stacking order again.
      nodes[parent]?.children = nil
      return
    }
    nodes[parent]?.children = siblings
  }
}

/// The bounding and input shapes of a window, relative to the inside of its border.
struct WindowShape: Equatable {
  var bounding: [Rect]
  var input: [Rect]

  /// Whether the pointer at `point` is in the window: both shapes contain it.
  func contains(_ point: Point) -> Bool {
    bounding.contains { $0.contains(point) } && input.contains { $0.contains(point) }
  }

  /// Corrects the X.Org server's reply for unshaped windows, which counts the border on one side only.
  mutating func completeBorder(of geometry: WindowGeometry) {
    let (border, frame) = (geometry.border, geometry.frame)
    let said = Rect(x: -border, y: -border, width: frame.width - border, height: frame.height - border)
    let meant = Rect(x: -border, y: -border, width: frame.width, height: frame.height)
    if bounding == [said] { bounding = [meant] }
    if input == [said] { input = [meant] }
  }
}
