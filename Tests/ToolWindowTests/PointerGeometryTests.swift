import Testing

@testable import XDnDToolWindow

@Suite("Windows at the pointer")
struct PointerGeometryTests {
  private let monitor = PixelArea(origin: PixelPoint(x: 1000, y: 200), size: PixelSize(width: 800, height: 600))

  private func origin(_ x: Int, _ y: Int, width: Int = 300, height: Int = 200) -> [Int] {
    let origin = Geometry.origin(
      of: PixelSize(width: width, height: height), grippedAt: PixelPoint(x: 150, y: 75), by: PixelPoint(x: x, y: y),
      within: monitor)
    return [origin.x, origin.y]
  }

  @Test func `the pointer has the window where it is to be held`() {
    #expect(origin(1400, 500) == [1250, 425])
  }

  @Test func `near the edges the window stays on the pointer's monitor`() {
    #expect(origin(1001, 201) == [1000, 200])
    #expect(origin(1799, 799) == [1500, 600])
  }

  @Test func `of a window that is too large the beginning is there`() {
    #expect(origin(1799, 799, width: 2000, height: 900) == [1000, 200])
  }

  @Test func `a monitor ends before its far edges`() {
    #expect(monitor.contains(PixelPoint(x: 1000, y: 200)))
    #expect(monitor.contains(PixelPoint(x: 1799, y: 799)))
    #expect(!monitor.contains(PixelPoint(x: 1800, y: 799)))
    #expect(!monitor.contains(PixelPoint(x: 999, y: 300)))
  }
}
