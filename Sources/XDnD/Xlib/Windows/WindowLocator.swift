/// Hit testing: finds the drop target at a root position.
struct WindowLocator {
  let hierarchy: WindowHierarchy
  let windows: WindowQueries

  /// See ``WindowSystem/locateTarget(at:)``.
  func locateTarget(at point: Point) -> DropTarget? {
    hierarchy.search {
      guard var (window, local) = hierarchy.child(of: hierarchy.root, at: point) else {
        return hierarchy.target(hierarchy.root)
      }
      // From here on, only descendants of this top-level window count. Windows that it covers are not under the pointer,
      // even if it takes no drops itself.
      while true {
        if let target = hierarchy.target(window) { return target }
        guard let next = hierarchy.child(of: window, at: local) else { return nil }
        (window, local) = next
      }
    }
  }

  /// See ``WindowSystem/visiblePlace(of:in:)``.
  func visiblePlace(of frame: Rect, in window: WindowID) -> Rect? {
    guard !frame.isEmpty, let origin = windows.origin(of: window), let state = windows.state(of: window),
      state.isViewable, state.visual != nil
    else { return nil }
    let place = frame.moved(by: origin)
    guard windows.screen.contains(place.middle), isUncovered(window, at: place.middle) else { return nil }
    return place
  }

  /// Whether a window's top-level window is the topmost one at a root position.
  private func isUncovered(_ window: WindowID, at point: Point) -> Bool {
    hierarchy.search {
      // A window manager's frame counts as part of the window, so go up to the child of the root.
      var top = window
      for _ in 0..<WindowHierarchy.deepestNesting {
        guard let parent = windows.parent(of: top) else { return false }
        if parent == hierarchy.root { return hierarchy.child(of: parent, at: point)?.0 == top }
        top = parent
      }
      return false
    }
  }
}
