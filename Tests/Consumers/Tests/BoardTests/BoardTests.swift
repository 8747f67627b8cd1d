import Testing
import XDnD
import XDnDTesting

/// The tests of a program that uses the library: no X server, no pointer, no waiting.
@Suite("A pin board")
struct BoardTests {
  let desktop = SimulatedDesktop()
  let window: WindowID
  let board: Board
  let place = Point(x: 100, y: 150)

  init() {
    window = desktop.makeWindow(frame: Rect(x: 300, y: 200, width: 400, height: 300))
    board = Board(desktop.dragAndDrop, in: window)
  }

  @Test func `a note becomes a card where it is dropped`() {
    let drag = desktop.drag(DragItem("Milk"), over: window, at: place)
    #expect(drag.drop() == .dropped(.copy))
    #expect(board.cards == [Board.Card(text: "Milk", place: place)])
  }

  @Test func `a file is pinned by its path, although it is offered as text as well`() {
    let drag = desktop.drag(
      types: ["text/plain": Array("a picture".utf8), "text/uri-list": Array("file:///tmp/a.png\r\n".utf8)],
      over: window, at: place)
    drag.drop()
    #expect(board.cards.map(\.text) == ["/tmp/a.png"])
    #expect(drag.loadedTypes == [.uriList])
  }

  @Test func `each of several files becomes a card`() {
    let files = ["/tmp/a", "/tmp/b"]
    let drag = desktop.drag(files.map { DragItem(files: [$0]) }, over: window, at: place)
    drag.drop()
    #expect(board.cards.map(\.text) == files)
  }

  @Test func `a picture without a file is refused`() {
    let drag = desktop.drag(types: ["image/png": [1, 2, 3]], over: window, at: place)
    #expect(drag.answer?.operation == nil)
    #expect(drag.drop() == .refused)
    #expect(!board.isHighlighted)
  }

  @Test func `nothing can be pinned to the header`() {
    let drag = desktop.drag(DragItem("Milk"), over: window, at: Point(x: 100, y: 10))
    #expect(drag.answer?.operation == nil)
    drag.move(to: place)
    #expect(drag.answer?.operation == .copy)
    drag.move(to: Point(x: 100, y: 10))
    #expect(drag.drop() == .refused)
    #expect(board.cards.isEmpty)
  }

  @Test func `a full board refuses another card`() {
    for note in ["Milk", "Eggs", "Bread"] { desktop.drag(DragItem(note), over: window, at: place).drop() }
    let drag = desktop.drag(DragItem("Tea"), over: window, at: place)
    #expect(drag.drop() == .refused)
    #expect(board.cards.map(\.text) == ["Milk", "Eggs", "Bread"])
  }

  enum End: CaseIterable { case left, cancelled, vanished }

  @Test(arguments: End.allCases)
  func `the board is highlighted until the drag is gone`(_ end: End) {
    let drag = desktop.drag(DragItem("Milk"), over: window, at: place)
    #expect(board.isHighlighted)
    switch end {
    case .left: drag.leave()
    case .cancelled: drag.cancel()
    case .vanished: drag.vanish()
    }
    #expect(!board.isHighlighted)
    #expect(board.cards.isEmpty)
  }

  @Test func `with Shift the note is moved, and its source deletes it`() {
    var note = DragItem("Milk")
    note.operations = [.copy, .move]
    let drag = desktop.drag(note, over: window, at: place)
    drag.hold(.shift)
    #expect(drag.answer?.operation == .move)
    #expect(drag.drop() == .dropped(.move))
    #expect(drag.isDeletionRequested)
  }

  @Test func `a blank note is rejected after it has been read`() {
    let drag = desktop.drag(DragItem("  "), over: window, at: place)
    #expect(drag.answer?.operation == .copy)
    // To the source, a target that has the content and does not take it reports failure.
    #expect(drag.drop() == .delivered)
    #expect(board.cards.isEmpty)
  }

  @Test func `the drawer opens under a drag that rests on its handle`() {
    let drag = desktop.drag(DragItem("Milk"), over: window, at: Board.handle.origin)
    #expect(!board.isDrawerOpen)
    desktop.advance(by: .seconds(2))
    #expect(board.isDrawerOpen)
    drag.cancel()
  }
}
