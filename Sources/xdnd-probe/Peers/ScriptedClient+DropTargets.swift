import ScriptedClient
import XDnD

extension ScriptedClient {
  func isDropTarget(_ window: WindowID) -> Bool {
    readProperty("XdndAware", of: window) != nil || readProperty("XdndProxy", of: window) != nil
  }

  /// Returns the drop target at a root position: the outermost within `window`, or else its nearest ancestor.
  func dropTarget(at place: Point, in window: WindowID) -> WindowID? {
    outermostDropTarget(at: place, in: window, depth: 0) ?? ancestors(of: window).first(where: isDropTarget)
  }

  private func outermostDropTarget(at place: Point, in window: WindowID, depth: Int) -> WindowID? {
    if isDropTarget(window) { return window }
    guard depth < 64 else { return nil }
    return viewableChild(of: window, at: place).flatMap { outermostDropTarget(at: place, in: $0, depth: depth + 1) }
  }

  func viewableChild(of window: WindowID, at place: Point) -> WindowID? {
    children(of: window).last { isViewable($0) && frame(of: $0)?.contains(place) ?? false }
  }

  /// Returns the visible drop targets within a window, the outermost of each branch, topmost first.
  func dropTargets(in window: WindowID, depth: Int = 0) -> [WindowID] {
    guard depth < 16, isViewable(window) else { return [] }
    if isDropTarget(window) { return [window] }
    return children(of: window).reversed().flatMap { dropTargets(in: $0, depth: depth + 1) }
  }

  /// Returns the window that receives the messages for a drop target in its place; `nil` if it receives them itself.
  ///
  /// A proxy window that does not name itself is stale, left behind by a program that has exited (XDND "XdndProxy").
  func proxy(of target: WindowID) -> WindowID? {
    guard let word = readProperty("XdndProxy", of: target)?.words.first else { return nil }
    let proxy = WindowID(rawValue: word)
    return readProperty("XdndProxy", of: proxy)?.words.first == word && proxy != target ? proxy : nil
  }
}

extension Rect {
  /// Returns the root position of a point in the window with this frame; by default that of its middle.
  func rootPosition(of place: Point?) -> Point {
    let inside = place ?? Point(x: width / 2, y: height / 2)
    return Point(x: origin.x + inside.x, y: origin.y + inside.y)
  }
}
