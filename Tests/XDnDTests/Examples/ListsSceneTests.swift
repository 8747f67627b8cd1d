import Testing
import XDnD

@testable import Lists

/// Where the example shows rows, and where drops insert.
@Suite("The window of the example")
struct ListsSceneTests {
  private var scene = Scene(board: .sample)
  /// Below the rows of the second list.
  private let emptyPlace = Point(x: Scene.columns[1].middle.x, y: Scene.columns[1].maxY - 1)

  @Test func `the row at a point is the one that is shown there`() {
    for column in 0...1 {
      #expect(scene.row(at: scene.frame(ofRow: 1, in: column).middle) == 1)
    }
    #expect(scene.row(at: emptyPlace) == nil)
    #expect(scene.row(at: scene.tabs[0].middle) == nil)
  }

  @Test mutating func `the gap opens under the pointer, and a pointer that rests keeps it there`() throws {
    let point = scene.frame(ofRow: 3, in: 0).middle
    let place = try #require(scene.place(at: point))
    #expect(place == CardBoard.Place(list: 0, index: 3))
    scene.gap = Scene.Gap(place, cards: 1)
    #expect(try #require(scene.gapFrame(in: 0)).contains(point))
    #expect(scene.place(at: point) == place)
    #expect(scene.gapFrame(in: 1) == nil)
    #expect(scene.frame(ofRow: 2, in: 0).origin.y < point.y && scene.frame(ofRow: 3, in: 0).origin.y > point.y)
  }

  @Test(arguments: [(1, 1), (2, 2), (4, 4), (5, 4), (14, 4)])
  mutating func `the gap is as tall as the dragged cards, and at most as four`(cards: Int, rows: Int) throws {
    let (above, below) = (scene.frame(ofRow: 2, in: 0), scene.frame(ofRow: 3, in: 0))
    scene.gap = Scene.Gap(CardBoard.Place(list: 0, index: 3), cards: cards)
    let gap = try #require(scene.gapFrame(in: 0))
    #expect(gap.height == rows * Scene.rowHeight)
    #expect(scene.frame(ofRow: 2, in: 0) == above)
    #expect(gap.origin == below.origin)
    #expect(scene.frame(ofRow: 3, in: 0).origin.y == gap.maxY)
  }

  // MARK: The gap of a move

  /// Rows that a drag would move, with the gap after the drag has begun on one of them.
  private mutating func lift(_ rows: [Int], at row: Int) throws -> Point {
    let point = scene.frame(ofRow: row, in: 0).middle
    scene.openGap(at: point, cards: rows.count, leaving: Set(rows.map { scene.board.lists[0].rows[$0].id }))
    return point
  }

  @Test(arguments: [[3], [2, 3], [3, 4, 5], Array(0..<7)])
  mutating func `the gap of a move is where the rows are: no other row moves, and a drop changes nothing`(rows: [Int])
    throws
  {
    let before = scene
    let staying = scene.board.lists[0].rows.indices.filter { !rows.contains($0) }
    let point = try lift(rows, at: 3)
    for row in staying { #expect(scene.frame(ofRow: row, in: 0) == before.frame(ofRow: row, in: 0)) }
    #expect(scene.place(at: point) == scene.gap?.place)
    scene.board.move(scene.leaving, to: try #require(scene.gap?.place))
    #expect("\(scene)".filter { !"[]".contains($0) } == "\(before)")
  }

  @Test mutating func `rows that lie apart are together in the gap, under the pointer`() throws {
    let point = try lift([1, 3], at: 3)
    let gap = try #require(scene.gapFrame(in: 0))
    #expect(gap.contains(point))
    #expect(gap.origin.y == scene.frame(ofRow: 2, in: 0).maxY && gap.maxY == scene.frame(ofRow: 4, in: 0).origin.y)
  }

  @Test mutating func `a row that the pointer reaches goes to the other side of the gap, where a drop puts it`() throws
  {
    _ = try lift([1, 2], at: 1)
    for (row, index) in [(4, 5), (0, 0)] {
      let point = scene.frame(ofRow: row, in: 0).middle
      scene.openGap(at: point, cards: 2, leaving: scene.leaving)
      #expect(scene.gap?.place == CardBoard.Place(list: 0, index: index))
      #expect(try #require(scene.gapFrame(in: 0)).contains(point))
    }
    let gap = try #require(scene.gapFrame(in: 0))
    scene.board.move(scene.leaving, to: try #require(scene.gap?.place))
    (scene.gap, scene.leaving) = (nil, [])
    #expect(scene.frame(ofRow: 0, in: 0).origin == gap.origin && scene.frame(ofRow: 1, in: 0).maxY == gap.maxY)
  }

  @Test mutating func `as a copy the rows come back, and the gap is added under the pointer, as often as that changes`()
    throws
  {
    let before = scene
    _ = try lift([3], at: 3)
    let point = scene.frame(ofRow: 6, in: 0).middle
    scene.openGap(at: point, cards: 1, leaving: scene.leaving)
    let moving = scene
    scene.openGap(at: point, cards: 1, leaving: [])
    #expect(try #require(scene.gapFrame(in: 0)).contains(point))
    #expect(scene.frame(ofRow: 3, in: 0) == before.frame(ofRow: 3, in: 0))
    #expect(scene.frame(ofRow: 6, in: 0) == before.frame(ofRow: 7, in: 0))
    scene.openGap(at: point, cards: 1, leaving: moving.leaving)
    #expect(scene == moving)
  }

  @Test mutating func `rows that lose the place they came from are seen where they are, or not at all`() throws {
    let row = scene.board.lists[0].rows[1].id
    _ = try lift([1], at: 1)
    #expect(scene.visibleFrame(of: row) == nil)
    scene.scroll(0, by: 34)
    (scene.gap, scene.leaving) = (nil, [])
    #expect(scene.visibleFrame(of: row)?.origin == Scene.columns[0].origin)
    scene.scroll(0, by: 34)
    #expect(scene.visibleFrame(of: row) == nil)
  }

  // MARK: Arrivals

  @Test mutating func `rows make room for what is on its way, and are found and dropped on below it`() throws {
    let before = scene.frame(ofRow: 2, in: 0)
    let arrival = Scene.Arrival(id: ObjectIdentifier(Self.self), place: CardBoard.Place(list: 0, index: 2))
    scene.arrivals = [arrival]
    let shown = try #require(scene.arrivals(in: 0).first)
    #expect(shown.arrival == arrival && shown.frame == before)
    #expect(scene.arrivals(in: 1).isEmpty)
    #expect(scene.row(at: before.middle) == nil)
    #expect(scene.place(at: before.middle) == arrival.place)
    #expect(scene.row(at: scene.frame(ofRow: 2, in: 0).middle) == 2)
    #expect(scene.place(at: scene.frame(ofRow: 3, in: 0).middle) == CardBoard.Place(list: 0, index: 3))
    scene.gap = Scene.Gap(CardBoard.Place(list: 0, index: 1), cards: 1)
    #expect(try #require(scene.arrivals(in: 0).first).frame.origin.y == before.origin.y + Scene.rowHeight)
    #expect(scene.frame(ofRow: 2, in: 0).origin.y == before.origin.y + 2 * Scene.rowHeight)
    #expect("\(scene)".hasPrefix("Kitchen | To buy: Apples, Bread, …, Butter"))
  }

  @Test mutating func `what is on its way to a list that has become shorter is at its end`() throws {
    scene.arrivals = [Scene.Arrival(id: ObjectIdentifier(Self.self), place: CardBoard.Place(list: 1, index: 9))]
    #expect(
      try #require(scene.arrivals(in: 1).first).frame.origin.y == scene.frame(ofRow: 1, in: 1).origin.y
        + Scene.rowHeight)
    #expect("\(scene)".hasSuffix("In the basket: Onions, Tea, …"))
  }

  @Test func `a drop below the last row is added at the end`() {
    #expect(scene.place(at: emptyPlace) == CardBoard.Place(list: 1, index: 2))
  }

  @Test func `a drop on a tab is added at the end of the first list of its page`() {
    #expect(scene.place(at: scene.tabs[1].middle) == CardBoard.Place(list: 2, index: 3))
    #expect(scene.place(at: Point(x: scene.tabs[1].maxX + 200, y: scene.tabs[1].middle.y)) == nil)
  }

  @Test mutating func `a long list scrolls to its end and no further, and a short one not at all`() {
    let hasMoved = [scene.scroll(0, by: 10_000), scene.scroll(0, by: 1), scene.scroll(1, by: 1)]
    #expect(hasMoved == [true, false, false])
    let last = scene.board.lists[0].rows.count - 1
    let end = scene.frame(ofRow: last, in: 0)
    #expect(end.maxY == Scene.columns[0].maxY)
    #expect(scene.row(at: end.middle) == last)
    #expect(scene.visibleFrame(of: scene.board.lists[0].rows[0].id) == nil)
    #expect(scene.visibleFrame(of: scene.board.lists[0].rows[last].id) == end)
  }

  @Test mutating func `there is room to drop below the last row of a list that is scrolled to its end`() throws {
    scene.scroll(0, by: 10_000)
    let count = scene.board.lists[0].rows.count
    scene.gap = Scene.Gap(try #require(scene.place(at: scene.frame(ofRow: count - 1, in: 0).middle)), cards: 1)
    let hasMoved = scene.scroll(0, by: 10_000)
    #expect(hasMoved)
    let end = scene.frame(ofRow: count - 1, in: 0)
    #expect(end.maxY == Scene.columns[0].maxY)
    let place = scene.place(at: Point(x: end.origin.x, y: end.maxY - 1))
    #expect(place == CardBoard.Place(list: 0, index: count))
  }

  @Test mutating func `the row that a key selects is scrolled into view`() throws {
    scene.board.moveCursor(by: 12)
    scene.revealCursor()
    let frame = try #require(scene.cursorFrame)
    #expect(frame.maxY == Scene.columns[0].maxY)
    scene.board.moveCursor(by: -12)
    scene.revealCursor()
    #expect(scene.cursorFrame?.origin == Scene.columns[0].origin)
  }

  // MARK: Focus

  @Test mutating func `the keys act on one list, and on none of an inactive window`() {
    #expect([0, 1].map(scene.hasKeys) == [true, false])
    scene.isActive = false
    #expect([0, 1].map(scene.hasKeys) == [false, false])
  }

  // MARK: The scroll bar

  @Test mutating func `rows and the gap leave the strip of the scroll bar free`() throws {
    scene.gap = Scene.Gap(CardBoard.Place(list: 0, index: 1), cards: 1)
    let thumb = try #require(scene.thumb(in: 0))
    #expect(scene.frame(ofRow: 0, in: 0).maxX == thumb.origin.x)
    #expect(try #require(scene.gapFrame(in: 0)).maxX == thumb.origin.x)
    #expect(scene.place(at: thumb.middle) != nil, "A drag may drop there.")
    #expect(scene.frame(ofRow: 0, in: 1).maxX == Scene.columns[1].maxX)
  }

  @Test mutating func `only a list that is longer than the window has a scroll bar, which a drag can add`() throws {
    let thumb = try #require(scene.thumb(in: 0))
    #expect(thumb.origin.y == Scene.columns[0].origin.y && thumb.maxX == Scene.columns[0].maxX)
    #expect(scene.scrollBar(at: thumb.middle) == 0)
    #expect(scene.row(at: thumb.middle) == nil, "A press there drags no card.")
    #expect(scene.thumb(in: 1) == nil)
    scene.board.insert((0..<8).map { Card(title: "\($0)") }, at: CardBoard.Place(list: 1, index: 0))
    #expect(scene.thumb(in: 1) == nil, "Ten rows fill the window.")
    scene.gap = Scene.Gap(CardBoard.Place(list: 1, index: 0), cards: 1)
    #expect(scene.thumb(in: 1) != nil)
  }

  @Test mutating func `the thumb is as large a part of its track as the window of its list, and ends where it ends`()
    throws
  {
    let (track, count) = (Scene.columns[0], scene.board.lists[0].rows.count)
    let thumb = try #require(scene.thumb(in: 0))
    #expect(thumb.height == track.height * track.height / (count * Scene.rowHeight))
    scene.scroll(0, by: 10_000)
    #expect(scene.thumb(in: 0)?.maxY == track.maxY)
  }

  @Test mutating func `a list follows its thumb, and not beyond its ends`() throws {
    let track = Scene.columns[0]
    let height = try #require(scene.thumb(in: 0)).height
    let middle = track.origin.y + (track.height - height) / 2
    scene.scroll(0, movingThumbTo: middle)
    #expect(scene.thumb(in: 0)?.origin.y == middle)
    scene.scroll(0, movingThumbTo: track.maxY)
    #expect(scene.thumb(in: 0)?.maxY == track.maxY)
    scene.scroll(0, movingThumbTo: 0)
    #expect(scene.frame(ofRow: 0, in: 0).origin == track.origin)
  }

  // MARK: On the way

  @Test mutating func `scrolling moves no row in its list, and a gap that closes at the end does`() {
    let before = scene.places(in: 0)
    scene.scroll(0, by: 50)
    #expect(scene.places(in: 0) == before)
    let count = scene.board.lists[0].rows.count
    scene.gap = Scene.Gap(CardBoard.Place(list: 0, index: count), cards: 2)
    scene.scroll(0, by: 10_000)
    #expect(scene.places(in: 0) == before)
    scene.gap = nil
    #expect(scene.places(in: 0) == before.mapValues { $0 + 2 * Scene.rowHeight }, "The list has become shorter.")
  }
}
