/// A part of the screen, as disjoint rectangles: the visible part of a window that others partly cover.
struct Region: Hashable, Sendable {
  private(set) var rects: [Rect]

  init(_ rect: Rect) {
    rects = rect.isEmpty ? [] : [rect]
  }

  /// Creates the union of rectangles.
  init(_ rects: [Rect]) {
    self.rects = []
    for rect in rects {
      let more = Region(rect).subtracting(self)
      self.rects += more.rects
    }
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
    // The first of the largest, for a deterministic answer.
    return rects.reduce(nil) { (best: Rect?, next) in
      best.map { $0.width * $0.height >= next.width * next.height ? $0 : next } ?? next
    }?.middle
  }
}

extension Rect {
  /// The rest of the rectangle without `hole`: up to four rectangles.
  fileprivate func cut(out hole: Rect) -> [Rect] {
    let hole = intersection(hole)
    guard !hole.isEmpty else { return [self] }
    let (right, bottom) = (origin.x + width, origin.y + height)
    let (holeRight, holeBottom) = (hole.origin.x + hole.width, hole.origin.y + hole.height)
    return [
      Rect(x: origin.x, y: origin.y, width: width, height: hole.origin.y - origin.y),
      Rect(x: origin.x, y: hole.origin.y, width: hole.origin.x - origin.x, height: hole.height),
      Rect(x: holeRight, y: hole.origin.y, width: right - holeRight, height: hole.height),
      Rect(x: origin.x, y: holeBottom, width: width, height: bottom - holeBottom),
    ].filter { !$0.isEmpty }
  }
}
