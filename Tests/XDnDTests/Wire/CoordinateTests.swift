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

  @Test func `a rectangle is written like an X geometry`() {
    #expect(Rect(x: -1, y: 2, width: 3, height: 4).description == "3x4-1+2")
    #expect(Rect(x: 0, y: -2, width: 3, height: 4).description == "3x4+0-2")
  }
}
