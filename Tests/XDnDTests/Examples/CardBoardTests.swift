import Testing
import XDnD
import XDnDTesting

@testable import Lists

/// What presses, keys and drops make of the lists of the example.
@Suite("The lists of the example")
struct CardBoardTests {
  /// Two pages: five cards and one, and two empty lists.
  private var board = CardBoard([
    ("One", [("Left", "ABCDE".map { Card(title: String($0)) }), ("Right", [Card(title: "X")])]),
    ("Two", [("Left", []), ("Right", [])]),
  ])

  /// The titles of a list, with the selected ones in brackets.
  private func list(_ number: Int) -> String {
    let list = board.lists[number]
    return list.rows.map { list.selection.contains($0.id) ? "[\($0.card.title)]" : $0.card.title }.joined()
  }

  private mutating func click(_ index: Int?, in list: Int = 0, _ selecting: CardList.Selecting = .only) {
    board.press(index, in: list, selecting)
    board.click()
  }

  /// Drags the selection of the list that was pressed last.
  private mutating func move(to list: Int, _ index: Int) {
    board.move(Set(board.drag().map(\.id)), to: CardBoard.Place(list: list, index: index))
  }

  private mutating func copy(to list: Int, _ index: Int) {
    board.insert(board.drag().map(\.card), at: CardBoard.Place(list: list, index: index))
  }

  // MARK: Selection

  @Test mutating func `a click selects a row, Control one more or one less, Shift all up to it`() {
    click(1)
    click(3, .toggling)
    #expect(list(0) == "A[B]C[D]E")
    click(3, .toggling)
    #expect(list(0) == "A[B]CDE")
    click(1)
    click(3, .extending)
    #expect(list(0) == "A[B][C][D]E")
    click(0, .extending)
    #expect(list(0) == "[A][B]CDE")
    click(nil)
    #expect(list(0) == "ABCDE")
  }

  @Test mutating func `a press on a selected row drags all that are selected, and selects it alone as a click`() {
    click(1)
    click(3, .toggling)
    board.press(3, in: 0)
    #expect(list(0) == "A[B]C[D]E")
    #expect(board.drag().map(\.card.title) == ["B", "D"])
    board.click()
    #expect(list(0) == "A[B]C[D]E", "What was dragged is no click.")
    click(3)
    #expect(list(0) == "ABC[D]E")
  }

  @Test mutating func `a press on another row drags it alone, and with Control the others too`() {
    click(1)
    board.press(3, in: 0)
    #expect(board.drag().map(\.card.title) == ["D"])
    board.press(4, in: 0, .toggling)
    #expect(board.drag().map(\.card.title) == ["D", "E"])
  }

  @Test mutating func `a press on a row that is removed meanwhile is no click`() {
    click(4)
    board.press(4, in: 0)
    board.removeSelection()
    board.click()
    #expect(list(0) == "ABC[D]")
  }

  @Test mutating func `arrow keys select the next row, with Shift up to there, and stay in the list`() {
    board.moveCursor(by: 1)
    board.moveCursor(by: 1)
    board.moveCursor(by: 1, .extending)
    #expect(list(0) == "A[B][C]DE")
    board.moveCursor(by: 9)
    #expect(list(0) == "ABCD[E]")
    board.focus(column: 1)
    board.moveCursor(by: -1)
    #expect(list(1) == "[X]")
    board.show(page: 1)
    board.moveCursor(by: 1)
    #expect(board.drag().isEmpty)
  }

  // MARK: Drops

  @Test(arguments: [(0, "[B][D]ACE"), (1, "A[B][D]CE"), (2, "A[B][D]CE"), (3, "AC[B][D]E"), (5, "ACE[B][D]")])
  mutating func `rows move to a place in their list, together and selected`(place: (index: Int, result: String)) {
    click(1)
    click(3, .toggling)
    move(to: 0, place.index)
    #expect(list(0) == place.result)
  }

  @Test mutating func `rows move to another list, where they are selected`() {
    click(1)
    click(3, .toggling)
    move(to: 1, 0)
    #expect(list(0) == "ACE")
    #expect(list(1) == "[B][D]X")
    #expect(board.focus == 1)
    move(to: 3, 0)
    #expect(board.page == 1)
    #expect(list(3) == "[B][D]")
  }

  @Test mutating func `copies are selected, and the originals no longer`() {
    click(1)
    click(3, .toggling)
    copy(to: 1, 1)
    #expect(list(0) == "ABCDE")
    #expect(list(1) == "X[B][D]")
    move(to: 0, 0)
    #expect(list(0) == "[B][D]ABCDE", "The copies are rows of their own.")
  }

  @Test mutating func `copies on another page are the only cards that are selected, too`() {
    click(1)
    copy(to: 2, 0)
    #expect([list(0), list(1), list(2)] == ["ABCDE", "X", "[B]"])
    board.undo()
    #expect(list(0) == "A[B]CDE", "The selection comes back with undo.")
  }

  @Test mutating func `cards arrive at the end of a list that has become shorter`() {
    board.insert([Card(title: "Y")], at: CardBoard.Place(list: 1, index: 7))
    #expect(list(1) == "X[Y]")
  }

  @Test mutating func `the arrow keys go on where a moved row was`() {
    click(1)
    move(to: 1, 0)
    board.focus(column: 0)
    board.moveCursor(by: 1)
    #expect(list(0) == "AC[D]E")
  }

  @Test mutating func `after Delete the next card is selected, and at the end the last one`() {
    click(1)
    board.removeSelection()
    #expect(list(0) == "A[C]DE")
    click(3)
    board.removeSelection()
    #expect(list(0) == "AC[D]")
    for _ in 0..<4 { board.removeSelection() }
    #expect(list(0) == "")
    board.undo()
    #expect(list(0) == "[A]")
  }

  @Test mutating func `what another program has copied is no longer selected`() {
    click(1)
    let dragged = Set(board.drag().map(\.id))
    click(3, .toggling)
    board.deselect(dragged)
    #expect(list(0) == "ABC[D]E")
  }

  // MARK: Undo

  @Test mutating func `undo and redo restore rows, selection and page`() {
    click(1)
    move(to: 1, 1)
    let moved = [list(0), list(1)]
    copy(to: 2, 0)
    click(0, in: 2)
    board.show(page: 1)
    board.undo()
    #expect(board.page == 0)
    #expect([list(0), list(1)] == moved)
    #expect(list(2) == "")
    board.undo()
    #expect(list(0) == "A[B]CDE")
    #expect(list(1) == "X")
    board.undo()
    #expect(list(0) == "A[B]CDE", "There is nothing more to undo.")
    board.redo()
    #expect([list(0), list(1)] == moved)
    board.redo()
    #expect(list(2) == "[B]")
    #expect(board.page == 1)
    board.redo()
    #expect(list(2) == "[B]")
  }

  @Test mutating func `a change after undo cannot be redone over`() {
    click(1)
    move(to: 1, 0)
    board.undo()
    click(2)
    board.removeSelection()
    board.redo()
    #expect(list(0) == "AB[D]E")
    board.undo()
    #expect(list(0) == "AB[C]DE")
  }

  @Test mutating func `a drop of rows where they are is nothing to undo`() {
    click(0)
    move(to: 1, 0)
    click(1)
    move(to: 0, 2)
    board.undo()
    #expect(list(1) == "X")
  }

  // MARK: Cards

  @Test(arguments: 1...3)
  func `another instance gets all dragged cards with their colours, and each card once`(count: Int) {
    let cards = [Card(title: "A", color: .red), Card(title: "B"), Card(title: "C", color: .blue)].prefix(count)
    let desktop = SimulatedDesktop.recordingIssues()
    let window = desktop.makeWindow()
    var decks: [Deck] = []
    desktop.dragAndDrop.dropDestination(for: Deck.self, in: window) { dropped, _ in
      decks += dropped
      return true
    }
    #expect(desktop.drag(DragItem(joining: Deck(cards: Array(cards)).items), over: window).drop() == .dropped(.copy))
    #expect(decks.flatMap(\.cards) == Array(cards))
  }

  @Test func `each line of text and each file is a card`() {
    #expect(Deck(text: "Tea\n\nRye bread\r\n").cards.map(\.title) == ["Tea", "Rye bread"])
    let uris = ["file:///home/me/my%20photo.png", "file:///srv/music/", "https://swift.org/"]
    #expect(Deck(uris: uris).cards.map(\.title) == ["my photo.png", "music", "swift.org"])
  }
}
