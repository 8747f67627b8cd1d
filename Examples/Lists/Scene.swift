import XDnD

/// What the window shows, and where, in points from its upper left corner.
struct Scene: Equatable {
  var board: CardBoard
  /// Where a drop would insert cards: the rows part there.
  var gap: Gap?
  /// Content that was dropped and is on its way: the rows part for it, too.
  var arrivals: [Arrival] = []
  /// The rows that a drop at the pointer would take away.
  var leaving: Set<CardBoard.Row.ID> = []
  /// The tabs under a drag, one of which may be about to open.
  var tabHighlights: [Int: SpringLoadingHighlight] = [:]
  /// How far each list is scrolled.
  private var offsets: [Int: Int] = [:]
  /// The sum of the distances that each list was scrolled by.
  private var scrolled: [Int: Int] = [:]

  init(board: CardBoard) { self.board = board }

  /// Room for dragged cards, at most for four, so that it does not push all other rows away.
  struct Gap: Equatable {
    let place: CardBoard.Place
    /// The height, in rows.
    let rowCount: Int

    init(_ place: CardBoard.Place, cards: Int) {
      self.place = place
      rowCount = min(max(1, cards), 4)
    }
  }

  /// What stands in a list for cards until they are there.
  struct Arrival: Equatable, Identifiable {
    let id: ObjectIdentifier
    var place: CardBoard.Place
    /// How much of the content has arrived, from 0 to 1; `nil` if its size is not known.
    var fraction: Double?
  }

  // MARK: Places

  static let width = 640
  static let height = 480
  static let rowHeight = 34
  private static let margin = 20
  private static let tabWidth = 110
  private static let scrollBarWidth = 12

  /// The frames of the tabs.
  var tabs: [Rect] {
    board.pages.indices.map { Rect(x: Self.margin + $0 * Self.tabWidth, y: 0, width: Self.tabWidth, height: 40) }
  }

  /// The frames of the two lists, without their titles.
  static let columns: [Rect] = {
    let width = (Scene.width - 3 * margin) / 2
    return [0, 1].map { Rect(x: margin + $0 * (width + margin), y: 92, width: width, height: 10 * rowHeight) }
  }()

  /// The frame of the line at the bottom.
  static let hint = Rect(x: margin + 4, y: height - 42, width: width - 2 * margin - 8, height: 34)

  /// The number of the list in a column.
  func list(in column: Int) -> Int { board.shown.lowerBound + column }

  /// The column at a point.
  func column(at point: Point) -> Int? { Self.columns.firstIndex { $0.contains(point) } }

  /// The frame of a row, which may be outside that of its list. The rows below arrivals and below the gap make room for
  /// them.
  func frame(ofRow index: Int, in column: Int) -> Rect {
    let list = list(in: column)
    let arrivals = arrivalIndices(in: list).count { $0 <= index }
    return frame(ofLine: index + arrivals + gapRows(in: list, above: index + 1), in: column)
  }

  /// The frame of the gap, if it is in this column.
  func gapFrame(in column: Int) -> Rect? {
    guard let gap, gap.place.list == list(in: column) else { return nil }
    var frame = frame(ofRow: gap.place.index, in: column)
    frame.height = gap.rowCount * Self.rowHeight
    frame.origin.y -= frame.height
    return frame
  }

  /// The height of the gap in a list, in rows, if it has fewer than `index` rows above it; otherwise 0.
  private func gapRows(in list: Int, above index: Int = .max) -> Int {
    guard let gap, gap.place.list == list, gap.place.index < index else { return 0 }
    return gap.rowCount
  }

  /// The upper ends of a column's rows, as if it had never been scrolled: rows glide to them, but scroll at once.
  func places(in column: Int) -> [CardBoard.Row.ID: Int] {
    let rows = board.lists[list(in: column)].rows.enumerated()
    return Dictionary(
      uniqueKeysWithValues: rows.map { index, row in
        (row.id, frame(ofRow: index, in: column).origin.y + scrolledDistance(of: column))
      })
  }

  func scrolledDistance(of column: Int) -> Int { scrolled[list(in: column), default: 0] }

  /// The arrivals in a column from the top, with their frames.
  func arrivals(in column: Int) -> [(arrival: Arrival, frame: Rect)] {
    let list = list(in: column)
    return zip(sortedArrivals(in: list), arrivalIndices(in: list)).enumerated().map { rank, arrival in
      let (arrival, index) = arrival
      return (arrival, frame(ofLine: index + rank + gapRows(in: list, above: index), in: column))
    }
  }

  private func sortedArrivals(in list: Int) -> [Arrival] {
    arrivals.filter { $0.place.list == list }.sorted { $0.place.index < $1.place.index }
  }

  /// The number of rows above each arrival. Rows may have gone away since it has begun.
  private func arrivalIndices(in list: Int) -> [Int] {
    sortedArrivals(in: list).map { min($0.place.index, board.lists[list].rows.count) }
  }

  private func frame(ofLine line: Int, in column: Int) -> Rect {
    let frame = Self.columns[column]
    let y = frame.origin.y + line * Self.rowHeight - offset(of: list(in: column))
    return Rect(x: frame.origin.x, y: y, width: frame.width, height: Self.rowHeight)
  }

  /// The frame of a row that is at least partly visible.
  func visibleFrame(of id: CardBoard.Row.ID) -> Rect? {
    for column in Self.columns.indices {
      guard let index = board.lists[list(in: column)].rows.firstIndex(where: { $0.id == id }) else { continue }
      let row = frame(ofRow: index, in: column)
      return row.intersection(Self.columns[column]).isEmpty ? nil : row
    }
    return nil
  }

  /// The row at a point that is not on a scroll bar.
  func row(at point: Point) -> Int? {
    guard let column = column(at: point), scrollBar(at: point) == nil,
      let index = slot(at: point, in: column).row
    else { return nil }
    return board.lists[list(in: column)].rows.indices.contains(index) ? index : nil
  }

  /// Where a drop at a point inserts cards. The gap opens under the pointer and stays there: the place does not depend on
  /// it. On a tab it is the end of the first list of the tab's page.
  func place(at point: Point) -> CardBoard.Place? {
    if let page = tabs.firstIndex(where: { $0.contains(point) }) {
      return CardBoard.Place(list: 2 * page, index: board.lists[2 * page].rows.count)
    }
    return column(at: point).map { column in
      let list = list(in: column)
      return CardBoard.Place(list: list, index: min(slot(at: point, in: column).index, board.lists[list].rows.count))
    }
  }

  /// What is at a point without the gap: the number of rows above it, and the row, unless that is an arrival.
  private func slot(at point: Point, in column: Int) -> (index: Int, row: Int?) {
    let list = list(in: column)
    let line = (point.y - Self.columns[column].origin.y + offset(of: list)) / Self.rowHeight
    let arrivals = arrivalIndices(in: list).enumerated().map { rank, index in index + rank }
    let index = line - arrivals.count { $0 < line }
    return (index, arrivals.contains(line) ? nil : index)
  }

  // MARK: Scrolling

  private func offset(of list: Int) -> Int { min(offsets[list] ?? 0, maximumOffset(of: list)) }

  private func maximumOffset(of list: Int) -> Int {
    let count = board.lists[list].rows.count + arrivalIndices(in: list).count + gapRows(in: list)
    return max(0, count * Self.rowHeight - Self.columns[0].height)
  }

  /// Scrolls a list down, or up by a negative distance; returns whether it has moved.
  @discardableResult
  mutating func scroll(_ column: Int, by distance: Int) -> Bool {
    let list = list(in: column)
    let old = offset(of: list)
    let new = min(max(0, old + distance), maximumOffset(of: list))
    offsets[list] = new
    scrolled[list, default: 0] += new - old
    return new != old
  }

  /// The column whose scroll bar is at a point.
  func scrollBar(at point: Point) -> Int? {
    column(at: point).flatMap { column in
      thumb(in: column).flatMap { point.x >= $0.origin.x ? column : nil }
    }
  }

  /// The frame of a scroll bar's thumb; `nil` if the whole list is visible.
  func thumb(in column: Int) -> Rect? {
    let (track, list) = (Self.columns[column], list(in: column))
    let hidden = maximumOffset(of: list)
    guard hidden > 0 else { return nil }
    let height = max(32, track.height * track.height / (track.height + hidden))
    return Rect(
      x: track.maxX - Self.scrollBarWidth, y: track.origin.y + (track.height - height) * offset(of: list) / hidden,
      width: Self.scrollBarWidth, height: height)
  }

  /// Scrolls a list so that the upper end of its thumb is at `y`, or as near as possible.
  mutating func scroll(_ column: Int, movingThumbTo y: Int) {
    guard let thumb = thumb(in: column) else { return }
    let (track, list) = (Self.columns[column], list(in: column))
    let offset = (y - track.origin.y) * maximumOffset(of: list) / (track.height - thumb.height)
    scroll(column, by: offset - self.offset(of: list))
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
    let below = row.maxY - frame.maxY
    if above > 0 { scroll(column, by: -above) } else if below > 0 { scroll(column, by: below) }
  }
}

extension Scene: CustomStringConvertible {
  /// The shown page in a line, with the selected cards in brackets, and "…" for cards that are on their way.
  var description: String {
    let columns = board.shown.map { number in
      let list = board.lists[number]
      var names = list.rows.map { list.selection.contains($0.id) ? "[\($0.card.title)]" : $0.card.title }
      for index in arrivalIndices(in: number).reversed() { names.insert("…", at: index) }
      return "\(list.title): \(names.joined(separator: ", "))"
    }
    return "\(board.pages[board.page]) | \(columns.joined(separator: " | "))"
  }
}
