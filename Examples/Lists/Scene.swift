import XDnD

/// What the window shows, and where, in points from its upper left corner.
struct Scene: Equatable {
  var board: CardBoard
  /// Where a drop would insert cards: the rows part there.
  var gap: Gap?
  /// Content that was dropped and is on its way: the rows part for it, too.
  var arrivals: [Arrival] = []
  /// The rows that a drop at the pointer would take away. They are not shown.
  var leaving: Set<CardBoard.Row.ID> = []
  /// Whether the window has the keys.
  var isActive = true
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

  /// Whether the keys act on the list in a column.
  func hasKeys(_ column: Int) -> Bool { isActive && board.focus == list(in: column) }

  /// The column at a point.
  func column(at point: Point) -> Int? { Self.columns.firstIndex { $0.contains(point) } }

  /// What stands in a list.
  private enum Line {
    case row(index: Int)
    case arrival(Arrival)
    case gap
  }

  /// The lines of a column from the top, with their frames, which may be outside the list. Leaving rows have no height: the
  /// gap stands for them.
  private func lines(in column: Int) -> [(line: Line, frame: Rect)] {
    let (list, track) = (list(in: column), Self.columns[column])
    let rows = board.lists[list].rows
    let arrivals = arrivals.filter { $0.place.list == list }
    let width = rowWidth(in: column)
    var y = track.origin.y - offset(of: list)
    var lines: [(line: Line, frame: Rect)] = []
    func add(_ line: Line, height: Int) {
      lines.append((line, Rect(x: track.origin.x, y: y, width: width, height: height * Self.rowHeight)))
      y += height * Self.rowHeight
    }
    for index in 0...rows.count {
      // Rows may have gone away since an arrival has begun.
      for arrival in arrivals where min(arrival.place.index, rows.count) == index { add(.arrival(arrival), height: 1) }
      if gap?.place == CardBoard.Place(list: list, index: index) { add(.gap, height: gapHeight(in: list)) }
      if index < rows.count { add(.row(index: index), height: leaving.contains(rows[index].id) ? 0 : 1) }
    }
    return lines
  }

  /// The height of the gap in a list, in rows. Rows that leave the list make at least their own room.
  private func gapHeight(in list: Int) -> Int {
    guard let gap, gap.place.list == list else { return 0 }
    return max(gap.rowCount, leavingCount(in: list))
  }

  private func leavingCount(in list: Int) -> Int {
    leaving.isEmpty ? 0 : board.lists[list].rows.count { leaving.contains($0.id) }
  }

  /// The width of the rows, which leave the strip of the scroll bar free.
  func rowWidth(in column: Int) -> Int {
    Self.columns[column].width - (maximumOffset(of: list(in: column)) > 0 ? Self.scrollBarWidth : 0)
  }

  /// The frame of a row; it may be outside its list.
  func frame(ofRow index: Int, in column: Int) -> Rect { rowFrames(in: column)[index] }

  private func rowFrames(in column: Int) -> [Rect] {
    lines(in: column).compactMap { if case .row = $0.line { $0.frame } else { nil } }
  }

  /// The frame of the gap, if it is in this column.
  func gapFrame(in column: Int) -> Rect? {
    lines(in: column).first { if case .gap = $0.line { true } else { false } }?.frame
  }

  /// The arrivals in a column from the top, with their frames.
  func arrivals(in column: Int) -> [(arrival: Arrival, frame: Rect)] {
    lines(in: column).compactMap { if case .arrival(let arrival) = $0.line { (arrival, $0.frame) } else { nil } }
  }

  /// The upper ends of a column's rows, as if it had never been scrolled: rows glide to them, but scroll at once.
  func places(in column: Int) -> [CardBoard.Row.ID: Int] {
    let rows = zip(board.lists[list(in: column)].rows, rowFrames(in: column))
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0.id, $1.origin.y + scrolledDistance(of: column)) })
  }

  func scrolledDistance(of column: Int) -> Int { scrolled[list(in: column), default: 0] }

  /// The frame of a row that is at least partly visible.
  func visibleFrame(of id: CardBoard.Row.ID) -> Rect? {
    for column in Self.columns.indices {
      guard let index = board.lists[list(in: column)].rows.firstIndex(where: { $0.id == id }) else { continue }
      let row = frame(ofRow: index, in: column)
      return row.intersection(Self.columns[column]).isEmpty ? nil : row
    }
    return nil
  }

  private func line(at point: Point, in column: Int) -> (line: Line, frame: Rect)? {
    lines(in: column).first { $0.frame.origin.y <= point.y && point.y < $0.frame.maxY }
  }

  /// The row at a point that is not on a scroll bar.
  func row(at point: Point) -> Int? {
    guard let column = column(at: point), scrollBar(at: point) == nil,
      case .row(let index) = line(at: point, in: column)?.line
    else { return nil }
    return index
  }

  /// Where a drop at a point inserts cards. The gap opens under the pointer, and stays while the pointer is in it; a row
  /// that the pointer reaches goes to the other side of the gap. On a tab it is the end of the first list of the tab's page.
  func place(at point: Point) -> CardBoard.Place? {
    if let page = tabs.firstIndex(where: { $0.contains(point) }) {
      return CardBoard.Place(list: 2 * page, index: board.lists[2 * page].rows.count)
    }
    guard let column = column(at: point) else { return nil }
    let list = list(in: column)
    var index = board.lists[list].rows.count
    switch line(at: point, in: column)?.line {
    case .gap: return gap?.place
    case .arrival(let arrival): index = min(arrival.place.index, index)
    case .row(let row):
      let isBelowGap = gap.map { $0.place.list == list && $0.place.index <= row } ?? false
      index = isBelowGap ? row + 1 : row
    case nil: break
    }
    return CardBoard.Place(list: list, index: index)
  }

  /// Opens the gap for a drop at a point, which would take rows away. The first gap of a move is where the rows were.
  mutating func openGap(at point: Point, cards: Int, leaving rows: Set<CardBoard.Row.ID>) {
    gap = place(at: point).map { Gap($0, cards: cards) }
    guard rows != leaving else { return }
    leaving = rows
    // Rows that go or come back move the gap.
    gap = place(at: point).map { Gap($0, cards: cards) }
  }

  // MARK: Scrolling

  private func offset(of list: Int) -> Int { min(offsets[list] ?? 0, maximumOffset(of: list)) }

  private func maximumOffset(of list: Int) -> Int {
    let arrivals = arrivals.count { $0.place.list == list }
    let count = board.lists[list].rows.count - leavingCount(in: list) + arrivals + gapHeight(in: list)
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
    let columns = Self.columns.indices.map { column in
      let list = board.lists[list(in: column)]
      let names = lines(in: column).compactMap { line, _ in
        switch line {
        case .row(let index):
          let row = list.rows[index]
          return list.selection.contains(row.id) ? "[\(row.card.title)]" : row.card.title
        case .arrival: return "…"
        case .gap: return nil
        }
      }
      return "\(list.title): \(names.joined(separator: ", "))"
    }
    return "\(board.pages[board.page]) | \(columns.joined(separator: " | "))"
  }
}
