import XDnD

/// What the window shows, and where, in pixels from its upper left corner.
struct Scene: Equatable {
  var board: CardBoard
  /// Where a drop would insert cards: the rows part there.
  var gap: CardBoard.Place?
  /// The rows that a drop at the pointer would take away.
  var leaving: Set<CardBoard.Row.ID> = []
  /// The tabs under a drag, one of which may be about to open.
  var tabHighlights: [Int: SpringLoadingHighlight] = [:]
  /// How far each list is scrolled.
  private var offsets: [Int: Int] = [:]

  init(board: CardBoard) { self.board = board }

  // MARK: Places

  static let width = 640
  static let height = 480
  static let rowHeight = 34
  private static let margin = 20
  private static let tabWidth = 110

  /// The frames of the tabs.
  var tabs: [Rect] {
    board.pages.indices.map { Rect(x: Self.margin + $0 * Self.tabWidth, y: 0, width: Self.tabWidth, height: 40) }
  }

  /// The frames of the two lists, without their titles.
  static let columns: [Rect] = {
    let width = (Scene.width - 3 * margin) / 2
    return [0, 1].map { Rect(x: margin + $0 * (width + margin), y: 92, width: width, height: 10 * rowHeight) }
  }()

  /// The number of the list in a column.
  func list(in column: Int) -> Int { board.shown.lowerBound + column }

  /// The column at a point.
  func column(at point: Point) -> Int? { Self.columns.firstIndex { $0.contains(point) } }

  /// The frame of a row, which may be outside that of its list. The rows below the gap make room for it.
  func frame(ofRow index: Int, in column: Int) -> Rect {
    let frame = Self.columns[column]
    let list = list(in: column)
    let isBelowGap = gap.map { $0.list == list && $0.index <= index } ?? false
    let y = frame.origin.y + (index + (isBelowGap ? 1 : 0)) * Self.rowHeight - offset(of: list)
    return Rect(x: frame.origin.x, y: y, width: frame.width, height: Self.rowHeight)
  }

  /// The frame of the gap, if it is in this column.
  func gapFrame(in column: Int) -> Rect? {
    guard let gap, gap.list == list(in: column) else { return nil }
    var frame = frame(ofRow: gap.index, in: column)
    frame.origin.y -= Self.rowHeight
    return frame
  }

  /// The frame of a row that is at least partly visible.
  func visibleFrame(of id: CardBoard.Row.ID) -> Rect? {
    for column in Self.columns.indices {
      guard let index = board.lists[list(in: column)].rows.firstIndex(where: { $0.id == id }) else { continue }
      let (row, frame) = (frame(ofRow: index, in: column), Self.columns[column])
      let isVisible = row.origin.y + row.height > frame.origin.y && row.origin.y < frame.origin.y + frame.height
      return isVisible ? row : nil
    }
    return nil
  }

  /// The row at a point.
  func row(at point: Point) -> Int? {
    guard let column = column(at: point) else { return nil }
    let index = slot(at: point, in: column)
    return board.lists[list(in: column)].rows.indices.contains(index) ? index : nil
  }

  /// Where a drop at a point inserts cards. The gap opens under the pointer and stays there: the place does not depend on
  /// it.
  func place(at point: Point) -> CardBoard.Place? {
    column(at: point).map { column in
      let list = list(in: column)
      return CardBoard.Place(list: list, index: min(slot(at: point, in: column), board.lists[list].rows.count))
    }
  }

  private func slot(at point: Point, in column: Int) -> Int {
    (point.y - Self.columns[column].origin.y + offset(of: list(in: column))) / Self.rowHeight
  }

  // MARK: Scrolling

  private func offset(of list: Int) -> Int { min(offsets[list] ?? 0, maximumOffset(of: list)) }

  private func maximumOffset(of list: Int) -> Int {
    let count = board.lists[list].rows.count + (gap?.list == list ? 1 : 0)
    return max(0, count * Self.rowHeight - Self.columns[0].height)
  }

  /// Scrolls a list down, or up by a negative distance; returns whether it has moved.
  @discardableResult
  mutating func scroll(_ column: Int, by distance: Int) -> Bool {
    let list = list(in: column)
    let old = offset(of: list)
    let new = min(max(0, old + distance), maximumOffset(of: list))
    offsets[list] = new
    return new != old
  }

  /// The frame of the row that the keys act on.
  var cursorFrame: Rect? {
    board.lists[board.focus].cursorIndex.map { frame(ofRow: $0, in: board.focus - board.shown.lowerBound) }
  }

  /// Scrolls to the row that the keys act on.
  mutating func revealCursor() {
    guard let row = cursorFrame else { return }
    let column = board.focus - board.shown.lowerBound
    let frame = Self.columns[column]
    let above = frame.origin.y - row.origin.y
    let below = row.origin.y + row.height - frame.origin.y - frame.height
    if above > 0 { scroll(column, by: -above) } else if below > 0 { scroll(column, by: below) }
  }
}
