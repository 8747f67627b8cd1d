import Testing
import XDnDToolWindow

@testable import xdnd_source

/// What presses, clicks, drags and keys make of a selection of rows.
@Suite("The selection of rows")
struct RowSelectionTests {
  /// Five rows, some of which were selected one by one.
  private func selection(_ rows: Int...) -> RowSelection {
    var selection = RowSelection(count: 5)
    for row in rows { selection.click(on: row, .toggle) }
    #expect(selection.rows == Set(rows))
    return selection
  }

  // MARK: Clicks

  @Test func `a click selects one row, and a click beside the rows none`() {
    var selection = selection(1, 3)
    selection.click(on: 2)
    #expect(selection.rows == [2])
    #expect(selection.cursor == 2)
    selection.click(on: nil)
    #expect(selection.rows == [])
  }

  @Test func `a click on one of several selected rows selects it alone, when the button goes up and not before`() {
    var selection = selection(1, 3)
    selection.press(3)
    #expect(selection.rows == [1, 3])
    selection.click()
    #expect(selection.rows == [3])
  }

  @Test func `Control takes one row more, or one less`() {
    var selection = selection(1)
    selection.press(3, .toggle)
    #expect(selection.rows == [1, 3])
    selection.click()
    #expect(selection.rows == [1, 3])
    selection.press(1, .toggle)
    #expect(selection.rows == [1, 3])
    selection.click()
    #expect(selection.rows == [3])
  }

  @Test func `Shift selects from the last row that was selected without it`() {
    var selection = selection()
    selection.click(on: 2)
    selection.click(on: 4, .extend)
    #expect(selection.rows == [2, 3, 4])
    selection.click(on: 0, .extend)
    #expect(selection.rows == [0, 1, 2])
    selection.click(on: 1, .extend)
    #expect(selection.rows == [1, 2])
    selection.click(on: 4, [.extend, .toggle])
    #expect(selection.rows == [1, 2, 3, 4])
  }

  @Test func `Shift without a row before it selects one row`() {
    var selection = RowSelection(count: 5)
    selection.click(on: 3, .extend)
    #expect(selection.rows == [3])
  }

  @Test(arguments: [RowSelection.Modifiers.toggle, .extend])
  func `a click beside the rows with a key held changes nothing`(_ modifiers: RowSelection.Modifiers) {
    var selection = selection(1, 3)
    selection.click(on: nil, modifiers)
    #expect(selection.rows == [1, 3])
  }

  // MARK: Drags

  @Test func `one motion selects an unselected row and drags it alone`() {
    var selection = selection(1, 3)
    selection.press(2)
    #expect(selection.rows == [2])
    #expect(selection.drag(from: 2) == [2])
    #expect(selection.rows == [2])
  }

  @Test(arguments: [[], RowSelection.Modifiers.toggle, .extend])
  func `a drag from a selected row drags all that is selected and changes nothing`(
    _ modifiers: RowSelection.Modifiers
  ) {
    var selection = selection(3, 1)
    selection.press(3, modifiers)
    #expect(selection.drag(from: 3) == [1, 3])
    #expect(selection.rows == [1, 3])
    // The button goes up somewhere else; what the press would have done as a click is off.
    selection.click()
    #expect(selection.rows == [1, 3])
  }

  @Test func `with Control an unselected row joins the drag`() {
    var selection = selection(1)
    selection.press(4, .toggle)
    #expect(selection.drag(from: 4) == [1, 4])
  }

  @Test func `a drag of the heading drags everything and selects nothing`() {
    var selection = selection(1)
    selection.press(nil)
    #expect(selection.dragAll() == [0, 1, 2, 3, 4])
    #expect(selection.rows == [1])
  }

  // MARK: Another window is active

  @Test(arguments: [[], RowSelection.Modifiers.toggle, .extend])
  func `a drag out of an inactive window leaves the selection alone`(_ modifiers: RowSelection.Modifiers) {
    var selection = selection(1, 3)
    let before = selection
    selection.press(2, modifiers, isActive: false)
    #expect(selection.rows == before.rows)
    #expect(selection.drag(from: 2) == [2])
    #expect(selection == before)

    selection.press(1, modifiers, isActive: false)
    #expect(selection.drag(from: 1) == [1, 3])
    #expect(selection == before)
  }

  @Test func `a click in an inactive window does what it does in an active one`() {
    for row in [0, 1, nil] {
      for modifiers in [[], RowSelection.Modifiers.toggle, .extend, [.toggle, .extend]] {
        var (active, inactive) = (selection(1, 3), selection(1, 3))
        active.click(on: row, modifiers)
        inactive.press(row, modifiers, isActive: false)
        inactive.click()
        #expect(active == inactive)
      }
    }
  }

  // MARK: After the drag

  @Test func `rows that are elsewhere now are not selected any more`() {
    var selection = selection(0, 1, 3)
    selection.deselect([1, 2, 3])
    #expect(selection.rows == [0])
  }

  // MARK: Keys

  @Test func `arrows go from row to row and stop at the ends`() {
    var selection = RowSelection(count: 3)
    for row in [0, 1, 2, 2] {
      selection.move(.down)
      #expect(selection.rows == [row])
      #expect(selection.cursor == row)
    }
    for row in [1, 0, 0] {
      selection.move(.up)
      #expect(selection.rows == [row])
    }
    selection.move(.end)
    #expect(selection.rows == [2])
    selection.move(.home)
    #expect(selection.rows == [0])
  }

  @Test func `the first arrow goes to the end that it comes from`() {
    var selection = RowSelection(count: 3)
    selection.move(.up)
    #expect(selection.rows == [2])
  }

  @Test func `arrows with Shift extend the selection, and take back`() {
    var selection = RowSelection(count: 5)
    selection.click(on: 2)
    selection.move(.down, .extend)
    selection.move(.down, .extend)
    #expect(selection.rows == [2, 3, 4])
    selection.move(.up, .extend)
    #expect(selection.rows == [2, 3])
    selection.move(.home, .extend)
    #expect(selection.rows == [0, 1, 2])
  }

  @Test func `arrows with Control go without selecting, and the space bar selects there`() {
    var selection = RowSelection(count: 5)
    selection.click(on: 1)
    selection.move(.down, .toggle)
    selection.move(.down, .toggle)
    #expect(selection.rows == [1])
    #expect(selection.cursor == 3)
    selection.toggleCursor()
    #expect(selection.rows == [1, 3])
    selection.toggleCursor()
    #expect(selection.rows == [1])
  }

  @Test func `rows that arrive later are not selected`() {
    var selection = RowSelection(count: 2)
    selection.selectAll()
    selection.grow(to: 4)
    #expect(selection.rows == [0, 1])
    #expect(selection.drag(from: 0) == [0, 1])
    selection.deselect([0, 1])
    #expect(selection.draggedByKey == [0, 1, 2, 3])
  }

  @Test func `a key drags what is selected, or everything`() {
    var selection = RowSelection(count: 3)
    #expect(selection.draggedByKey == [0, 1, 2])
    selection.move(.down)
    #expect(selection.draggedByKey == [0])
    selection.selectAll()
    #expect(selection.rows == [0, 1, 2])
    #expect(selection.draggedByKey == [0, 1, 2])
  }

  @Test func `without any rows nothing can be selected`() {
    var selection = RowSelection(count: 0)
    for key in [KeyEvent.Key.up, .down, .pageUp, .pageDown, .home, .end] { selection.move(key) }
    selection.toggleCursor()
    selection.selectAll()
    selection.click(on: nil)
    #expect(selection == RowSelection(count: 0))
    #expect(selection.draggedByKey == [])
  }
}

extension RowSelection {
  fileprivate mutating func click(on row: Int?, _ modifiers: Modifiers = []) {
    press(row, modifiers)
    click()
  }
}
