/// What is known of the windows on the screen: a model that is filled where somebody looks, and kept true by events.
///
/// A pure value. Everything in it is optional, for "not asked yet"; ``WindowLocator`` asks.
struct WindowTree: Equatable {
  struct Node: Equatable {
    var parent: WindowID?
    var geometry: Geometry?
    var shape: WindowShape?
    /// From the bottom to the top.
    var children: [WindowID]?
    var awareness: Awareness?
    /// Events that the server made before it answered are stale: they are in the answer already.
    var geometrySerial: UInt = 0
    var childrenSerial: UInt = 0
  }

  struct Geometry: Equatable {
    /// With the border, relative to the inside of the parent's border.
    var frame: Rect
    var border: Int
    var isMapped: Bool
  }

  /// What a window says about drops.
  enum Awareness: Equatable {
    case unaware
    case aware(DropTarget)
  }

  /// News about a window whose parent we watch.
  enum Change: Equatable {
    case created(parent: WindowID)
    case destroyed
    case reparented(to: WindowID)
    case mapped
    case unmapped
    /// `above` is the sibling right below it, `.none` at the bottom.
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

  // MARK: Answers of the server

  mutating func setChildren(_ children: [WindowID], of window: WindowID, serial: UInt) {
    nodes[window]?.children = children
    nodes[window]?.childrenSerial = serial
    for child in children where nodes[child]?.parent != window {
      nodes[child] = Node(parent: window)
    }
  }

  mutating func setGeometry(_ geometry: Geometry, of window: WindowID, serial: UInt) {
    nodes[window]?.geometry = geometry
    nodes[window]?.geometrySerial = serial
  }

  mutating func setShape(_ shape: WindowShape, of window: WindowID) {
    nodes[window]?.shape = shape
  }

  mutating func setAwareness(_ awareness: Awareness, of window: WindowID) {
    nodes[window]?.awareness = awareness
  }

  // MARK: Events

  /// Works a change in.
  ///
  /// - Returns: The windows that are not in the tree any more.
  mutating func apply(_ change: Change, to window: WindowID, serial: UInt) -> [WindowID] {
    switch change {
    case .created(let parent):
      insert(window, on: parent, serial: serial)
    case .destroyed:
      return remove(window)
    case .reparented(let parent):
      // Nothing that was known of it holds in its new place.
      let removed = remove(window)
      insert(window, on: parent, serial: serial)
      return removed
    case .mapped, .unmapped:
      updateGeometry(of: window, serial: serial) { $0.isMapped = change == .mapped }
    case .configured(let frame, let border, let above):
      let old = nodes[window]?.geometry?.frame
      if old?.width != frame.width || old?.height != frame.height {
        // The shape of a window without one is its size, and nothing tells the two kinds apart.
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

  /// Forgets a window and all below it.
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

  /// A window that comes to a parent is on top of its siblings.
  private mutating func insert(_ window: WindowID, on parent: WindowID, serial: UInt) {
    guard let siblings = nodes[parent]?.children, let asked = nodes[parent]?.childrenSerial, serial >= asked else {
      return
    }
    if nodes[window]?.parent != parent { nodes[window] = Node(parent: parent) }
    nodes[parent]?.children = siblings.filter { $0 != window } + [window]
  }

  private mutating func updateGeometry(of window: WindowID, serial: UInt, _ update: (inout Geometry) -> Void) {
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
      // A sibling that we have never heard of: the order has to be asked for again.
      nodes[parent]?.children = nil
      return
    }
    nodes[parent]?.children = siblings
  }
}

/// Where a window is seen and where it takes input, relative to the inside of its border.
struct WindowShape: Equatable {
  var bounding: [Rect]
  var input: [Rect]

  /// Whether the pointer at this place would be in the window.
  func contains(_ point: Point) -> Bool {
    bounding.contains { $0.contains(point) } && input.contains { $0.contains(point) }
  }

  /// Puts right what the X.Org server says of windows without a shape: it counts the border on one side only.
  mutating func completeBorder(of geometry: WindowTree.Geometry) {
    let (border, frame) = (geometry.border, geometry.frame)
    let said = Rect(x: -border, y: -border, width: frame.width - border, height: frame.height - border)
    let meant = Rect(x: -border, y: -border, width: frame.width, height: frame.height)
    if bounding == [said] { bounding = [meant] }
    if input == [said] { input = [meant] }
  }
}
