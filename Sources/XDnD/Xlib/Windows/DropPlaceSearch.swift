/// Finds places for drops without a pointer: the visible windows that take drops, each with a point at which the
/// pointer would be over it, and the target of a drop on a given window.
struct DropPlaceSearch {
  let hierarchy: WindowHierarchy
  let windows: WindowQueries

  /// The limits of the search: windows inspected, and nesting depth. Window managers' frames are two or three deep. If
  /// a program has a thousand windows inside one that takes no drops, none of them is likely to be a target.
  private static let budget = 1000
  private static let depth = 4
  /// The maximum number of a shape's rectangles after the first. A shape with more is assumed to cover its whole frame,
  /// and to be visible only in these rectangles.
  private static let rectangles = 64
  /// The maximum number of rectangles of all shapes, beyond one for each window. Each may split the free area into
  /// more pieces.
  private static let allRectangles = 1000
  /// The number of siblings in one batch of queries. Not all at once: the search ends at a window that fills the
  /// screen.
  private static let chunk = 32

  /// See ``WindowSystem/dropPlaces()``.
  func dropPlaces() -> [DropPlace] {
    hierarchy.search { () throws(WindowHierarchy.Unanswered) in
      let root = hierarchy.root
      guard let screen = try hierarchy.geometry(of: root)?.frame else { return [] }
      var search = Progress(free: Region(screen), left: Self.budget)
      try collect(in: root, at: Point(x: 0, y: 0), depth: 0, &search)
      // The desktop, if the root window takes drops.
      if let target = try hierarchy.target(root), let point = search.free.place(in: screen) {
        search.places.append(DropPlace(target: target, point: point))
      }
      return search.places
    } ?? []
  }

  private struct Progress {
    /// The area that no inspected window covers.
    var free: Region
    var left: Int
    var rectangles = DropPlaceSearch.allRectangles
    var places: [DropPlace] = []
  }

  /// Searches the children of `parent`, top-most first; each subtracts its area from the free area.
  ///
  /// - Parameter origin: The inner origin of `parent`, in root coordinates.
  private func collect(
    in parent: WindowID, at origin: Point, depth: Int, _ search: inout Progress
  ) throws(WindowHierarchy.Unanswered) {
    var windows: [WindowID] = []
    for window in try hierarchy.candidates(in: parent) {
      if try hierarchy.geometry(of: window)?.isMapped == true { windows.append(window) }
    }
    for (index, window) in windows.enumerated() {
      guard search.left > 0, !search.free.isEmpty else { return }
      if index % Self.chunk == 0 {
        try hierarchy.learn(Array(windows[index...].prefix(min(Self.chunk, search.left))), withChildren: depth == 0)
      }
      guard let geometry = try hierarchy.geometry(of: window) else { continue }
      search.left -= 1
      let frame = geometry.frame.moved(by: origin)
      let inside = geometry.inside.moved(by: origin)
      let (shown, covered) = try areas(of: window, frame, inside.origin, &search.rectangles)
      if let target = try hierarchy.target(window) {
        if Self.canBeSeen(geometry), let point = search.free.intersection(shown).place(in: frame) {
          search.places.append(DropPlace(target: target, point: point))
        }
      } else if depth < Self.depth {
        // Children are clipped to the window's visible area inside its border.
        var inner = search
        inner.free = search.free.intersection(shown).intersection(Region(inside))
        try collect(in: window, at: inside.origin, depth: depth + 1, &inner)
        (search.left, search.rectangles, search.places) = (inner.left, inner.rectangles, inner.places)
      }
      search.free = search.free.subtracting(covered)
    }
  }

  /// The area where a window gets the pointer, and the largest area that it may cover, in root coordinates.
  ///
  /// - Parameter left: The number of rectangles that may still be used; reduced by the call.
  private func areas(
    of window: WindowID, _ frame: Rect, _ inside: Point, _ left: inout Int
  ) throws(WindowHierarchy.Unanswered) -> (shown: Region, covered: Region) {
    let whole = Region(frame)
    guard let shape = try hierarchy.shape(of: window) else { return (whole, whole) }
    let limit = 1 + min(Self.rectangles, left)
    func area(_ rects: [Rect]) -> Region { Region(rects.prefix(limit).map { $0.moved(by: inside) }) }
    let shown = whole.intersection(area(shape.bounding)).intersection(area(shape.input))
    let count = max(shape.bounding.count, shape.input.count)
    let isWhole = count <= limit
    left -= max(0, min(count, limit) - 1)
    return (shown, isWhole ? shown : whole)
  }

  /// The minimum width and height of a window that a user can see and aim at.
  private static let smallestSide = 8

  /// KWin 5 keeps a window of 3×3 pixels, `InputOnly` and with `XdndAware`, in each active corner of the screen.
  private static func canBeSeen(_ geometry: WindowGeometry) -> Bool {
    !geometry.isInputOnly && min(geometry.frame.width, geometry.frame.height) >= smallestSide
  }

  // MARK: A given window

  /// See ``WindowSystem/dropTarget(for:at:)``.
  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace? {
    hierarchy.search { () throws(WindowHierarchy.Unanswered) -> DropPlace? in
      guard let geometry = try hierarchy.geometry(of: window), let origin = windows.origin(of: window) else {
        return nil
      }
      let point = point ?? Point(x: geometry.inside.width / 2, y: geometry.inside.height / 2)
      var target = try hierarchy.target(window)
      if target == nil { target = try self.target(inside: window, at: point, depth: 0) }
      if target == nil { target = try self.target(around: window) }
      guard let target else { return nil }
      return DropPlace(target: target, point: origin + point)
    }
  }

  /// The top-most descendant at a point, in `parent`'s coordinates, that takes drops.
  ///
  /// A window manager's frame contains the client's window. Windows below one that takes no drops are searched too: it
  /// may only serve for drawing.
  private func target(inside parent: WindowID, at point: Point, depth: Int) throws(WindowHierarchy.Unanswered)
    -> DropTarget?
  {
    guard depth < WindowHierarchy.deepestNesting else { return nil }
    for window in try hierarchy.candidates(in: parent) {
      guard let geometry = try hierarchy.geometry(of: window), geometry.isMapped, geometry.frame.contains(point)
      else { continue }
      if let target = try hierarchy.target(window) { return target }
      let local = point - geometry.inside.origin
      if let target = try target(inside: window, at: local, depth: depth + 1) { return target }
    }
    return nil
  }

  /// The nearest ancestor, below the root, that takes drops.
  private func target(around window: WindowID) throws(WindowHierarchy.Unanswered) -> DropTarget? {
    var window = window
    for _ in 0..<WindowHierarchy.deepestNesting {
      guard let parent = windows.parent(of: window), parent != hierarchy.root else { return nil }
      if let target = try hierarchy.target(parent) { return target }
      window = parent
    }
    return nil
  }
}
