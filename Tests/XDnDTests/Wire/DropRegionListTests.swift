import Testing

@testable import XDnD

@Suite("The property that lists the regions of a window") struct DropRegionListTests {
  private func words(_ numbers: [Int]) -> [UInt32] { numbers.map { UInt32(bitPattern: Int32($0)) } }

  @Test func `what is written is read, also to the left of the window`() {
    let frames = [Rect(x: -10, y: 0, width: 100, height: 20), Rect(x: 0, y: 20, width: 1, height: 65_535)]
    guard case .words(let words) = DropRegionList.value(of: frames).contents else {
      Issue.record("The property has another format.")
      return
    }
    #expect(DropRegionList.frames(in: words) == frames)
  }

  @Test func `of any words there are only rectangles that a window can have`() {
    #expect(DropRegionList.frames(in: []) == [])
    #expect(DropRegionList.frames(in: words([0, 0, 10])) == [])
    let rectangle = [1, 2, 3, 4]
    for bad in [[0, 0, 0, 10], [0, 0, 10, -1], [40_000, 0, 1, 1], [0, -40_000, 1, 1], [0, 0, 1, 70_000]] {
      #expect(DropRegionList.frames(in: words(bad + rectangle)) == [Rect(x: 1, y: 2, width: 3, height: 4)])
    }
    #expect(DropRegionList.frames(in: words((0..<100).flatMap { [$0, 0, 1, 1] })).count == DropRegionList.limit)
  }

  @Test func `no more are written than are read`() {
    let frames = (0..<100).map { Rect(x: $0, y: 0, width: 1, height: 1) }
    #expect(DropRegionList.value(of: frames) == DropRegionList.value(of: Array(frames.prefix(DropRegionList.limit))))
  }
}
