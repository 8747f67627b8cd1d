/// Finds the target of a drop on a given window, wherever the pointer is.
struct NamedTargetSearch {
  let hierarchy: WindowHierarchy
  let windows: WindowQueries

  /// See ``WindowSystem/dropTarget(for:at:)``.
  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace? {
    hierarchy.search { () throws(WindowHierarchy.Unanswered) -> DropPlace? in
      guard let geometry = try hierarchy.geometry(of: window), let origin = windows.origin(of: window) else {
        return nil
      }
      let inside = Rect(
        x: 0, y: 0, width: geometry.frame.width - 2 * geometry.border,
        height: geometry.frame.height - 2 * geometry.border)
      let point = point ?? Point(x: inside.width / 2, y: inside.height / 2)
      var target = try hierarchy.target(window)
      if target == nil { target = try self.target(inside: window, at: point, depth: 0) }
      if target == nil { target = try self.target(around: window) }
      guard let target else { return nil }
      return DropPlace(target: target, point: Point(x: origin.x + point.x, y: origin.y + point.y))
    }
  }

  /// The top-most descendant at a point, in `parent`'s coordinates, that takes drops.
  ///
  /// A window manager's frame contains the client's window. A client may have a child that covers it and only serves
  /// for drawing.
  private func target(inside parent: WindowID, at point: Point, depth: Int) throws(WindowHierarchy.Unanswered)
    -> DropTarget?
  {
    guard depth < WindowHierarchy.deepestNesting else { return nil }
    for window in try hierarchy.candidates(in: parent) {
      guard let geometry = try hierarchy.geometry(of: window), geometry.isMapped, geometry.frame.contains(point)
      else { continue }
      let local = Point(
        x: point.x - geometry.frame.origin.x - geometry.border, y: point.y - geometry.frame.origin.y - geometry.border)
      if let target = try hierarchy.target(window) { return target }
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
