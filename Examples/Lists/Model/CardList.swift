/// A list of cards, and which of them are selected.
struct CardList: Equatable {
  /// A card with a number, which it keeps wherever it is moved. Two cards may be equal.
  struct Row: Equatable, Identifiable {
    let id: Int
    var card: Card
  }

  /// What a click or an arrow key does with a row.
  enum Selecting {
    /// Selects it alone.
    case only
    /// Selects it, too, or no longer: Control.
    case toggling
    /// Selects all rows from the last click to it: Shift.
    case extending
  }

  let title: String
  private(set) var rows: [Row]
  private(set) var selection: Set<Row.ID> = []
  /// The row that the arrow keys go on from.
  private(set) var cursor: Row.ID?
  /// The row that a range begins at.
  private var anchor: Row.ID?

  init(title: String, rows: [Row]) {
    self.title = title
    self.rows = rows
  }

  var selectedRows: [Row] { rows.filter { selection.contains($0.id) } }
  var cursorIndex: Int? { index(of: cursor) }

  private func index(of id: Row.ID?) -> Int? { rows.firstIndex { $0.id == id } }

  // MARK: Selection

  mutating func select(_ index: Int, _ selecting: Selecting = .only) {
    let id = rows[index].id
    let start = self.index(of: anchor) ?? index
    switch selecting {
    case .only: selection = [id]
    case .toggling: selection.formSymmetricDifference([id])
    case .extending: selection = Set(rows[min(start, index)...max(start, index)].map(\.id))
    }
    anchor = selecting == .extending ? rows[start].id : id
    cursor = id
  }

  mutating func selectAll() { selection = Set(rows.map(\.id)) }

  mutating func deselect() { selection = [] }

  mutating func deselect(_ ids: Set<Row.ID>) { selection.subtract(ids) }

  /// Moves the cursor, at most to the first or the last row.
  mutating func moveCursor(by distance: Int, _ selecting: Selecting) {
    guard !rows.isEmpty else { return }
    let start = cursorIndex ?? (distance > 0 ? -1 : rows.count)
    select(min(max(start + distance, 0), rows.count - 1), selecting)
  }

  // MARK: Changes

  /// Inserts rows, which are then the selected ones.
  mutating func insert(_ new: [Row], at index: Int) {
    rows.insert(contentsOf: new, at: min(index, rows.count))
    selection = Set(new.map(\.id))
    anchor = new.first?.id
    cursor = new.last?.id
  }

  /// Removes the rows with these numbers, and returns them in order. The cursor stays where it was.
  mutating func remove(_ ids: Set<Row.ID>) -> [Row] {
    let removed = rows.filter { ids.contains($0.id) }
    let left = cursorIndex.map { rows[..<$0].count { !ids.contains($0.id) } }
    rows.removeAll { ids.contains($0.id) }
    selection.subtract(ids)
    if index(of: cursor) == nil { cursor = left.flatMap { rows.isEmpty ? nil : rows[min($0, rows.count - 1)].id } }
    return removed
  }
}
