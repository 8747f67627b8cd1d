/// The text of the note, its selection, and its edits, which can be undone: a value, without a window.
///
/// A place lies between two characters. Its number is the count of characters before it.
struct NoteText {
  private struct State {
    var characters: [Character] = []
    /// The end of the selection that the arrow keys move, and the other end.
    var (caret, anchor) = (0, 0)

    /// Replaces a part, and selects its replacement. Programs end lines in several ways.
    mutating func replace(_ range: Range<Int>, with text: String) {
      characters.replaceSubrange(range, with: text.map { $0.isNewline ? "\n" : $0 })
      (anchor, caret) = (range.lowerBound, range.lowerBound + text.count)
    }
  }

  /// The state after each edit.
  private var states = [State()]
  private var current = 0

  init(_ text: String) {
    states[0].replace(0..<0, with: text)
    select(from: 0, to: 0)
  }

  var characters: [Character] { states[current].characters }
  var caret: Int { states[current].caret }
  var anchor: Int { states[current].anchor }
  var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
  var selectedText: String { String(characters[selection]) }

  mutating func undo() { current = max(0, current - 1) }
  mutating func redo() { current = min(current + 1, states.count - 1) }

  mutating func select(from anchor: Int, to caret: Int) {
    states[current].anchor = min(max(0, anchor), characters.count)
    states[current].caret = min(max(0, caret), characters.count)
  }

  mutating func selectWord(at place: Int) {
    let isBetweenWords = { (character: Character) in !character.isLetter && !character.isNumber }
    let start = characters[..<place].lastIndex(where: isBetweenWords).map { $0 + 1 } ?? 0
    select(from: start, to: characters[place...].firstIndex(where: isBetweenWords) ?? characters.count)
  }

  /// Replaces the selection with typed text.
  mutating func type(_ text: String) {
    edit { [selection] in
      $0.replace(selection, with: text)
      $0.anchor = $0.caret
    }
  }

  /// Deletes the selection, or else the character before (-1) or after (1) the caret.
  mutating func delete(_ distance: Int) {
    if selection.isEmpty { select(from: caret, to: caret + distance) }
    edit { [selection] in $0.replace(selection, with: "") }
  }

  /// Inserts dropped text, which is then selected.
  mutating func insert(_ text: String, at place: Int) {
    edit { [place = min(place, characters.count)] in $0.replace(place..<place, with: text) }
  }

  /// Moves a part to a place, where it is then selected.
  mutating func move(_ part: Range<Int>, to place: Int) {
    let moved = String(characters[part])
    let isInside = place >= part.lowerBound && place <= part.upperBound
    let target = isInside ? part.lowerBound : place < part.lowerBound ? place : place - part.count
    edit {
      $0.replace(part, with: "")
      $0.replace(target..<target, with: moved)
    }
  }

  /// Removes a part that was moved to another program.
  mutating func remove(_ part: Range<Int>) { edit { $0.replace(part, with: "") } }

  private mutating func edit(_ change: (inout State) -> Void) {
    var new = states[current]
    change(&new)
    if new.characters != characters { current += 1 }
    states.replaceSubrange(current..., with: [new])
  }
}
