import XDnDConformance
import XDnD

/// Finds the windows that accept drops.
struct DropTargetSearch {
  private let client: ScriptedClient

  init(_ client: ScriptedClient) { self.client = client }

  func isTarget(_ window: WindowID) -> Bool {
    client.readProperty("XdndAware", of: window) != nil || client.readProperty("XdndProxy", of: window) != nil
  }

  /// Returns the drop target at a root position: the outermost within `window`, or else its nearest ancestor.
  func target(at place: Point, in window: WindowID) -> WindowID? {
    outermostTarget(at: place, in: window, depth: 0) ?? client.ancestors(of: window).first(where: isTarget)
  }

  private func outermostTarget(at place: Point, in window: WindowID, depth: Int) -> WindowID? {
    if isTarget(window) { return window }
    guard depth < 64 else { return nil }
    return viewableChild(of: window, at: place).flatMap { outermostTarget(at: place, in: $0, depth: depth + 1) }
  }

  func viewableChild(of window: WindowID, at place: Point) -> WindowID? {
    client.children(of: window).last { client.isViewable($0) && client.frame(of: $0)?.contains(place) ?? false }
  }

  /// Returns the visible drop targets within a window, the outermost of each branch, topmost first.
  func targets(in window: WindowID, depth: Int = 0) -> [WindowID] {
    guard depth < 16, client.isViewable(window) else { return [] }
    if isTarget(window) { return [window] }
    return client.children(of: window).reversed().flatMap { targets(in: $0, depth: depth + 1) }
  }

  /// Returns the window that receives the messages for a drop target in its place; `nil` if it receives them itself.
  ///
  /// A proxy window that does not name itself is stale, left behind by a program that has exited (XDND "XdndProxy").
  func proxy(of target: WindowID) -> WindowID? {
    guard let word = client.readProperty("XdndProxy", of: target)?.words.first else { return nil }
    let proxy = WindowID(rawValue: word)
    return client.readProperty("XdndProxy", of: proxy)?.words.first == word && proxy != target ? proxy : nil
  }
}

extension Rect {
  /// Returns the root position of a point in the window with this frame; by default that of its middle.
  func rootPosition(of place: Point?) -> Point {
    place.map { Point(x: origin.x + $0.x, y: origin.y + $0.y) } ?? middle
  }
}
