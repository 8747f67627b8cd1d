import TestSupport
import Testing
import XDnDX11

@testable import Note
@testable import XDnD

/// The example with a text view, used with a pointer and a keyboard.
@Suite("The note on a display", .requiresXvfb, .timeLimit(.minutes(2)))
struct NoteTests {
  private func with(_ text: String, _ body: @escaping @Sendable (NoteStage) throws -> Void) async throws {
    try await XServer.with { server in
      let (name, pointer) = (server.displayName, try Pointer(server))
      try await onOwnThread { try body(try NoteStage(name, pointer, text)) }
    }
  }

  // MARK: Within the note

  @Test func `a double click selects a word, and a click on the selection puts the caret there`() async throws {
    try await with("one two three") { stage in
      stage.click(at: 5, times: 2)
      try stage.expect("one [two] three")
      stage.click(at: 6)
      try stage.expect("one two three")
      #expect(stage.note.text.caret == 6)
    }
  }

  @Test func `selected text is moved between letters, and back with undo`() async throws {
    try await with("one two three") { stage in
      try stage.select(0..<4)
      try stage.drag(to: 10)
      stage.pointer.release()
      try stage.expect("two th[one ]ree")
      try stage.undo()
      try stage.expect("[one ]two three")
      try stage.redo()
      try stage.expect("two th[one ]ree")
    }
  }

  @Test func `a move into the moved text shows no place and changes nothing`() async throws {
    try await with("one two three") { stage in
      try stage.select(0..<4)
      try stage.drag(to: 8)
      try stage.hover(2, showing: nil)
      try stage.pointer.press(key: "Control_L")
      try stage.run { stage.note.insertionPoint == 2 }
      try stage.pointer.release(key: "Control_L")
      try stage.run { stage.note.insertionPoint == nil }
      stage.pointer.release()
      try stage.run { !stage.isDragging }
      try stage.expect("[one ]two three")
    }
  }

  @Test func `lines break between words, and within a word that is longer than a line`() async throws {
    let word = String(repeating: "m", count: 60)
    try await with("one two " + String(repeating: "a", count: 30) + " \(word)") { stage in
      let lines = Dictionary(grouping: stage.note.text.characters.indices) { stage.note.frames[$0].origin.y }
      let texts = lines.keys.sorted().map { y in String(lines[y, default: []].map { stage.note.text.characters[$0] }) }
      #expect(texts.count >= 3)
      #expect(texts[0].hasPrefix("one two ") && texts[0].hasSuffix(" "))
      #expect(texts.last?.allSatisfy { $0 == "m" } == true)
      #expect(texts.joined() == String(stage.note.text.characters))
    }
  }

  @Test func `with Control selected text is copied`() async throws {
    try await with("one two three") { stage in
      try stage.select(0..<4)
      try stage.pointer.press(key: "Control_L")
      try stage.drag(to: 8)
      stage.pointer.release()
      try stage.expect("one two [one ]three")
      try stage.pointer.release(key: "Control_L")
    }
  }

  @Test func `the insertion point follows a drag, and Escape leaves the text as it was`() async throws {
    try await with("one two three") { stage in
      try stage.select(0..<4)
      try stage.drag(to: 8)
      try stage.hover(10)
      try stage.pointer.tap(key: "Escape")
      try stage.run { stage.note.insertionPoint == nil && !stage.isDragging }
      stage.pointer.release()
      try stage.pointer.tap(key: "Delete")
      try stage.expect("two three")
    }
  }

  @Test func `text that arrives during a drag turns its move into a copy`() async throws {
    try await with("one two three") { stage in
      try stage.select(0..<4)
      try stage.drag(to: 8)
      stage.note.text.replace(0..<0, with: "new ")
      try stage.hover(12)
      stage.pointer.release()
      try stage.expect("new one two [one ]three")
    }
  }

  @Test func `typing and drops are undone one by one`() async throws {
    try await with("one two") { stage in
      stage.click(at: 4)
      for key in ["a", "b", "Return"] { try stage.pointer.tap(key: key) }
      try stage.expect("one ab\ntwo")
      #expect(try stage.drop(DragItem("new"), at: 0) == .dropped(.copy))
      try stage.expect("[new]one ab\ntwo")
      for text in ["one ab\ntwo", "one abtwo", "one atwo", "one two"] {
        try stage.undo()
        try stage.expect(text)
      }
    }
  }

  // MARK: From other programs

  @Test func `text is inserted between letters, where it is selected`() async throws {
    try await with("one two") { stage in
      #expect(try stage.drop(DragItem("new "), at: 4) == .dropped(.copy))
      try stage.expect("one [new ]two")
    }
  }

  @Test func `styled text has the style of the note`() async throws {
    try await with("one") { stage in
      var item = DragItem()
      item.promise(.html, bytes: Array("<p>two <b>bold</b></p>".utf8))
      #expect(try stage.drop(item, at: 3) == .dropped(.copy))
      try stage.expect("one[two bold]")
    }
  }

  @Test func `of a contact, the name and the mail address are inserted`() async throws {
    try await with("To: ") { stage in
      let card = "BEGIN:VCARD\nVERSION:4.0\nFN:Ada Lovelace\nEMAIL:ada@example.org\nTEL:12\nEND:VCARD\n"
      var item = DragItem()
      for type in [ContentType.plainText, .vCard] { item.promise(type, bytes: Array(card.utf8)) }
      #expect(try stage.drop(item, at: 4) == .dropped(.copy))
      try stage.expect("To: [Ada Lovelace <ada@example.org>]")
    }
  }

  @Test func `text is copied, even if its program requests a move`() async throws {
    try await with("one") { stage in
      var item = DragItem("two")
      item.operations = [.move, .copy]
      #expect(try stage.drop(item, at: 3, policy: .firstOffered) == .dropped(.copy))
      try stage.expect("one[two]")
    }
  }

  @Test func `files and links are inserted as paths and URLs, and copied even with Shift`() async throws {
    try await with("one") { stage in
      var item = DragItem(FileList(uris: ["file:///tmp/a%20b", "https://example.org/"]))
      item.operations = [.copy, .move]
      try stage.pointer.press(key: "Shift_L")
      #expect(try stage.drop(item, at: 0) == .dropped(.copy))
      try stage.pointer.release(key: "Shift_L")
      try stage.expect("[/tmp/a b\nhttps://example.org/]one")
    }
  }

  // MARK: To other programs

  @Test(arguments: [false, true])
  func `selected text is copied to another program, and with Shift moved there`(_ moves: Bool) async throws {
    try await with("one two") { stage in
      try stage.select(0..<4)
      if moves { try stage.pointer.press(key: "Shift_L") }
      try stage.dragToOther()
      stage.pointer.release()
      try stage.run { !stage.taken.texts.isEmpty && !stage.isDragging }
      #expect(stage.taken.texts == ["one "])
      if moves { try stage.pointer.release(key: "Shift_L") }
      try stage.expect(moves ? "two" : "[one ]two")
      try stage.undo()
      try stage.expect("[one ]two")
    }
  }
}

/// The note and another program, in one thread. The note is in the corner of the screen.
private final class NoteStage {
  let note: NoteWindow
  let pointer: Pointer
  /// What was dropped on the other program.
  let taken = Texts()
  private let dragAndDrop: DragAndDrop
  private let other: DragAndDrop
  private let otherRegion: DropRegion

  final class Texts {
    var texts: [String] = []
  }

  private static let otherFrame = Rect(x: 700, y: 100, width: 100, height: 100)
  private static let outside = Point(x: 900, y: 600)

  init(_ displayName: String, _ pointer: Pointer, _ text: String) throws {
    self.pointer = pointer
    dragAndDrop = try DragAndDrop(connectingTo: displayName)
    other = try DragAndDrop(connectingTo: displayName)
    let display = try #require(dragAndDrop.display)
    note = NoteWindow(text, on: display)
    note.enable(dragAndDrop)
    dragAndDrop.onOtherEvent = { [note] in note.handle($0.load(as: XEvent.self)) }
    let (otherDisplay, frame) = (try #require(other.display), Self.otherFrame)
    let window = XCreateSimpleWindow(
      otherDisplay, XDefaultRootWindow(otherDisplay), Int32(frame.origin.x), Int32(frame.origin.y),
      UInt32(frame.width), UInt32(frame.height), 0, 0, 0)
    otherRegion = other.dropDestination(
      for: String.self, operations: [.copy, .move], in: WindowID(window),
      action: { [taken] texts, _ in
        taken.texts += texts
        return true
      })
    XMapWindow(display, note.window)
    XMapWindow(otherDisplay, window)
    _ = (dragAndDrop.serverTime, other.serverTime)
  }

  /// Whether a drag of one of the programs has the pointer.
  var isDragging: Bool { dragAndDrop.reactor.drags.held != nil || other.reactor.drags.held != nil }

  /// The text, with the selection in brackets.
  private var shown: String {
    let (characters, selection) = (note.text.characters, note.text.selection)
    guard !selection.isEmpty else { return String(characters) }
    let parts = [0..<selection.lowerBound, selection, selection.upperBound..<characters.count].map { characters[$0] }
    return "\(String(parts[0]))[\(String(parts[1]))]\(String(parts[2]))"
  }

  /// Runs both programs until the note shows a text.
  func expect(_ text: String, at place: SourceLocation = #_sourceLocation) throws {
    try run(at: place) { shown == text }
    #expect(shown == text, sourceLocation: place)
  }

  /// Runs both programs until a condition holds.
  func run(at place: SourceLocation = #_sourceLocation, until condition: () -> Bool) throws {
    let limit = ContinuousClock.now + .seconds(20)
    // The other program's events do not wake the first one.
    try dragAndDrop.run(wakingAt: { .now + .milliseconds(2) }) {
      try? other.process()
      return !condition() && .now < limit
    }
    #expect(condition(), sourceLocation: place)
  }

  // MARK: The user

  /// The point between the letters at a place.
  private func point(_ place: Int) -> Point {
    Point(x: note.frames[place].origin.x, y: note.frames[place].middle.y)
  }

  func click(at place: Int, times: Int = 1) {
    pointer.move(to: point(place))
    for _ in 0..<times {
      pointer.press()
      pointer.release()
    }
  }

  /// Selects a part with the pointer.
  func select(_ part: Range<Int>) throws {
    pointer.move(to: point(part.lowerBound))
    pointer.press()
    pointer.move(to: point(part.upperBound))
    pointer.release()
    try run { note.text.selection == part }
  }

  /// Drags the selected text over a place.
  func drag(to place: Int) throws {
    try beginDrag()
    try hover(place)
  }

  /// Drags the selected text over the other program.
  func dragToOther() throws {
    try beginDrag()
    pointer.move(to: Self.otherFrame.middle)
    try run { otherRegion.isTargeted }
  }

  private func beginDrag() throws {
    let start = note.frames[note.text.selection.lowerBound + 1].middle
    pointer.move(to: start)
    pointer.press()
    pointer.move(to: Point(x: start.x, y: start.y + 12))
    try run { isDragging }
  }

  /// Moves a drag over a place.
  func hover(_ place: Int) throws { try hover(place, showing: place) }

  /// Moves a drag over a place, until the note shows an insertion point.
  func hover(_ place: Int, showing insertionPoint: Int?) throws {
    pointer.move(to: point(place))
    try run { note.insertionPoint == insertionPoint }
  }

  func undo() throws { try type("z", with: ["Control_L"]) }
  func redo() throws { try type("z", with: ["Control_L", "Shift_L"]) }

  private func type(_ key: String, with modifiers: [String]) throws {
    // Without a window manager, keys go to the window under the pointer.
    pointer.move(to: point(0))
    for modifier in modifiers { try pointer.press(key: modifier) }
    try pointer.tap(key: key)
    for modifier in modifiers { try pointer.release(key: modifier) }
  }

  /// Drops an item of the other program at a place.
  func drop(_ item: DragItem, at place: Int, policy: OperationPolicy = .standard) throws -> DragOutcome? {
    pointer.move(to: Self.outside)
    pointer.press()
    let drag = other.beginDrag(item, at: other.serverTime, policy: policy)
    try run { isDragging }
    try hover(place)
    pointer.release()
    try run { drag.outcome != nil }
    return drag.outcome
  }
}
