/// The hierarchy of a window's regions: nested rectangles, later siblings above earlier ones.
///
/// A region is clipped to its ancestors, as a view is to its superviews.
struct DropRegionTree: Hashable, Sendable {
  struct Node: Hashable, Sendable {
    var id: Int
    /// In window coordinates; `nil` for all of the parent.
    var frame: Rect?
    var children: [Node] = []
  }

  var nodes: [Node]

  /// Hit testing: the visible region at a point and its ancestors, innermost first.
  func path(at point: Point) -> [Int] {
    var path: [Int] = []
    var level = nodes
    while let node = level.last(where: { $0.frame?.contains(point) ?? true }) {
      path.append(node.id)
      level = node.children
    }
    return path.reversed()
  }

  /// A rectangle around a point in which a region is the innermost one. Empty if the point hits another region, or if the
  /// region is unbounded.
  func ownPart(of id: Int, around point: Point) -> Rect {
    guard path(at: point).first == id else { return .zero }
    var part: Rect?
    var obstacles: [Rect] = []
    var level = nodes
    while let index = level.lastIndex(where: { $0.frame?.contains(point) ?? true }) {
      if let frame = level[index].frame { part = part?.intersection(frame) ?? frame }
      // Only later siblings can cover the region. A sibling without a frame would have been hit instead.
      obstacles += level[(index + 1)...].compactMap(\.frame)
      level = level[index].children
    }
    // Its children that do not contain the point.
    obstacles += level.compactMap(\.frame)
    return part.map { obstacles.reduce($0) { $0.cut(by: $1, around: point) } } ?? .zero
  }
}

extension Rect {
  /// The largest rectangle within this one that contains `point` and does not intersect `other`.
  fileprivate func cut(by other: Rect, around point: Point) -> Rect {
    let hole = intersection(other)
    guard !hole.isEmpty else { return self }
    let (left, top) = (origin.x, origin.y)
    let pieces = [
      Rect(left: left, top: top, right: hole.origin.x, bottom: maxY),
      Rect(left: hole.maxX, top: top, right: maxX, bottom: maxY),
      Rect(left: left, top: top, right: maxX, bottom: hole.origin.y),
      Rect(left: left, top: hole.maxY, right: maxX, bottom: maxY),
    ]
    return pieces.filter { $0.contains(point) }.max { $0.area < $1.area } ?? .zero
  }
}
