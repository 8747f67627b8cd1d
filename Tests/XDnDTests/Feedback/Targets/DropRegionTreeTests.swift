import TestSupport
import Testing

@testable import XDnD

@Suite("The regions of a window")
struct DropRegionTreeTests {
  /// A window with a list (1) that has two rows (2, 3), and a button (4) that lies over a corner of the list.
  private static let tree = DropRegionTree(nodes: [
    .init(
      id: 1, frame: Rect(x: 0, y: 0, width: 100, height: 100),
      children: [
        .init(id: 2, frame: Rect(x: 0, y: 0, width: 100, height: 20)),
        .init(id: 3, frame: Rect(x: 0, y: 20, width: 200, height: 20)),
      ]),
    .init(id: 4, frame: Rect(x: 80, y: 80, width: 40, height: 40)),
  ])

  @Test func `the innermost comes first`() {
    #expect(Self.tree.path(at: Point(x: 5, y: 5)) == [2, 1])
    #expect(Self.tree.path(at: Point(x: 5, y: 25)) == [3, 1])
    #expect(Self.tree.path(at: Point(x: 5, y: 45)) == [1])
    #expect(Self.tree.path(at: Point(x: 500, y: 5)) == [])
  }

  @Test func `a region counts only within what it is nested in`() {
    #expect(Self.tree.path(at: Point(x: 150, y: 25)) == [])
  }

  @Test func `of two that overlap the later one is seen`() {
    #expect(Self.tree.path(at: Point(x: 90, y: 90)) == [4])
    #expect(Self.tree.path(at: Point(x: 110, y: 110)) == [4])
  }

  @Test func `a region without a frame is all of what it is nested in`() {
    let tree = DropRegionTree(nodes: [.init(id: 1, frame: nil, children: Self.tree.nodes)])
    #expect(tree.path(at: Point(x: -4000, y: 9000)) == [1])
    #expect(tree.ownPart(of: 1, around: Point(x: -4000, y: 9000)).isEmpty)
  }

  @Test func `the own part of a region ends where others begin`() {
    #expect(Self.tree.ownPart(of: 2, around: Point(x: 5, y: 5)) == Rect(x: 0, y: 0, width: 100, height: 20))
    #expect(Self.tree.ownPart(of: 3, around: Point(x: 5, y: 25)) == Rect(x: 0, y: 20, width: 100, height: 20))
    #expect(Self.tree.ownPart(of: 1, around: Point(x: 5, y: 45)) == Rect(x: 0, y: 40, width: 80, height: 60))
    #expect(Self.tree.ownPart(of: 1, around: Point(x: 90, y: 45)) == Rect(x: 0, y: 40, width: 100, height: 40))
    #expect(Self.tree.ownPart(of: 4, around: Point(x: 90, y: 90)) == Rect(x: 80, y: 80, width: 40, height: 40))
    #expect(Self.tree.ownPart(of: 1, around: Point(x: 5, y: 5)).isEmpty)
  }

  @Test func `in the own part of a region every place is its own, whatever the regions are`() {
    var random = SplitMix64(seed: 5)
    var quiet = 0
    for _ in 0..<3000 {
      var count = 0
      func nodes(_ depth: Int) -> [DropRegionTree.Node] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          count += 1
          let frame =
            Int.random(in: 0..<6, using: &random) == 0
            ? nil
            : Rect(
              x: Int.random(in: 0..<30, using: &random), y: Int.random(in: 0..<30, using: &random),
              width: Int.random(in: 0..<20, using: &random), height: Int.random(in: 0..<20, using: &random))
          return .init(id: count, frame: frame, children: depth == 0 ? [] : nodes(depth - 1))
        }
      }
      let tree = DropRegionTree(nodes: nodes(2))
      let point = Point(x: Int.random(in: 0..<40, using: &random), y: Int.random(in: 0..<40, using: &random))
      let path = tree.path(at: point)
      guard let id = path.first else { continue }
      let part = tree.ownPart(of: id, around: point)
      guard !part.isEmpty else { continue }
      quiet += 1
      #expect(part.contains(point))
      for y in part.origin.y..<part.maxY {
        for x in part.origin.x..<part.maxX where tree.path(at: Point(x: x, y: y)) != path {
          Issue.record("\(x), \(y) in \(part) is in other regions than \(point)")
        }
      }
    }
    #expect(quiet > 100)
  }
}
