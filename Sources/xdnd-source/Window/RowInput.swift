import XDnDFiles
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The input of the window: selects and opens rows with pointer and keyboard, and passes gestures on to the drags.
final class RowInput {
  /// The selection, the row with the keyboard focus or the number of rows has changed.
  var onChange: (() -> Void)?
  /// The user asked to copy the selected rows, at this time.
  var onCopy: (([Int], Timestamp) -> Void)?
  /// The user asked to cancel the delivery of a row, or the newest one if the row is `nil`. Returns whether there is
  /// one.
  var onCancel: ((Int?) -> Bool)?
  /// The user has pressed a key that closes the tool.
  var onClose: (() -> Void)?

  private(set) var selection: RowSelection {
    didSet { if selection != oldValue { selectionChanged(from: oldValue) } }
  }
  private var clicks = DoubleClick()
  private var closing = ClosingGuard()
  private let window: ToolWindow
  private let list: RowList
  private let drags: RowDrags
  /// Whether a double click opens a row with the desktop's default application.
  private let opensRows: Bool
  private let reporter: Reporter

  init(of list: RowList, in window: ToolWindow, drags: RowDrags, opensRows: Bool, reporter: Reporter) {
    self.list = list
    self.window = window
    self.drags = drags
    self.opensRows = opensRows
    self.reporter = reporter
    selection = RowSelection(count: list.count)
  }

  private func selectionChanged(from old: RowSelection) {
    onChange?()
    guard selection.rows != old.rows else { return }
    reporter.printForPrograms(
      Report("selection", "", ["rows": .list(selection.rows.sorted().map { .integer($0) })]))
  }

  func listGrew() { selection.grow(to: list.count) }

  func deselect(_ rows: [Int]) { selection.deselect(rows) }

  /// Selects rows for assistive technology.
  func select(_ request: RowSelectionRequest) {
    switch request {
    case .only(let row): selection.click(row)
    case .add(let row): if !selection.rows.contains(row) { selection.click(row, .toggle) }
    case .remove(let row): if selection.rows.contains(row) { selection.click(row, .toggle) }
    case .all: selection.selectAll()
    case .none: selection.click(nil)
    }
  }

  func dragEnded() { closing.dragEnded(at: .now) }

  // MARK: The pointer

  func pressed(_ event: PointerEvent) {
    if event.button == PointerButton.primary.rawValue {
      selection.press(
        window.row(at: event.position), RowSelection.Modifiers(state: event.state), isActive: window.isActive)
    }
    drags.press(
      DragPress(
        rootLocation: Point(event.rootPosition), location: Point(event.position),
        button: PointerButton(rawValue: event.button), time: Timestamp(rawValue: event.time)))
  }

  func moved(_ event: PointerEvent) { drags.move(to: Point(event.rootPosition)) }

  func released(_ event: PointerEvent) {
    drags.release(PointerButton(rawValue: event.button))
    // The drag's own button ends in a click or a drag; any other button only clicks.
    if event.button != PointerButton.primary.rawValue { window.takeOfferedFocus(at: event.time) }
  }

  func clicked(_ press: DragPress) {
    window.takeOfferedFocus(at: press.time.rawValue)
    selection.click()
    if let row = row(at: press), clicks.click(on: row, at: press.time) { open([row]) }
  }

  /// Returns the rows that a press drags, now that it has become a drag; none if it is neither on a row nor on the
  /// heading.
  func rowsToDrag(by press: DragPress) -> [Int] {
    let isHeading = window.isHandle(at: PixelPoint(press.location))
    let row = row(at: press)
    guard isHeading || row != nil else { return [] }
    // A drag does not activate the window.
    window.declineOfferedFocus()
    return row.map { selection.drag(from: $0) } ?? selection.dragAll()
  }

  private func row(at press: DragPress) -> Int? { window.row(at: PixelPoint(press.location)) }

  // MARK: Keys

  func typed(_ event: KeyEvent) {
    let modifiers = RowSelection.Modifiers(state: event.state)
    if selection.move(event.key, modifiers, page: window.rowsPerPage) {
      if let row = selection.cursor { window.reveal(row: row) }
      return
    }
    switch (event.key, event.shortcut, modifiers) {
    case (.enter, _, .toggle): open(selection.rows.sorted())
    case (_, "a", .toggle): selection.selectAll()
    case (_, "c", .toggle): onCopy?(selection.draggedByKey, Timestamp(rawValue: event.time))
    case (_, " ", _): selection.toggleCursor()
    case (.enter, _, _): beginDrag(at: Timestamp(rawValue: event.time))
    case (.escape, _, _): escape()
    case (_, "q", _): onClose?()
    default: break
    }
  }

  /// Begins a drag that is moved by keys. It starts at the row of the selection cursor if that is dragged, or else at
  /// the first dragged row.
  private func beginDrag(at time: Timestamp) {
    let rows = selection.draggedByKey
    guard drags.canBegin, let first = rows.first else { return }
    let cursor = selection.cursor ?? first
    window.movePointer(toRow: rows.contains(cursor) ? cursor : first)
    drags.begin(rows, at: time)
  }

  private func escape() {
    guard closing.closesOnEscape(at: .now) else { return }
    if onCancel?(selection.cursor) == true { closing.dragEnded(at: .now) } else { onClose?() }
  }

  /// Opens the files or URIs of those rows that have one.
  private func open(_ rows: [Int]) {
    guard opensRows else { return }
    for row in rows.map({ list[$0] }) {
      guard let opened = row.opened else { continue }
      do throws(SystemError) {
        // The tool's own output must not contain the application's.
        try Subprocess("xdg-open", [Array("xdg-open".utf8), opened], output: .discarded).abandon()
        reporter.print(Report("opened", "Opened \(row.title).", ["path": .path(opened)]))
      } catch {
        Reporter.printError("xdnd-source", "cannot open '\(row.title)': xdg-open: \(error.message)")
      }
    }
  }
}

extension RowSelection.Modifiers {
  /// The modifiers in an X event's state mask: bit 0 is Shift, bit 2 is Control.
  fileprivate init(state: UInt32) {
    self = []
    if state & 1 << 0 != 0 { insert(.extend) }
    if state & 1 << 2 != 0 { insert(.toggle) }
  }
}

extension PixelPoint {
  fileprivate init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension Point {
  fileprivate init(_ point: PixelPoint) { self.init(x: point.x, y: point.y) }
}

struct DoubleClick {
  /// The usual default of desktops, in milliseconds.
  private static let longest: UInt32 = 400
  private var last: (row: Int, time: Timestamp)?

  /// - Returns: Whether this click completes a double click.
  mutating func click(on row: Int, at time: Timestamp) -> Bool {
    let isDouble = last.map { $0.row == row && time.rawValue &- $0.time.rawValue <= Self.longest } ?? false
    // A third click starts a new sequence.
    last = isDouble ? nil : (row, time)
    return isDouble
  }
}
