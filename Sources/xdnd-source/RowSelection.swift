/// Which rows are selected, as a value: what presses, clicks, drags and keys make of it.
///
/// A press on a row that is not selected selects it at once, so that one motion selects and drags. A press on a selected
/// row changes nothing before it turns out to be a click: it may be a drag of all that is selected. In a window that is not
/// active any press waits for that, for a drag out of it has to leave the selection alone.
struct RowSelection: Equatable {
  /// What is held besides the button, or with the key.
  struct Modifiers: OptionSet {
    let rawValue: UInt8

    /// Control: one row more or less.
    static let toggle = Modifiers(rawValue: 1 << 0)
    /// Shift: all rows from the last one that was selected without it.
    static let extend = Modifiers(rawValue: 1 << 1)
  }

  /// Where a key leads.
  enum Motion: CaseIterable {
    case up
    case down
    case pageUp
    case pageDown
    case first
    case last
  }

  /// The selected rows.
  private(set) var rows: Set<Int> = []
  /// The row that keys act on; `nil` before there is one.
  private(set) var cursor: Int?

  private var count: Int
  /// Where ranges begin.
  private var anchor: Int?
  /// What a click will do.
  private var pending: Press?

  private struct Press: Equatable {
    var row: Int?
    var modifiers: Modifiers
  }

  /// Nothing is selected.
  ///
  /// - Parameter count: How many rows there are.
  init(count: Int) {
    self.count = count
  }

  /// There are more rows now, at the end.
  mutating func grow(to count: Int) { self.count = max(self.count, count) }

  // MARK: The pointer

  /// - Parameters:
  ///   - row: `nil` for a press beside the rows.
  ///   - isActive: Whether the window is the active one.
  mutating func press(_ row: Int?, _ modifiers: Modifiers = [], isActive: Bool = true) {
    let press = Press(row: row, modifiers: modifiers)
    pending = press
    guard isActive, let row, !rows.contains(row) else { return }
    pending = nil
    apply(press)
  }

  /// The press was a click.
  mutating func click() {
    if let pending { apply(pending) }
    pending = nil
  }

  /// The press was a drag.
  ///
  /// - Parameter row: Where the press was; `nil` for a press beside the rows, which drags all of them.
  /// - Returns: The rows that are dragged, in order.
  mutating func drag(from row: Int?) -> [Int] {
    pending = nil
    guard let row else { return Array(0..<count) }
    return rows.contains(row) ? rows.sorted() : [row]
  }

  /// Rows whose content is elsewhere now.
  mutating func deselect(_ gone: some Sequence<Int>) { rows.subtract(gone) }

  // MARK: Keys

  /// Moves the cursor, and selects where it comes to; with ``Modifiers/toggle`` it moves only.
  ///
  /// - Parameter page: How many rows a page has.
  mutating func move(_ motion: Motion, _ modifiers: Modifiers = [], page: Int = 1) {
    guard count > 0 else { return }
    let row =
      switch motion {
      case .up: max(0, (cursor ?? count) - 1)
      case .down: min(count - 1, (cursor ?? -1) + 1)
      case .pageUp: max(0, (cursor ?? count) - page)
      case .pageDown: min(count - 1, (cursor ?? -1) + page)
      case .first: 0
      case .last: count - 1
      }
    if modifiers == .toggle { cursor = row } else { apply(Press(row: row, modifiers: modifiers)) }
  }

  /// Selects the row at the cursor, or takes it out again.
  mutating func toggleCursor() {
    guard count > 0 else { return }
    apply(Press(row: cursor ?? 0, modifiers: .toggle))
  }

  mutating func selectAll() { rows = Set(0..<count) }

  /// The rows that a key drags: the selected ones, or else all.
  var draggedByKey: [Int] { rows.isEmpty ? Array(0..<count) : rows.sorted() }

  // MARK: Rules

  private mutating func apply(_ press: Press) {
    guard let row = press.row else {
      if press.modifiers.isEmpty { rows = [] }
      return
    }
    if press.modifiers.contains(.extend) {
      let start = anchor ?? cursor ?? row
      let range = Set(min(start, row)...max(start, row))
      rows = press.modifiers.contains(.toggle) ? rows.union(range) : range
      anchor = start
    } else {
      if press.modifiers.contains(.toggle) { rows.formSymmetricDifference([row]) } else { rows = [row] }
      anchor = row
    }
    cursor = row
  }
}
