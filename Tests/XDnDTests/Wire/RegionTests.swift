import TestSupport
import Testing

@testable import XDnD

/// What can be seen of windows that others cover.
@Suite(.computing) struct RegionTests {
  func randomRect(_ random: inout SplitMix64) -> Rect {
    Rect(x: random.below(12) - 2, y: random.below(12) - 2, width: random.below(8), height: random.below(8))
  }

  @Test func `a region has exactly the pixels that counting them one by one gives`() {
    var random = SplitMix64(seed: 3)
    let pixels = (-3..<19).flatMap { x in (-3..<19).map { y in Point(x: x, y: y) } }
    for _ in 0..<300 {
      let some = (0..<4).map { _ in randomRect(&random) }
      let others = (0..<4).map { _ in randomRect(&random) }
      let (one, other) = (Region(some), Region(others))
      let (cut, both) = (one.subtracting(other), one.intersection(other))
      for pixel in pixels {
        let (isIn, isInOther) = (some.contains { $0.contains(pixel) }, others.contains { $0.contains(pixel) })
        // Expanding an expectation for each pixel would take seconds.
        if one.contains(pixel) != isIn || cut.contains(pixel) != (isIn && !isInOther)
          || both.contains(pixel) != (isIn && isInOther)
        {
          Issue.record("\(pixel) of \(some) and \(others)")
        }
      }
      for region in [one, cut, both] {
        for pixel in pixels where region.rects.count(where: { $0.contains(pixel) }) > 1 {
          Issue.record("rectangles overlap at \(pixel): \(region)")
        }
        #expect(region.rects.allSatisfy { !$0.isEmpty })
      }
    }
  }

  @Test func `the place of a region is the middle of the frame if that is seen, else one that is`() {
    let frame = Rect(x: 0, y: 0, width: 100, height: 100)
    #expect(Region(frame).place(in: frame) == Point(x: 50, y: 50))
    let rest = Region(frame).subtracting(Region(Rect(x: 0, y: 0, width: 60, height: 100)))
    #expect(rest.place(in: frame) == Point(x: 80, y: 50))
    #expect(Region(frame).subtracting(Region(frame)).place(in: frame) == nil)
    // A bar across the middle, and what is seen above and below it. Of two equal parts it is the first.
    for (top, middle) in [(20, 85), (30, 15), (25, 12)] {
      let around = Region(frame).subtracting(Region(Rect(x: 0, y: top, width: 100, height: 50)))
      #expect(around.place(in: frame) == Point(x: 50, y: middle))
    }
    let corner = Region(frame).subtracting(Region(Rect(x: 0, y: 0, width: 99, height: 100)))
    #expect(corner.place(in: frame).map(corner.contains) == true)
  }
}
