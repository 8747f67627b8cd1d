import Testing

@testable import Note

/// What keys, drops and moves make of the text of the example.
@Suite("The text of the note")
struct NoteTextTests {
  private var text = NoteText("one two")

  /// The text with its selection in brackets, or with a bar at the caret.
  private var shown: String {
    var characters = text.characters
    if text.selection.isEmpty {
      characters.insert("|", at: text.caret)
    } else {
      characters.insert("]", at: text.selection.upperBound)
      characters.insert("[", at: text.selection.lowerBound)
    }
    return String(characters)
  }

  private mutating func select(_ range: Range<Int>) { text.select(from: range.lowerBound, to: range.upperBound) }

  // MARK: Selection

  @Test mutating func `a word is selected up to the spaces around it`() {
    text.selectWord(at: 5)
    #expect(shown == "one [two]")
    text.selectWord(at: 0)
    #expect(shown == "[one] two")
    text.selectWord(at: 7)
    #expect(shown == "one [two]", "The end of the text is a place of its last word.")
  }

  @Test mutating func `between words there is no word to select`() {
    text = NoteText("one  two")
    text.selectWord(at: 4)
    #expect(shown == "one | two")
  }

  @Test mutating func `places outside the text are its ends`() {
    text.select(from: -3, to: 99)
    #expect(shown == "[one two]")
  }

  // MARK: Edits

  @Test mutating func `what is typed replaces the selection`() {
    select(0..<3)
    text.type("s")
    text.type("\n")
    #expect(shown == "s\n| two")
  }

  @Test mutating func `the selection is deleted, or else a character before or after the caret`() {
    select(1..<4)
    text.delete(-1)
    #expect(shown == "o|two")
    text.delete(-1)
    #expect(shown == "|two")
    text.delete(-1)
    #expect(shown == "|two")
    text.delete(1)
    #expect(shown == "|wo")
  }

  @Test mutating func `dropped text is selected, and its lines end as those of the note do`() {
    text.replace(3..<3, with: "a\r\nb")
    #expect(shown == "one[a\nb] two")
  }

  @Test(arguments: [(0, "[two]one "), (2, "on[two]e "), (5, "one [two]"), (7, "one [two]")])
  mutating func `a part moves to a place, where it is selected`(_ place: Int, _ result: String) {
    text.move(4..<7, to: place)
    #expect(shown == result)
  }

  @Test mutating func `a part moves towards the end`() {
    text.move(0..<3, to: 7)
    #expect(shown == " two[one]")
  }

  @Test mutating func `a letter is a character, however many scalars it has`() {
    text = NoteText("🇳🇴e\u{301}x")
    text.move(0..<1, to: 2)
    #expect(shown == "e\u{301}[🇳🇴]x")
  }

  // MARK: Undo

  @Test mutating func `drops, moves and removals are undone and redone one by one`() {
    text.replace(4..<4, with: "and ")
    text.move(0..<4, to: 8)
    text.replace(4..<8, with: "")
    #expect(shown == "and |two")
    for state in ["and [one ]two", "one [and ]two", "|one two", "|one two"] {
      text.undo()
      #expect(shown == state)
    }
    for _ in 0..<4 { text.redo() }
    #expect(shown == "and |two")
  }

  @Test mutating func `after an edit there is nothing to redo`() {
    text.replace(0..<0, with: "x")
    text.undo()
    text.type("y")
    text.redo()
    #expect(shown == "y|one two")
  }
}
