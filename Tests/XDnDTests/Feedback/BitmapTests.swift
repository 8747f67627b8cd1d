import TestSupport
import Testing

@testable import XDnD

extension Bitmap {
  /// The pixel at a position; transparent outside.
  subscript(x: Int, y: Int) -> UInt32 {
    guard x >= 0, x < width, y >= 0, y < height else { return 0 }
    return pixels[y * width + x]
  }
}

@Suite(.computing) struct `Pictures in memory` {
  private static func filled(_ width: Int, _ height: Int, _ pixel: UInt32) -> Bitmap {
    var bitmap = Bitmap(width: width, height: height)
    for index in bitmap.pixels.indices { bitmap.pixels[index] = pixel }
    return bitmap
  }

  /// Noise that is the same in each run.
  private static func noise(_ width: Int, _ height: Int, seed: UInt32 = 1) -> Bitmap {
    var bitmap = Bitmap(width: width, height: height)
    var state = seed
    for index in bitmap.pixels.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      bitmap.pixels[index] = Pixel.premultiplied(state)
    }
    return bitmap
  }

  private static func part(of bitmap: Bitmap, _ rect: Rect) -> [UInt32] {
    (rect.origin.y..<rect.maxY).flatMap { y in (rect.origin.x..<rect.maxX).map { x in bitmap[x, y] } }
  }

  @Test func `pixels are taken only if their number is that of the size`() {
    #expect(Bitmap(width: 2, height: 3, pixels: Array(repeating: 0, count: 6))?.height == 3)
    #expect(Bitmap(width: 0, height: 7, pixels: [])?.isEmpty == true)
    #expect(Bitmap(width: 2, height: 3, pixels: [0]) == nil)
    #expect(Bitmap(width: -2, height: -3, pixels: Array(repeating: 0, count: 6)) == nil)
    #expect(Bitmap(width: .max, height: .max, pixels: []) == nil)
    #expect(Bitmap(width: 32768, height: 0, pixels: []) == nil)
  }

  @Test func `a colour that is stronger than its alpha is lowered to it`() {
    #expect(Bitmap(width: 2, height: 1, pixels: [0x80FF_4000, 0x00FF_FFFF])?.pixels == [0x8080_4000, 0])
  }

  @Test func `what is opaque hides what is below, what is transparent does not, and nothing spills over`() {
    #expect(Pixel.over(0xFF12_3456, 0xFFAB_CDEF) == 0xFF12_3456)
    #expect(Pixel.over(0, 0x8040_2010) == 0x8040_2010)
    for alpha in UInt32(0)...255 {
      let top = Pixel.premultiplied(alpha << 24 | 0xFF_FFFF)
      #expect(Pixel.over(top, 0xFFFF_FFFF) == 0xFFFF_FFFF)
      #expect(Pixel.isPremultiplied(Pixel.over(top, 0x7F7F_7F7F)))
    }
  }

  @Test func `halfway between two pixels is their mean`() {
    #expect(Pixel.mix(0xFF00_0000, 0xFFFF_FFFF, 128) == 0xFF7F_7F7F)
    #expect(Pixel.mix(0xFF12_3456, 0xFF12_3456, 77) == 0xFF12_3456)
  }

  @Test func `a picture that is laid over another is cut off at the edges`() {
    var page = Bitmap(width: 3, height: 3)
    page.draw(Self.filled(2, 2, 0xFF00_00FF), at: Point(x: -1, y: 2))
    #expect(page.pixels.map { $0 == 0 ? 0 : 1 } == [0, 0, 0, 0, 0, 0, 1, 0, 0])
    for origin in [Point(x: 3, y: 0), Point(x: -2, y: 0), Point(x: 0, y: -100_000), Point(x: 1_000_000, y: 5)] {
      var page = Bitmap(width: 3, height: 3)
      page.draw(Self.filled(2, 2, 0xFF00_00FF), at: origin)
      #expect(page.pixels.allSatisfy { $0 == 0 }, "\(origin)")
    }
  }

  @Test func `a picture that is neither scaled nor turned stays as it is, pixel by pixel`() {
    let picture = Self.noise(7, 5)
    var copied = Bitmap(width: 11, height: 9)
    copied.draw(picture, at: Point(x: 2, y: 3))
    var placed = Bitmap(width: 11, height: 9)
    placed.draw(picture, center: Vector(5.5, 5.5), scale: 1)
    #expect(placed == copied)
    #expect(Self.part(of: placed, Rect(x: 2, y: 3, width: 7, height: 5)) == picture.pixels)
  }

  @Test func `what is turned keeps its area, its colour inside and smooth edges`() {
    var page = Bitmap(width: 80, height: 80)
    page.draw(Self.filled(40, 40, 0xFFFF_0000), center: Vector(40, 40), scale: 1, rotation: Rotation(halfTangent: 0.15))
    #expect(page[40, 40] == 0xFFFF_0000)
    let area = page.pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
    #expect(abs(area - 1600) < 25)
    #expect(page.pixels.contains { (1...254).contains($0 >> 24) })
    #expect(page.pixels.allSatisfy(Pixel.isPremultiplied))
  }

  @Test func `scaling keeps the mean, and what is opaque stays opaque`() {
    let picture = Self.noise(60, 44)
    func mean(_ bitmap: Bitmap) -> Double {
      bitmap.pixels.reduce(0.0) { $0 + Double($1 >> 24) } / Double(bitmap.pixels.count)
    }
    for (width, height) in [(30, 22), (17, 13), (1, 1), (60, 1)] {
      let small = picture.scaled(toWidth: width, height: height)
      #expect(small.width == width && small.height == height)
      #expect(abs(mean(small) - mean(picture)) < 1, "\(width)x\(height)")
      #expect(small.pixels.allSatisfy(Pixel.isPremultiplied))
    }
    for side in [1, 3, 9, 10, 31, 90] {
      let flat = Self.filled(10, 10, 0xFF33_6699).scaled(toWidth: side, height: side)
      #expect(flat.pixels.allSatisfy { $0 == 0xFF33_6699 }, "\(side)")
    }
    #expect(Self.noise(800, 200).fitted(into: 400).height == 100)
    #expect(Self.noise(32, 32).fitted(into: 400) == Self.noise(32, 32))
    #expect(Self.noise(3000, 1).fitted(into: 10).height == 1)
  }

  @Test func `a picture is transparent beyond its edges`() {
    let picture = Self.filled(4, 4, 0xFFFF_FFFF)
    #expect(picture[-1, 0] == 0 && picture[0, 4] == 0)
  }

  @Test func `a shadow is soft, ends within its margin, and lies below its picture`() {
    let shadow = Shadow(radius: 8, drop: 3, opacity: 0.5)
    let picture = Self.filled(30, 20, 0xFFFF_FFFF).withShadow(shadow)
    #expect(picture.width == 30 + 2 * shadow.margin && picture.height == 20 + 2 * shadow.margin)
    #expect(Self.part(of: picture, Rect(x: 11, y: 11, width: 30, height: 20)).allSatisfy { $0 == 0xFFFF_FFFF })
    // No step at the outer edge: that would be seen as a box.
    for x in 0..<picture.width {
      #expect(picture[x, 0] >> 24 <= 2 && picture[x, picture.height - 1] >> 24 <= 2)
    }
    for y in 0..<picture.height {
      #expect(picture[0, y] >> 24 <= 2 && picture[picture.width - 1, y] >> 24 <= 2)
    }
    // It gets lighter and lighter away from the picture, and is darker below than above.
    let below = (31..<picture.height).map { picture[26, $0] >> 24 }
    #expect(zip(below, below.dropFirst()).allSatisfy { $0 >= $1 })
    #expect((below.first ?? 0) > picture[26, 10] >> 24)
    #expect(zip(below, below.dropFirst()).allSatisfy { $0 - $1 < 30 })
    #expect(picture.pixels.allSatisfy(Pixel.isPremultiplied))
  }
}
