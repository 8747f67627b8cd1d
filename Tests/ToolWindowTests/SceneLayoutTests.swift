import Testing

@testable import XDnDToolWindow

@Suite struct SceneLayoutTests {
  private func scene(rows: Int, title: String = "Title", footer: String = "Footer") -> Scene {
    Scene(title: title, rows: (0..<rows).map { Scene.Row("\($0)") }, footer: footer)
  }

  @Test func `every point of the list between two rows belongs to one of them`() {
    let layout = SceneLayout(scene(rows: 3), width: 300, height: 400)
    for index in 0..<3 {
      let box = layout.row(index)
      #expect(layout.row(at: LogicalPoint(x: box.x, y: box.y)) == index)
      #expect(layout.row(at: LogicalPoint(x: box.maxX - 0.5, y: box.maxY - 0.5)) == index)
    }
    #expect(layout.row(1).y == layout.row(0).maxY)
  }

  @Test func `title, footer, margins and what is below the last row hit nothing`() {
    let layout = SceneLayout(scene(rows: 2), width: 300, height: 400)
    #expect(layout.row(at: LogicalPoint(x: 150, y: layout.title.midY)) == nil)
    #expect(layout.row(at: LogicalPoint(x: 150, y: layout.footer.midY)) == nil)
    #expect(layout.row(at: LogicalPoint(x: 2, y: layout.row(0).midY)) == nil)
    #expect(layout.row(at: LogicalPoint(x: 298, y: layout.row(0).midY)) == nil)
    #expect(layout.row(at: LogicalPoint(x: 150, y: layout.row(1).maxY + 1)) == nil)
    #expect(layout.row(at: LogicalPoint(x: 150, y: -1)) == nil)
  }

  @Test func `without title and footer the list takes their room`() {
    let layout = SceneLayout(scene(rows: 50, title: "", footer: ""), width: 300, height: 200)
    #expect(layout.list == Box(x: 12, y: 12, width: 276, height: 176))
  }

  @Test func `scrolling moves the rows under a point`() {
    let scene = scene(rows: 100)
    let top = SceneLayout(scene, width: 300, height: 300)
    let scrolled = SceneLayout(scene, width: 300, height: 300, scrollOffset: 10 * top.rowHeight)
    let y = top.row(2).midY
    #expect(top.row(at: LogicalPoint(x: 150, y: y)) == 2)
    #expect(scrolled.row(at: LogicalPoint(x: 150, y: y)) == 12)
  }

  @Test func `rows that are scrolled under the title or the footer are not hit there`() {
    let scene = scene(rows: 100)
    let layout = SceneLayout(scene, width: 300, height: 300, scrollOffset: 500)
    #expect(layout.row(at: LogicalPoint(x: 150, y: layout.list.y - 1)) == nil)
    #expect(layout.row(at: LogicalPoint(x: 150, y: layout.list.maxY + 1)) == nil)
  }

  @Test func `scrolling ends at the last row`() {
    let layout = SceneLayout(scene(rows: 100), width: 300, height: 300, scrollOffset: 1e9)
    #expect(layout.row(99).maxY + SceneLayout.listInset == layout.list.maxY)
    #expect(layout.visibleRows.upperBound == 100)
    #expect(SceneLayout(scene(rows: 2), width: 300, height: 300, scrollOffset: 50).scrollOffset == 0)
    #expect(SceneLayout(scene(rows: 100), width: 300, height: 300, scrollOffset: -5).scrollOffset == 0)
  }

  @Test func `visible rows are those that can be hit`() {
    for offset in stride(from: 0.0, to: 400, by: 7) {
      let layout = SceneLayout(scene(rows: 20), width: 300, height: 260, scrollOffset: offset)
      let hits = Set(
        stride(from: layout.list.y, to: layout.list.maxY, by: 0.5).compactMap {
          layout.row(at: LogicalPoint(x: 100, y: $0))
        })
      #expect(hits.isSubset(of: Set(layout.visibleRows)))
      #expect(layout.visibleRows.count <= hits.count + 1)
    }
  }

  @Test func `revealing scrolls no further than needed`() {
    let layout = SceneLayout(scene(rows: 100), width: 300, height: 300, scrollOffset: 680)
    for index in [0, 5, 20, 22, 60, 99] {
      let offset = layout.scrollOffset(revealing: index)
      let moved = SceneLayout(scene(rows: 100), width: 300, height: 300, scrollOffset: offset)
      #expect(moved.row(index).y >= moved.list.y)
      #expect(moved.row(index).maxY <= moved.list.maxY)
    }
    #expect(layout.scrollOffset(revealing: 22) == 680)
  }

  @Test func `a window too small for its parts has a list without rows to hit`() {
    let layout = SceneLayout(scene(rows: 5), width: 20, height: 20)
    #expect(layout.list.height == 0)
    #expect(layout.visibleRows.isEmpty)
    #expect(layout.row(at: LogicalPoint(x: 10, y: 10)) == nil)
  }

  @Test func `details below the name make rows higher, at its end they do not`() {
    var scene = Scene(rows: [Scene.Row("name", secondary: "details")])
    let comfortable = SceneLayout(scene, width: 300, height: 300)
    scene.density = .compact
    let compact = SceneLayout(scene, width: 300, height: 300)
    #expect(comfortable.rowHeight > compact.rowHeight)
  }
}

@Suite("The two columns of a compact row") struct CompactColumnsTests {
  private func columns(_ first: Double, _ second: Double) -> [Double] {
    let columns = CompactColumns(first: first, second: second, room: 200 + SceneLayout.padding)
    return [columns.first, columns.second]
  }

  @Test func `have what they need if there is room`() {
    #expect(columns(50, 60) == [50, 60])
    #expect(columns(150, 50) == [150, 50])
    #expect(columns(50, 150) == [50, 150])
  }

  @Test func `a short one leaves the rest to a long one`() {
    #expect(columns(50, 300) == [50, 150])
    #expect(columns(300, 50) == [150, 50])
    #expect(columns(300, 300) == [100, 100])
  }

  @Test(arguments: [0.0, 5, SceneLayout.padding, 30])
  func `are never wider than the line`(_ room: Double) {
    let columns = CompactColumns(first: 100, second: 100, room: room)
    #expect(columns.first >= 0 && columns.second >= 0)
    #expect(columns.first + columns.second <= room)
  }
}

/// The scroll bar, in the hand.
@Suite("The scroll bar") struct ScrollbarTests {
  private let scene = Scene(rows: (0..<200).map { Scene.Row("\($0)") })

  @Test func `is wider than it looks, and no row is under it`() throws {
    let layout = SceneLayout(scene, width: 300, height: 300)
    let track = try #require(layout.scrollTrack)
    #expect(track.width >= 12)
    #expect(layout.row(at: LogicalPoint(x: track.x + 1, y: track.midY)) == nil)
    #expect(layout.row(at: LogicalPoint(x: track.x - 1, y: track.midY)) != nil)
    #expect(SceneLayout(Scene(rows: [Scene.Row("a")]), width: 300, height: 300).scrollTrack == nil)
  }

  @Test(arguments: [0.0, 100, 1234, 1e9])
  func `where the thumb is the list is`(_ offset: Double) throws {
    let layout = SceneLayout(scene, width: 300, height: 300, scrollOffset: offset)
    let thumb = try #require(layout.scrollThumb)
    #expect(abs(layout.scrollOffset(thumbAt: thumb.y) - layout.scrollOffset) < 0.01)
    #expect(
      layout.list.contains(LogicalPoint(x: thumb.x, y: thumb.y))
        && layout.list.contains(LogicalPoint(x: thumb.x, y: thumb.maxY - 1)))
  }

  @Test func `a heading to drag has its place instead of the title`() throws {
    var scene = scene
    scene.handle = Scene.Handle("All items", badge: "200")
    let layout = SceneLayout(scene, width: 300, height: 300)
    let handle = try #require(layout.handle)
    #expect(handle.maxY <= layout.list.y)
    #expect(layout.row(at: LogicalPoint(x: handle.x + 5, y: handle.midY)) == nil)
  }
}
