import XDnDToolWindow

/// The list's selection as a value, and the effect of presses, clicks, drags and keys on it.
///
/// A press on an unselected row selects it at once, so that one gesture selects and drags. A press on a selected row
/// takes effect only as a click, because it may start a drag of the whole selection. In an inactive window, every press
/// takes effect only as a click, because a drag out of it must not change the selection.
struct RowSelection: Equatable {
  /// The modifier keys held with a press or key.
  struct Modifiers: OptionSet {
    let rawValue: UInt8

    /// Control: adds or removes one row.
    static let toggle = Modifiers(rawValue: 1 << 0)
    /// Shift: extends the selection from the anchor.
    static let extend = Modifiers(rawValue: 1 << 1)
  }

  private(set) var rows: Set<Int> = []
  /// The row with the keyboard focus; `nil` before the first selection.
  private(set) var cursor: Int?

  private var count: Int
  /// The fixed end of range selections.
  private var anchor: Int?
  /// The press whose effect waits for the click.
  private var pending: Press?

  private struct Press: Equatable {
    var row: Int?
    var modifiers: Modifiers
  }

  init(count: Int) { self.count = count }

  mutating func grow(to count: Int) { self.count = max(self.count, count) }

  // MARK: The pointer

  /// - Parameter row: `nil` for a press outside the rows.
  mutating func press(_ row: Int?, _ modifiers: Modifiers = [], isActive: Bool = true) {
    let press = Press(row: row, modifiers: modifiers)
    pending = press
    guard isActive, let row, !rows.contains(row) else { return }
    pending = nil
    apply(press)
  }

  mutating func click() {
    if let pending { apply(pending) }
    pending = nil
  }

  /// Clicks a row without a pointer.
  mutating func click(_ row: Int?, _ modifiers: Modifiers = []) { apply(Press(row: row, modifiers: modifiers)) }

  /// Ends the press as a drag of a row, and returns the dragged rows in order.
  mutating func drag(from row: Int) -> [Int] {
    pending = nil
    return rows.contains(row) ? rows.sorted() : [row]
  }

  /// Ends the press as a drag of all rows.
  mutating func dragAll() -> [Int] {
    pending = nil
    return Array(0..<count)
  }

  mutating func deselect(_ gone: some Sequence<Int>) { rows.subtract(gone) }

  // MARK: Keys

  /// Moves the cursor by a navigation key and selects its row. With ``Modifiers/toggle`` only the cursor moves.
  ///
  /// - Returns: Whether it is a navigation key.
  @discardableResult
  mutating func move(_ key: KeyEvent.Key?, _ modifiers: Modifiers = [], page: Int = 1) -> Bool {
    let target: Int
    switch key {
    case .up: target = (cursor ?? count) - 1
    case .down: target = (cursor ?? -1) + 1
    case .pageUp: target = (cursor ?? count) - page
    case .pageDown: target = (cursor ?? -1) + page
    case .home: target = 0
    case .end: target = count - 1
    default: return false
    }
    guard count > 0 else { return true }
    let row = min(max(target, 0), count - 1)
    if modifiers == .toggle { cursor = row } else { apply(Press(row: row, modifiers: modifiers)) }
    return true
  }

  /// Adds the row at the cursor to the selection or removes it.
  mutating func toggleCursor() {
    guard count > 0 else { return }
    apply(Press(row: cursor ?? 0, modifiers: .toggle))
  }

  mutating func selectAll() { rows = Set(0..<count) }

  /// The rows that a keyboard drag carries: the selection, or else the row with the keyboard focus, or else all rows.
  var draggedByKey: [Int] { rows.isEmpty ? cursor.map { [$0] } ?? Array(0..<count) : rows.sorted() }

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
