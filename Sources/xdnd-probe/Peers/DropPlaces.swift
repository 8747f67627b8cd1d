import ScriptedClient
import XDnD

/// Finds the windows that accept drops.
struct DropPlaces {
  let peer: ScriptedClient

  init(_ peer: ScriptedClient) { self.peer = peer }

  /// Returns the window that accepts drops at a root position: the outermost within `window`, or else its nearest
  /// ancestor.
  func target(at place: Point, in window: WindowID) -> WindowID? {
    if let inner = descend(window, place, depth: 0) { return inner }
    return peer.ancestors(of: window).first(where: isAware)
  }

  /// Whether a window has `XdndAware` or `XdndProxy`.
  func isAware(_ window: WindowID) -> Bool {
    peer.readProperty("XdndAware", of: window) != nil || peer.readProperty("XdndProxy", of: window) != nil
  }

  private func descend(_ window: WindowID, _ place: Point, depth: Int) -> WindowID? {
    if isAware(window) { return window }
    guard depth < 64 else { return nil }
    let child = peer.children(of: window).last { peer.isViewable($0) && peer.frame(of: $0)?.contains(place) ?? false }
    return child.flatMap { descend($0, place, depth: depth + 1) }
  }
}
