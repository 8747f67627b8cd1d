import Testing

@testable import XDnDToolWindow

/// A line that is edited, as a value.
@Suite("The text field") struct TextFieldTests {
  private func key(_ keysym: UInt, _ text: String = "", shift: Bool = false, control: Bool = false) -> KeyEvent {
    KeyEvent(keysym: keysym, text: text, time: 0, state: (shift ? 1 : 0) | (control ? 4 : 0))
  }

  private let left: UInt = 0xFF51
  private let right: UInt = 0xFF53
  private let home: UInt = 0xFF50
  private let end: UInt = 0xFF57
  private let backspace: UInt = 0xFF08
  private let delete: UInt = 0xFFFF

  private func expect(_ key: KeyEvent, isTaken: Bool = true, in field: inout Scene.TextField) {
    let result = field.type(key)
    #expect(result == isTaken)
  }

  @Test func `what is typed goes to the caret, in any script`() {
    var field = Scene.TextField()
    for text in ["한", "글", "é", "😀", "م"] { expect(key(0, text), in: &field) }
    #expect(field.text == "한글é😀م")
    #expect(field.caret == 5)
    field.move(to: 2)
    expect(key(0x78, "x"), in: &field)
    #expect(field.text == "한글xé😀م")
    #expect(field.caret == 3)
  }

  @Test func `characters are deleted whole, on either side`() {
    var field = Scene.TextField("a👨‍👩‍👧b")
    field.move(to: 2)
    expect(key(backspace), in: &field)
    #expect(field.text == "ab")
    expect(key(delete), in: &field)
    #expect(field.text == "a")
    expect(key(delete), in: &field)
    expect(key(backspace), in: &field)
    expect(key(backspace), in: &field)
    #expect(field.text.isEmpty)
    #expect(field.caret == 0)
  }

  @Test func `arrows, Home and End move, with Shift they select`() {
    var field = Scene.TextField("hello")
    _ = field.type(key(left, shift: true))
    _ = field.type(key(left, shift: true))
    #expect(field.selectedText == "lo")
    // An arrow leaves a selection at its end, and goes no further.
    _ = field.type(key(left))
    #expect(field.caret == 3)
    #expect(field.selection.isEmpty)
    _ = field.type(key(home, shift: true))
    #expect(field.selectedText == "hel")
    _ = field.type(key(right))
    #expect(field.caret == 3)
    _ = field.type(key(end))
    #expect(field.caret == 5)
    _ = field.type(key(right))
    #expect(field.caret == 5)
  }

  @Test func `what is typed replaces what is selected`() {
    var field = Scene.TextField("hello")
    expect(key(0x61, "a", control: true), in: &field)
    #expect(field.selectedText == "hello")
    expect(key(0x78, "x"), in: &field)
    #expect(field.text == "x")
  }

  @Test func `Control goes by words`() {
    var field = Scene.TextField("one, two-three")
    _ = field.type(key(left, control: true))
    #expect(field.caret == 9)
    _ = field.type(key(backspace, control: true))
    #expect(field.text == "one, three")
    _ = field.type(key(home))
    _ = field.type(key(right, control: true))
    #expect(field.caret == 3)
    _ = field.type(key(delete, control: true))
    #expect(field.text == "one")
  }

  @Test func `in text from right to left the left arrow goes on in the text`() {
    var field = Scene.TextField("ملف")
    field.move(to: 0)
    _ = field.type(key(left))
    #expect(field.caret == 1)
    _ = field.type(key(right))
    #expect(field.caret == 0)
  }

  @Test func `a drop is inserted at its place and selected`() {
    var field = Scene.TextField("hello world")
    field.insert("big ", at: 6)
    #expect(field.text == "hello big world")
    #expect(field.selectedText == "big ")
    field.insert("!", at: 1000)
    #expect(field.text == "hello big world!")
  }

  @Test func `an accent that joins the letter before it moves nothing out of the text`() {
    var field = Scene.TextField("e")
    field.insert("\u{301}")
    #expect(field.text.count == 1)
    #expect(field.caret == 1)
    field.insert("\u{301}", at: 0)
    #expect((0...field.text.count).contains(field.caret))
    #expect((0...field.text.count).contains(field.anchor))
  }

  @Test func `more than it holds is not taken`() {
    var field = Scene.TextField(String(repeating: "x", count: 5000))
    #expect(field.text.count == Scene.TextField.capacity)
    field.insert("y")
    #expect(field.text.count == Scene.TextField.capacity)
    field.selectAll()
    field.insert("y")
    #expect(field.text == "y")
  }

  @Test func `keys with Alt, and Control with letters, are for the window`() {
    var field = Scene.TextField("a")
    expect(KeyEvent(keysym: 0x78, text: "x", time: 0, state: 8), isTaken: false, in: &field)
    expect(key(0x7A, "z", control: true), isTaken: false, in: &field)
    expect(key(0xFF0D), isTaken: false, in: &field)
    #expect(field.text == "a")
  }

  // MARK: Undo

  private var undo: KeyEvent { key(0x7A, "z", control: true) }
  private var redo: KeyEvent { key(0x5A, "Z", shift: true, control: true) }

  @Test func `what was typed is undone word by word, and what was dropped at once`() {
    var field = Scene.TextField("a")
    for letter in " one two" { expect(key(0, String(letter)), in: &field) }
    field.insert("dropped ", at: 0)
    let states = ["dropped a one two", "a one two", "a one ", "a ", "a"]
    #expect(field.text == states[0])
    for text in states.dropFirst() {
      expect(undo, in: &field)
      #expect(field.text == text)
    }
    #expect(field.caret == 1 && field.selection.isEmpty)
    // There is nothing left: the key is for the window.
    expect(undo, isTaken: false, in: &field)
    for text in states.reversed().dropFirst() {
      expect(redo, in: &field)
      #expect(field.text == text)
    }
    #expect(field.selectedText == "dropped ")
    expect(redo, isTaken: false, in: &field)
  }

  @Test func `what is edited after an undo takes the place of what was undone`() {
    var field = Scene.TextField()
    for letter in "ab" { expect(key(0, String(letter)), in: &field) }
    expect(key(left), in: &field)
    expect(key(0, "c"), in: &field)
    #expect(field.text == "acb")
    expect(undo, in: &field)
    #expect(field.text == "ab" && field.caret == 1)
    for _ in 0..<2 { expect(key(delete), in: &field) }
    for _ in 0..<2 { expect(key(backspace), in: &field) }
    #expect(field.text.isEmpty)
    expect(redo, isTaken: false, in: &field)
    // What a key deletes again and again is one edit.
    expect(undo, in: &field)
    #expect(field.text == "ab")
  }

  @Test func `what replaced a selection is undone with the selection`() {
    var field = Scene.TextField("hello world")
    field.select(0..<5)
    expect(key(0, "x"), in: &field)
    #expect(field.text == "x world")
    expect(undo, in: &field)
    #expect(field.text == "hello world" && field.selectedText == "hello")
  }

  @Test func `a field keeps the last edits, and a move of the caret is none`() {
    var field = Scene.TextField()
    for _ in 0..<500 { field.insert("x") }
    field.move(to: 0)
    field.selectAll()
    var count = 0
    while field.undo() { count += 1 }
    #expect(count == 100 && field.text.count == 400)
  }

  // MARK: Parts that are dragged

  @Test(arguments: [
    (0, "two one three"), (3, "onetwo  three"), (4, "one two three"), (5, "one two three"), (8, "one two three"),
    (13, "one threetwo "),
  ])
  func `a part is moved to where it is dropped, and selected`(_ index: Int, _ text: String) {
    var field = Scene.TextField("one two three")
    field.move(4..<8, to: index)
    #expect(field.text == text)
    #expect(field.selectedText == "two ")
    let hasMoved = text != "one two three"
    #expect(field.undo() == hasMoved)
    #expect(field.text == "one two three")
  }

  @Test func `a part that was moved out is removed, unless the text is another one by then`() {
    var field = Scene.TextField("one two")
    field.remove("two", at: 3..<7)
    field.remove("two", at: 40..<43)
    #expect(field.text == "one two")
    field.remove(" two", at: 3..<7)
    #expect(field.text == "one" && field.caret == 3)
    #expect(field.undo() == true)
    #expect(field.text == "one two")
  }

  @Test(arguments: [
    (0, 0..<3), (2, 0..<3), (3, 3..<4), (4, 4..<6), (7, 6..<9), (9, 9..<10), (99, 10..<15), (-1, 0..<3),
  ])
  func `a word is found by any of its letters`(_ index: Int, _ word: Range<Int>) {
    #expect(Scene.TextField("one,  two-three").word(at: index) == word)
  }

  // MARK: Where things are

  @Test func `the text scrolls to its ends, also away from the caret, and tells what is under the pointer`() throws {
    let renderer = SceneRenderer(scale: 1, icons: IconStore())
    var field = Scene.TextField(String(repeating: "long text ", count: 40))
    field.dropMark = 0
    let box = Box(x: 10, y: 0, width: 200, height: FieldView.height)
    let (left, right) = (box.x + FieldView.inset, box.maxX - FieldView.inset)
    #expect(renderer.insertionIndex(atX: left, in: field, box) == 0)
    #expect(renderer.character(atX: left + 1, in: field, box) == 0)
    let shown = try #require(renderer.insertionIndex(atX: right, in: field, box))
    #expect(renderer.scrollField(by: 50, field, in: box))
    #expect(try #require(renderer.insertionIndex(atX: right, in: field, box)) > shown)
    #expect(renderer.scrollField(by: 1e6, field, in: box))
    #expect(renderer.insertionIndex(atX: right, in: field, box) == field.text.count)
    #expect(!renderer.scrollField(by: 10, field, in: box))
    field.selectAll()
    #expect(renderer.selection(in: field, box).map { $0.x == left && $0.maxX <= right } == true)
    field.select(0..<1)
    #expect(renderer.selection(in: field, box) == nil)
    #expect(renderer.scrollField(by: -1e6, field, in: box))
    #expect(renderer.insertionIndex(atX: left, in: field, box) == 0)
    #expect(renderer.selection(in: field, box) != nil)
    let short = Scene.TextField("short")
    #expect(!renderer.scrollField(by: 10, short, in: box))
    #expect(renderer.character(atX: right, in: short, box) == nil)
  }

  @Test func `a text that fits begins at its side, a longer one is scrolled no more than needed`() {
    let box = Box(x: 10, y: 0, width: 120, height: 34)
    let short = FieldView(box, textWidth: 50, caret: 50, isRightToLeft: false, offset: 30)
    #expect(short.start == 20)
    #expect(short.offset == 0)
    let arabic = FieldView(box, textWidth: 50, caret: 0, isRightToLeft: true, offset: 0)
    #expect(arabic.start + 50 <= 120)
    #expect(arabic.start > 60)
    let atEnd = FieldView(box, textWidth: 300, caret: 300, isRightToLeft: false, offset: 0)
    #expect(atEnd.start + 300 <= atEnd.box.maxX)
    // A caret that is seen scrolls nothing.
    #expect(
      FieldView(box, textWidth: 300, caret: 250, isRightToLeft: false, offset: atEnd.offset).offset == atEnd.offset)
    #expect(FieldView(box, textWidth: 300, caret: 5, isRightToLeft: false, offset: atEnd.offset).offset == 5)
  }

  @Test(arguments: ["hello", "한글 파일", "ملف جديد", "a😀b", ""])
  func `the place nearest to a caret is that caret`(_ string: String) throws {
    let text = try #require(TextRenderer())
    for index in 0...string.count {
      let x = text.caret(in: string, at: index)
      #expect(text.index(in: string, at: x) == index)
    }
    #expect(text.spans(of: 0..<string.count, in: string).isEmpty == string.isEmpty)
  }

  @Test func `a window that is wider than high has the preview beside the list, others below`() throws {
    var scene = Scene(title: "Title", footer: "Footer")
    scene.preview = .text("x")
    scene.field = Scene.TextField()
    let wide = SceneLayout(scene, width: 800, height: 400)
    let (side, field) = (try #require(wide.preview), try #require(wide.field))
    #expect(side.y == wide.view.y && side.x > wide.view.maxX)
    #expect(field.y > side.maxY && field.maxY < wide.footer.y)
    let high = SceneLayout(scene, width: 320, height: 600)
    let below = try #require(high.preview)
    #expect(below.x == high.view.x && below.y > high.view.maxY)
    #expect(high.box(of: .preview) == below)
    #expect(high.box(of: .field) == high.field)
    // Beside the list there is room only if both are wide enough for words.
    let standard = SceneLayout(scene, width: 400, height: 320)
    #expect(standard.view.width == standard.window.width - 2 * SceneLayout.padding)
    #expect(try #require(standard.preview).y > standard.view.maxY)
    let tiny = SceneLayout(scene, width: 10, height: 10)
    #expect(tiny.list.height == 0)
  }
}
