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

  @Test(arguments: [1, 3], [true, false])
  func `a window that fits its scene shows all rows, and has no room below them`(_ count: Int, _ hasHandle: Bool) {
    var scene = scene(rows: count)
    if hasHandle { scene.handle = Scene.Handle("All items", badge: "\(count)") }
    let height = Double(SceneLayout.height(fitting: scene))
    let layout = SceneLayout(scene, width: 300, height: height)
    #expect(!layout.isScrollable && layout.list.height == layout.view.height)
    #expect(SceneLayout(scene, width: 300, height: height - 1).isScrollable)
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

@Suite("The extents of rows") struct RowExtentsTests {
  private static let height = 34.0

  /// Every seventh of these rows is higher.
  private static func wrapped(count: Int) -> [Int: Double] {
    Dictionary(uniqueKeysWithValues: stride(from: 3, to: count, by: 7).map { ($0, height + 17 * Double($0 % 3)) })
  }

  @Test(arguments: [0, 1, 4, 50], [true, false])
  func `leave no gap and do not overlap`(_ count: Int, _ wraps: Bool) {
    let heights = wraps ? Self.wrapped(count: count) : [:]
    let extents = RowExtents(count: count, height: Self.height, wrapped: heights)
    var y = 0.0
    for row in 0..<count {
      #expect(extents.start(of: row) == y)
      #expect(extents.height(of: row) == heights[row] ?? Self.height)
      #expect(extents.row(at: y) == row)
      y += extents.height(of: row)
      #expect(extents.row(at: y - 0.25) == row)
    }
    #expect(extents.total == y)
    #expect(extents.row(at: y) == nil && extents.row(at: -0.25) == nil)
  }

  @Test(arguments: [true, false]) func `tell which rows overlap a range`(_ wraps: Bool) {
    let extents = RowExtents(count: 40, height: Self.height, wrapped: wraps ? Self.wrapped(count: 40) : [:])
    for start in stride(from: -10, to: extents.total, by: 13) {
      let end = start + 90
      let expected = (0..<40).filter { extents.start(of: $0) < end && extents.start(of: $0 + 1) > start }
      #expect(Array(extents.rows(from: start, to: end)) == expected)
    }
    #expect(extents.rows(from: 1e9, to: 2e9).isEmpty)
  }

  @Test func `of very many rows are found at once`() {
    let count = 1_000_000
    let extents = RowExtents(count: count, height: Self.height, wrapped: [7: 2 * Self.height])
    let time = ContinuousClock().measure {
      for row in stride(from: 0, to: count, by: 10) {
        if extents.row(at: extents.start(of: row)) != row { Issue.record("row \(row) is not found") }
      }
    }
    #expect(time < .seconds(2))
  }
}

@Suite("Rows that wrap") struct WrappingRowTests {
  private static let long = String(repeating: "nothing was cut in the middle of these words ", count: 3)

  private func layout(_ scene: Scene, _ width: Double = 300) throws -> SceneLayout {
    let text = try #require(TextRenderer())
    return SceneLayout(scene, width: width, height: 300, measure: text)
  }

  @Test func `keep their button where it is, however many lines there are`() throws {
    func place(_ secondary: String) throws -> (button: Box, height: Double) {
      let row = Scene.Row("a", secondary: secondary, progress: .indeterminate, action: .cancel, wraps: true)
      let layout = try layout(Scene(rows: [row]))
      return (try #require(layout.button(ofRow: 0)), layout.row(0).height)
    }
    let (short, long) = (try place("receiving"), try place(Self.long))
    #expect(long.height > short.height)
    #expect(long.button == short.button)
  }

  @Test func `are as high as their lines, and other rows keep their height`() throws {
    let scene = Scene(rows: [
      Scene.Row("a", secondary: "b"), Scene.Row(Self.long, secondary: Self.long, wraps: true),
      Scene.Row("a", secondary: "b", wraps: true), Scene.Row(Self.long, secondary: Self.long),
      Scene.Row("a", wraps: true),
    ])
    let layout = try layout(scene)
    #expect(layout.row(1).height > layout.rowHeight + 2 * WrappedRow.primaryLeading)
    for row in [0, 2, 3, 4] { #expect(layout.row(row).height == layout.rowHeight) }
    for row in 1...4 { #expect(layout.row(row).y == layout.row(row - 1).maxY) }
    let (low, high) = (layout.row(1), layout.row(2))
    #expect(layout.row(at: LogicalPoint(x: 100, y: low.maxY - 1)) == 1)
    #expect(layout.row(at: LogicalPoint(x: 100, y: high.y)) == 2)
    #expect(layout.contentHeight == layout.row(4).maxY - layout.row(0).y + 2 * SceneLayout.listInset)
  }

  @Test func `need fewer lines in a wider window`() throws {
    let scene = Scene(rows: [Scene.Row(Self.long, wraps: true)])
    let heights = try [200.0, 700, 2000].map { try layout(scene, $0).row(0).height }
    #expect(heights == heights.sorted(by: >) && Set(heights).count == 3)
    #expect(heights.last == SceneLayout.lineHeight)
  }

  @Test func `that are compact have their details in one column, after the widest name`() throws {
    let rows = [("Phase", "over the window"), ("A longer name", Self.long), ("", "x")].map {
      Scene.Row($0.0, secondary: $0.1, wraps: true)
    }
    let layout = try layout(Scene(rows: rows + [Scene.Row("other", secondary: "x")], density: .compact))
    let wrapped = try (0..<3).map { try #require(layout.wrapped(row: $0)) }
    let text = try #require(TextRenderer())
    let widest = text.width(of: "A longer name", font: .body)
    for row in wrapped {
      let column = try #require(row.column)
      #expect(column > widest && column < widest + 2 * SceneLayout.padding)
    }
    #expect(wrapped.map(\.secondary.count) == [1, WrappedRow.lineLimit, 1])
    #expect(layout.row(1).height == layout.rowHeight + 2 * WrappedRow.secondaryLeading)
    #expect(layout.wrapped(row: 3) == nil)
  }

  @Test func `are measured only if they are there`() {
    func renderer() -> (any TextMeasure)? {
      Issue.record("nothing has to be measured")
      return nil
    }
    let scene = Scene(rows: [Scene.Row(Self.long)])
    #expect(SceneLayout(scene, width: 300, height: 300, measure: renderer()).row(0).height == SceneLayout.lineHeight)
  }

  @Test func `stand above a footer that wraps, too`() throws {
    var scene = Scene(rows: [Scene.Row("a")], footer: "Done")
    let short = try layout(scene)
    scene.footer = Self.long
    let long = try layout(scene)
    #expect(short.footerLines == ["Done"] && long.footerLines.count == 2)
    #expect(short.footer.height == SceneLayout.footerHeight && long.footer.height > short.footer.height)
    #expect(long.footer.maxY == short.footer.maxY && long.view.maxY + SceneLayout.gap == long.footer.y)
    // What is not measured has one line, and so have the hints.
    #expect(SceneLayout(scene, width: 300, height: 300).footerLines == [Self.long])
    scene.footer = ""
    scene.hints = [Self.long]
    #expect(try layout(scene).footer == short.footer)
  }

  @Test func `are revealed as a whole`() throws {
    let scene = Scene(rows: (0..<30).map { Scene.Row(Self.long, wraps: $0 % 2 == 0) })
    let text = try #require(TextRenderer())
    for index in [0, 8, 20, 29] {
      let offset = SceneLayout(scene, width: 300, height: 300, measure: text).scrollOffset(revealing: index)
      let moved = SceneLayout(scene, width: 300, height: 300, scrollOffset: offset, measure: text)
      #expect(moved.row(index).y >= moved.list.y && moved.row(index).maxY <= moved.list.maxY)
      #expect(moved.visibleRows.contains(index))
    }
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
