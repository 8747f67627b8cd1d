import Testing

@testable import XDnD

@Suite struct `Shapes and their edges` {
  private static let shapes: [Shape] = [
    .circle(center: Vector(20, 20), radius: 12.3),
    .roundedRectangle(Bounds(min: Vector(3, 5), max: Vector(36, 31.5)), radius: 6),
    .roundedRectangle(Bounds(min: Vector(3, 5), max: Vector(36, 20)), radius: 99),
    .capsule(from: Vector(8, 8), to: Vector(30, 25), radius: 4),
    .polygon([Vector(4, 4), Vector(36, 10), Vector(20, 36)]),
    .union([.circle(center: Vector(12, 12), radius: 7), .circle(center: Vector(24, 24), radius: 9)]),
    .expansion(.polygon([Vector(10, 10), Vector(30, 10), Vector(20, 30)]), by: 4),
    .stroke(Numeral(digit: 8).path.mapped { $0 * Vector(20, 30) + 5 }, width: 3),
  ]

  private static func filled(_ shape: Shape, side: Int = 40) -> Bitmap {
    var bitmap = Bitmap(width: side, height: side)
    bitmap.fill(shape, with: 0xFF20_4060)
    return bitmap
  }

  private static func coverage(_ bitmap: Bitmap) -> Double {
    bitmap.pixels.reduce(0) { $0 + Double($1 >> 24) / 255 }
  }

  @Test(arguments: shapes)
  func `filling in long runs gives what looking at each pixel gives`(shape: Shape) {
    var expected = Bitmap(width: 40, height: 40)
    for index in expected.pixels.indices {
      let place = Vector(Double(index % 40) + 0.5, Double(index / 40) + 0.5)
      let coverage = min(max(0.5 - shape.distance(from: place), 0), 1)
      expected.pixels[index] = Pixel.scaled(0xFF20_4060, by: coverage.channel)
    }
    #expect(Self.filled(shape) == expected)
  }

  @Test(arguments: shapes)
  func `a shape lies within its bounds, and no distance is longer than the way`(shape: Shape) {
    let bounds = shape.bounds
    for y in stride(from: -10.0, to: 50, by: 2.3) {
      for x in stride(from: -10.0, to: 50, by: 1.7) {
        let place = Vector(x, y)
        let distance = shape.distance(from: place)
        let isWithin = x >= bounds.min.x && x <= bounds.max.x && y >= bounds.min.y && y <= bounds.max.y
        if distance < 0, !isWithin { Issue.record("\(place) is out of bounds") }
        let next = shape.distance(from: place + Vector(0.6, 0.8))
        // Also a distance that is no number is wrong.
        if !(abs(next - distance) <= 1.0001) { Issue.record("from \(distance) to \(next) at \(place)") }
      }
    }
  }

  @Test func `a disc has the area of a circle at any place between pixels`() {
    for step in 0..<8 {
      let offset = Double(step) / 8
      let disc = Self.filled(.circle(center: Vector(20 + offset, 20 - offset), radius: 11))
      #expect(abs(Self.coverage(disc) - 3.14159 * 121) < 2)
    }
  }

  @Test func `a shape about the middle is the same from both sides`() {
    let disc = Self.filled(.circle(center: Vector(20, 20), radius: 13))
    for y in 0..<40 {
      for x in 0..<40 where disc[x, y] != disc[39 - x, y] || disc[x, y] != disc[y, x] {
        Issue.record("\(x) \(y)")
      }
    }
  }

  @Test func `what lies outside of the picture is left out, and shapes of nothing are nothing`() {
    for shape: Shape in [
      .circle(center: Vector(-100, 5), radius: 20), .circle(center: Vector(1e9, 1e9), radius: 3),
      .circle(center: Vector(.nan, 0), radius: 3), .polygon([]), .union([]), .stroke(Path(), width: 3),
      .circle(center: Vector(5, 5), radius: -3),
    ] {
      #expect(Self.coverage(Self.filled(shape)) == 0, "\(shape)")
    }
    let all = Self.filled(.circle(center: Vector(20, 20), radius: 1e7))
    #expect(Self.coverage(all) == 1600)
    #expect(Self.coverage(Self.filled(.circle(center: Vector(0, 0), radius: 10))) > 70)
  }

  @Test func `a curve of four parts is a circle`() {
    var path = Path()
    path.ellipse(center: Vector(20, 20), radii: Vector(15, 15))
    for place in path.lines.joined() { #expect(abs((place - 20).length - 15) < 0.05) }
  }
}
