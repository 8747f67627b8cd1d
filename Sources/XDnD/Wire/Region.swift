/// A part of the screen, as disjoint rectangles: the visible part of a window that others partly cover.
struct Region: Hashable, Sendable {
  private(set) var rects: [Rect]

  init(_ rect: Rect) {
    rects = rect.isEmpty ? [] : [rect]
  }

  init(_ rects: [Rect]) {
    self.rects = []
    for rect in rects { self.rects += Region(rect).subtracting(self).rects }
  }

  var isEmpty: Bool { rects.isEmpty }

  func contains(_ point: Point) -> Bool { rects.contains { $0.contains(point) } }

  func intersection(_ other: Region) -> Region {
    var result = Region([])
    for rect in rects { result.rects += other.rects.map(rect.intersection).filter { !$0.isEmpty } }
    return result
  }

  func subtracting(_ other: Region) -> Region {
    other.rects.reduce(into: self) { rest, hole in rest.rects = rest.rects.flatMap { $0.cut(out: hole) } }
  }

  /// A point that represents the region: the middle of `frame` if it is in the region, otherwise the middle of the
  /// largest rectangle; `nil` if the region is empty.
  func place(in frame: Rect) -> Point? {
    if contains(frame.middle) { return frame.middle }
    // Among equally large ones, `max` returns the first, so the answer is deterministic.
    return rects.max { $0.area < $1.area }?.middle
  }
}

extension Rect {
  fileprivate func cut(out hole: Rect) -> [Rect] {
    let hole = intersection(hole)
    guard !hole.isEmpty else { return [self] }
    let (left, top) = (origin.x, origin.y)
    return [
      Rect(left: left, top: top, right: maxX, bottom: hole.origin.y),
      Rect(left: left, top: hole.origin.y, right: hole.origin.x, bottom: hole.maxY),
      Rect(left: hole.maxX, top: hole.origin.y, right: maxX, bottom: hole.maxY),
      Rect(left: left, top: hole.maxY, right: maxX, bottom: maxY),
    ].filter { !$0.isEmpty }
  }
}
