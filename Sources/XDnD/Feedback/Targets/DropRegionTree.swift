/// Where the regions of a window are: nested rectangles, later ones above earlier ones.
///
/// A region counts only within those that it is nested in, as a view is seen only within the views around it.
struct DropRegionTree: Hashable, Sendable {
  struct Node: Hashable, Sendable {
    /// Whatever tells the regions apart.
    var id: Int
    /// In the coordinates of the window; `nil` is all of what it is nested in.
    var frame: Rect?
    var children: [Node] = []
  }

  var nodes: [Node]

  /// The regions at a place, the innermost first: those that the user sees there, and what these are nested in.
  func path(at point: Point) -> [Int] {
    var path: [Int] = []
    var level = nodes
    while let node = level.last(where: { $0.frame?.contains(point) ?? true }) {
      path.append(node.id)
      level = node.children
    }
    return path.reversed()
  }

  /// The innermost region at a place that fulfils the condition.
  func region(at point: Point, where condition: (Int) -> Bool) -> Int? { path(at: point).first(where: condition) }

  /// A part of a region around a place in which no other region begins; empty if the place is not the region's own, or
  /// the region has no end.
  func ownPart(of id: Int, around point: Point) -> Rect {
    let nothing = Rect(x: 0, y: 0, width: 0, height: 0)
    guard path(at: point).first == id else { return nothing }
    var part: Rect?
    var obstacles: [Rect] = []
    var level = nodes
    while let index = level.lastIndex(where: { $0.frame?.contains(point) ?? true }) {
      if let frame = level[index].frame { part = part?.intersection(frame) ?? frame }
      // Only what lies above can hide it; a later one without a frame would have been hit instead.
      obstacles += level[(index + 1)...].compactMap(\.frame)
      level = level[index].children
    }
    // What is nested in it, and does not contain the place.
    obstacles += level.compactMap(\.frame)
    return part.map { obstacles.reduce($0) { $0.cut(by: $1, around: point) } } ?? nothing
  }
}

extension Rect {
  /// The largest rectangle within this one that has a point, and nothing of another one that does not have it.
  fileprivate func cut(by other: Rect, around point: Point) -> Rect {
    let hole = intersection(other)
    guard !hole.isEmpty else { return self }
    let (right, bottom) = (origin.x + width, origin.y + height)
    let pieces = [
      Rect(x: origin.x, y: origin.y, width: hole.origin.x - origin.x, height: height),
      Rect(x: hole.origin.x + hole.width, y: origin.y, width: right - hole.origin.x - hole.width, height: height),
      Rect(x: origin.x, y: origin.y, width: width, height: hole.origin.y - origin.y),
      Rect(x: origin.x, y: hole.origin.y + hole.height, width: width, height: bottom - hole.origin.y - hole.height),
    ]
    return pieces.filter { $0.contains(point) }.max { $0.width * $0.height < $1.width * $1.height }
      ?? Rect(x: 0, y: 0, width: 0, height: 0)
  }
}
