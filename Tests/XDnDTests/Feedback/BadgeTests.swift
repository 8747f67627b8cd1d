import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct `The badge with the number of items` {
  private static let scales = [1.0, 1.5, 2, 3]
  private static let counts = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 47, 99, 100, 120, 888, 999, 1000, 1111, 8888, 9999, 10_000, 999_999, 1_000_000,
  ]

  @Test(arguments: scales)
  func `no digit is cut off, and its margins are the same on both sides`(scale: Double) {
    for count in Self.counts {
      let layout = BadgeDrawing.Layout(Numeral.of(count), scale: scale)
      for digit in layout.digits {
        #expect(digit.bounds.min.x >= layout.ink.min.x - 0.01 && digit.bounds.max.x <= layout.ink.max.x + 0.01)
        #expect(digit.bounds.min.y >= layout.ink.min.y - 0.01 && digit.bounds.max.y <= layout.ink.max.y + 0.01)
      }
      let left = layout.ink.min.x
      let right = Double(layout.width) - layout.ink.max.x
      let top = layout.ink.min.y
      let bottom = Double(layout.height) - layout.ink.max.y
      #expect(abs(left - right) < 0.01 && abs(top - bottom) < 0.01, "\(count)")
      // Clear of the rim everywhere, also at the round ends.
      #expect(left >= layout.rim + 2 * scale && top >= layout.rim + 2 * scale, "\(count)")
      #expect(layout.width >= layout.height)
    }
  }

  @Test(arguments: scales)
  func `digits do not touch each other`(scale: Double) {
    for count in Self.counts {
      let digits = BadgeDrawing.Layout(Numeral.of(count), scale: scale).digits
      for (digit, next) in zip(digits, digits.dropFirst()) {
        #expect(next.bounds.min.x - digit.bounds.max.x >= 0.9, "\(count)")
      }
    }
  }

  @Test(arguments: scales)
  func `all digits look different, in more than the smoothness of an edge`(scale: Double) throws {
    let badges =
      try (1...9).map { try #require(BadgeDrawing(count: $0, scale: scale)).bitmap } + [
        try #require(BadgeDrawing(count: 10, scale: scale)).bitmap
      ]
    for (index, badge) in badges.enumerated() {
      for other in badges[(index + 1)...] where other.width == badge.width {
        let difference = zip(badge.pixels, other.pixels).reduce(0) {
          $0 + (abs(Int($1.0 & 0xFF) - Int($1.1 & 0xFF)) > 100 ? 1 : 0)
        }
        #expect(Double(difference) > 3 * scale * scale, "\(index + 1)")
      }
    }
  }

  @Test func `a digit covers the same share of the badge at each scale`() throws {
    for digit in 0...9 {
      let shares = Self.scales.map { scale in
        let layout = BadgeDrawing.Layout([Numeral(digit: digit)], scale: scale)
        var bitmap = Bitmap(width: layout.width, height: layout.height)
        for shape in layout.digits { bitmap.fill(shape, with: 0xFFFF_FFFF) }
        return bitmap.pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 } / Double(layout.width * layout.height)
      }
      let largest = try #require(shares.max())
      let smallest = try #require(shares.min())
      #expect(smallest > 0.04 && largest / smallest < 1.25, "\(digit) \(shares)")
    }
  }

  @Test func `thousands have commas, above 999,999 there is a plus sign, below 1 there is no badge`() {
    #expect(Numeral.of(999).count == 3)
    #expect(Numeral.of(1000) == [Numeral(digit: 1), .comma] + Array(repeating: Numeral(digit: 0), count: 3))
    #expect(Numeral.of(10_000).count == 6)
    #expect(Numeral.of(1_000_000) == Numeral.of(999_999) + [.plus])
    #expect(Numeral.of(.max) == Numeral.of(1_000_000))
    #expect(Numeral.of(120) == [1, 2, 0].map { Numeral(digit: $0) })
    #expect(BadgeDrawing(count: 0, scale: 1) == nil)
    #expect(BadgeDrawing(count: .min, scale: 1) == nil)
  }

  @Test(arguments: scales)
  func `the badge is round: its corners are empty, its middle is not, and it is the same from left and right`(
    scale: Double
  ) throws {
    let badge = try #require(BadgeDrawing(count: 8, scale: scale))
    let bitmap = badge.bitmap
    let corner = bitmap[0, 0]
    #expect(corner >> 24 <= 2)
    #expect(bitmap[bitmap.width / 2, badge.frame.origin.y + Int(3 * scale)] >> 24 == 255)
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width / 2 {
        let other = bitmap[bitmap.width - 1 - x, y]
        if abs(Int(bitmap[x, y] >> 24) - Int(other >> 24)) > 1 || abs(Int(bitmap[x, y] & 0xFF) - Int(other & 0xFF)) > 24
        {
          Issue.record("\(x) \(y)")
        }
      }
    }
  }
}
