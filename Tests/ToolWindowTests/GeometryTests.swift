import Testing

@testable import XDnDToolWindow

@Suite struct GeometryTests {
  private func geometry(_ string: String) throws -> Geometry {
    try #require(Geometry(string))
  }

  @Test func `a size alone leaves the position to the window manager`() throws {
    let parsed = try geometry("300x200")
    #expect(parsed.size == PixelSize(width: 300, height: 200))
    #expect(parsed.position == nil)
    #expect(parsed.origin(of: PixelSize(width: 1, height: 1), on: PixelSize(width: 100, height: 100)) == nil)
  }

  @Test func `a position alone leaves the size to the program`() throws {
    let parsed = try geometry("+10+20")
    #expect(parsed.size == nil)
    #expect(
      parsed.origin(of: PixelSize(width: 30, height: 40), on: PixelSize(width: 800, height: 600))
        == PixelPoint(x: 10, y: 20))
  }

  @Test func `a minus measures from the right and bottom edges`() throws {
    let parsed = try geometry("300x200-10-0")
    #expect(
      parsed.origin(of: PixelSize(width: 300, height: 200), on: PixelSize(width: 800, height: 600))
        == PixelPoint(x: 490, y: 400))
    #expect(parsed.position?.horizontal == .far(10))
    #expect(parsed.position?.vertical == .far(0))
  }

  @Test func `edges can be mixed and offsets can lead off the screen`() throws {
    let parsed = try geometry("=40X30+-5--7")
    #expect(parsed.size == PixelSize(width: 40, height: 30))
    #expect(
      parsed.origin(of: PixelSize(width: 40, height: 30), on: PixelSize(width: 100, height: 100))
        == PixelPoint(x: -5, y: 77))
  }

  @Test(arguments: [
    "", "=", "300", "300x", "x200", "0x10", "10x0", "300x200+", "300x200+1", "300x200+1+", "+1+2+3", "300x200 +1+2",
    "300x200+1+2 ", "-1", "99999x1", "1x1+99999+0", "1x1+1+2x", "a", "+a+b", "300*200", "+٣+٤", "--1+-", "1x1---1+0",
  ])
  func `anything else is no geometry`(_ string: String) {
    #expect(Geometry(string) == nil)
  }
}
