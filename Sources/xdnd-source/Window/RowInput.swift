import ToolSupport
import ToolWindow
import XDnD

/// The input of the window: selects and opens rows with pointer and keyboard, and passes gestures on to the drags.
final class RowInput {
  /// The selection, the row with the keyboard focus or the number of rows has changed.
  var onChange: (() -> Void)?
  /// The user asked to close the tool with a key.
  var onClose: (() -> Void)?

  private(set) var selection: RowSelection {
    didSet { if selection != oldValue { selectionChanged(from: oldValue) } }
  }
  private var clicks = DoubleClick()
  private let window: ToolWindow
  private let list: RowList
  private let drags: RowDrags
  /// Opens rows; `nil` with `--no-open`.
  private let opener: RowOpener?
  private let reporter: Reporter

  init(of list: RowList, in window: ToolWindow, drags: RowDrags, opener: RowOpener?, reporter: Reporter) {
    self.list = list
    self.window = window
    self.drags = drags
    self.opener = opener
    self.reporter = reporter
    selection = RowSelection(count: list.count)
  }

  private func selectionChanged(from old: RowSelection) {
    onChange?()
    guard selection.rows != old.rows else { return }
    reporter.printForPrograms(
      Report("selection", "", ["rows": .list(selection.rows.sorted().map { .integer($0) })]))
  }

  /// Adapts the selection to rows that were added.
  func listGrew() { selection.grow(to: list.count) }

  func deselect(_ rows: [Int]) { selection.deselect(rows) }

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

  /// Returns the rows that a press drags, now that it has become a drag.
  func rowsToDrag(by press: DragPress) -> [Int] {
    // A drag does not activate the window.
    window.declineOfferedFocus()
    return selection.drag(from: row(at: press))
  }

  private func row(at press: DragPress) -> Int? {
    window.row(at: PixelPoint(x: press.location.x, y: press.location.y))
  }

  // MARK: Keys

  func typed(_ event: KeyEvent) {
    let modifiers = RowSelection.Modifiers(state: event.state)
    if let motion = RowSelection.Motion(event.key) {
      selection.move(motion, modifiers, page: window.rowsPerPage)
      if let row = selection.cursor { window.reveal(row: row) }
      return
    }
    switch (event.key, event.text, modifiers) {
    case (.enter, _, .toggle): open(selection.rows.sorted())
    case (_, "a", .toggle): selection.selectAll()
    case (_, " ", _): selection.toggleCursor()
    case (.enter, _, _): drags.begin(selection.draggedByKey, at: Timestamp(rawValue: event.time))
    case (.escape, _, _), (_, "q", _): onClose?()
    default: break
    }
  }

  private func open(_ rows: [Int]) {
    guard let opener else { return }
    for row in rows { opener.open(list[row]) }
  }
}

extension RowSelection.Motion {
  /// The motion of an arrow key, Page Up, Page Down, Home or End.
  fileprivate init?(_ key: KeyEvent.Key?) {
    switch key {
    case .up: self = .up
    case .down: self = .down
    case .pageUp: self = .pageUp
    case .pageDown: self = .pageDown
    case .home: self = .first
    case .end: self = .last
    default: return nil
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

extension Point {
  fileprivate init(_ point: PixelPoint) { self.init(x: point.x, y: point.y) }
}
