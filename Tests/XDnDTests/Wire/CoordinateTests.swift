import Testing

@testable import XDnD

@Suite struct PackedPairTests {
  static let borders = [-0x8000, -0x7FFF, -1920, -1, 0, 1, 1919, 0x7FFE, 0x7FFF]

  @Test func `coordinates of either sign come back, up to the borders of 16 bits`() {
    for x in Self.borders {
      for y in Self.borders {
        #expect(PackedPair.point(PackedPair.word(Point(x: x, y: y))) == Point(x: x, y: y))
      }
    }
  }

  @Test func `a negative y does not disturb x`() {
    #expect(PackedPair.word(Point(x: 0x1234, y: -2)) == 0x1234_FFFE)
    #expect(PackedPair.word(Point(x: -2, y: 0x1234)) == 0xFFFE_1234)
  }

  @Test func `what does not fit into 16 bits is cut, not trapped`() {
    #expect(PackedPair.word(Point(x: 0x1_0001, y: -0x1_0001)) == 0x0001_FFFF)
    #expect(PackedPair.word(.max, .min) == 0xFFFF_0000)
  }

  @Test func `a quiet rectangle is told as far as words can say it`() {
    func told(_ rect: Rect) -> Rect {
      let status = XdndMessage.Status(
        target: WindowID(rawValue: 1),
        acceptance: .init(operation: .copy, region: rect, wantsPositionsInside: false))
      return XdndMessage.status(status).words(version: .v5) { _ in Atom(rawValue: 1) }.statusRegion
    }
    let ordinary = Rect(x: -20, y: 30, width: 500, height: 400)
    #expect(told(ordinary) == ordinary)
    #expect(
      told(Rect(x: -40_000, y: 0, width: 50_000, height: 10)) == Rect(x: -32_768, y: 0, width: 42_768, height: 10))
    #expect(told(Rect(x: 0, y: 32_000, width: 10, height: 90_000)) == Rect(x: 0, y: 32_000, width: 10, height: 767))
    #expect(told(Rect(x: 40_000, y: 0, width: 10, height: 10)).isEmpty)
    #expect(told(Rect(x: 1, y: 1, width: .max, height: .max)) == Rect(x: 1, y: 1, width: 32_766, height: 32_766))
  }

  @Test func `sizes are unsigned`() {
    #expect(PackedPair.size(0xFFFF_8000) == (width: 65_535, height: 32_768))
    #expect(PackedPair.size(PackedPair.word(65_535, 1)) == (width: 65_535, height: 1))
  }
}

@Suite struct RectTests {
  @Test func `the right and bottom edges do not belong to a rectangle`() {
    let rect = Rect(x: -5, y: 10, width: 10, height: 1)
    #expect(rect.contains(Point(x: -5, y: 10)))
    #expect(rect.contains(Point(x: 4, y: 10)))
    #expect(!rect.contains(Point(x: 5, y: 10)))
    #expect(!rect.contains(Point(x: 0, y: 11)))
    #expect(!rect.contains(Point(x: -6, y: 10)))
  }

  @Test func `a negative size is none`() {
    #expect(Rect(x: 1, y: 2, width: -3, height: 4).isEmpty)
    #expect(!Rect(x: 1, y: 2, width: -3, height: 4).contains(Point(x: 1, y: 2)))
  }

  @Test func `the edges of a rectangle and its middle are numbers of pixels from the origin`() {
    let rect = Rect(x: -5, y: 10, width: 10, height: 3)
    #expect((rect.maxX, rect.maxY) == (5, 13))
    #expect(rect.middle == Point(x: 0, y: 11))
    #expect(rect.contains(Point(x: rect.maxX - 1, y: rect.maxY - 1)))
    #expect(Rect(x: 7, y: 8, width: 1, height: 1).middle == Point(x: 7, y: 8))
  }

  @Test func `two rectangles have their common pixels in common, and none if they only touch`() {
    let rect = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(rect.intersection(Rect(x: 4, y: -3, width: 20, height: 5)) == Rect(x: 4, y: 0, width: 6, height: 2))
    #expect(rect.intersection(Rect(x: 2, y: 3, width: 4, height: 5)) == Rect(x: 2, y: 3, width: 4, height: 5))
    #expect(rect.intersection(Rect(x: 10, y: 0, width: 10, height: 10)).isEmpty)
    #expect(rect.intersection(Rect(x: 20, y: 20, width: 1, height: 1)).isEmpty)
  }

  @Test func `an inset takes pixels away on both sides, and adds them where it is negative`() {
    let rect = Rect(x: 10, y: 20, width: 30, height: 40)
    #expect(rect.insetBy(dx: 3, dy: 5) == Rect(x: 13, y: 25, width: 24, height: 30))
    #expect(rect.insetBy(dx: -3, dy: 0) == Rect(x: 7, y: 20, width: 36, height: 40))
    #expect(!rect.insetBy(dx: 14, dy: 0).isEmpty)
    #expect(rect.insetBy(dx: 15, dy: 0).isEmpty)
    #expect(rect.insetBy(dx: 0, dy: 99).isEmpty)
  }

  @Test func `a rectangle is written like an X geometry`() {
    #expect(Rect(x: -1, y: 2, width: 3, height: 4).description == "3x4-1+2")
    #expect(Rect(x: 0, y: -2, width: 3, height: 4).description == "3x4+0-2")
  }
}
