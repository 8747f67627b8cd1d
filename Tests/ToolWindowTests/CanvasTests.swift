import Testing
import XDnD
import XDnDDrawing

@Suite("A drag image of one's own")
struct CanvasTests {
  private let red = Color(red: .max, green: 0, blue: 0)
  private let clear: UInt32 = 0

  private func pixel(_ x: Int, _ y: Int, of image: DragImage) -> UInt32 {
    image.bitmap.pixels[y * image.bitmap.width + x]
  }

  @Test func `a rectangle has round corners, and what is not drawn is transparent`() throws {
    let image = try #require(
      DragImage(width: 40, height: 20, scale: 2, hotspot: Point(x: 3, y: 4)) { canvas in
        canvas.fill(x: 0, y: 0, width: canvas.width / 2, height: canvas.height, with: red, cornerRadius: 8)
      })
    #expect((image.bitmap.width, image.bitmap.height) == (80, 40))
    #expect(image.hotspot == Point(x: 3, y: 4))
    #expect(pixel(20, 20, of: image) == 0xFFFF_0000)
    #expect(pixel(0, 0, of: image) == clear)
    #expect(pixel(60, 20, of: image) == clear)
  }

  @Test func `the whole canvas is filled, but for round corners`() throws {
    let image = try #require(DragImage(width: 40, height: 20) { $0.fill(with: red, cornerRadius: 8) })
    #expect([pixel(20, 0, of: image), pixel(39, 10, of: image)] == [0xFFFF_0000, 0xFFFF_0000])
    #expect([pixel(0, 0, of: image), pixel(39, 19, of: image)] == [clear, clear])
  }

  @Test func `text is drawn in its room`() throws {
    let image = try #require(
      DragImage(width: 200, height: 30) { $0.draw("many words, far more than fit", x: 10, width: 60, color: red) })
    let drawn = (0..<200).filter { x in (0..<30).contains { pixel(x, $0, of: image) != clear } }
    #expect(try #require(drawn.first) >= 9)
    #expect((60...71).contains(try #require(drawn.last)))
  }

  /// Two pixels, red and clear.
  private static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0xF4, 0x22, 0x7F, 0x8A, 0x00, 0x00, 0x00, 0x0F, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0x00, 0x44, 0x0C, 0x0C, 0x00, 0x0C, 0xFC, 0x01, 0xFF, 0x5C,
    0xFD, 0x14, 0x95, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  @Test func `an image in PNG is decoded, and scaled to its place`() throws {
    let picture = try #require(Bitmap(png: Self.png))
    #expect(picture == Bitmap(width: 2, height: 1, pixels: [0xFFFF_0000, 0]))
    let image = try #require(
      DragImage(width: 20, height: 10) { $0.draw(picture, x: 0, y: 0, width: 20, height: 10) })
    #expect(pixel(5, 5, of: image) >> 24 > 0xE0, "the middle of the red pixel")
    #expect(pixel(15, 5, of: image) >> 24 < 0x20)
  }

  @Test func `what is no PNG, is cut off, or names sides of gigabytes is no bitmap`() {
    #expect(Bitmap(png: []) == nil)
    #expect(Bitmap(png: Array(Self.png.prefix(50))) == nil)
    var huge = Self.png
    huge.replaceSubrange(16..<24, with: [0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF])
    #expect(Bitmap(png: huge) == nil)
  }

  @Test(arguments: [(0.0, 10.0), (10, -1), (40_000, 10), (.nan, 10), (10, .infinity)])
  func `an image without a side, or with one that X has not, is none`(_ width: Double, _ height: Double) {
    #expect(DragImage(width: width, height: height) { _ in } == nil)
  }
}
