/// The text of the note, its selection, and its edits, which can be undone: a value, without a window.
///
/// A place lies between two characters. Its number is the count of characters before it.
struct NoteText {
  /// The caret is the end of the selection that the arrow keys move, the anchor the other end.
  private typealias State = (characters: [Character], caret: Int, anchor: Int)

  /// The state after each edit.
  private var states: [State]
  private var current = 0

  init(_ text: String) { states = [(Array(text), 0, 0)] }

  var characters: [Character] { states[current].characters }
  var caret: Int { states[current].caret }
  var anchor: Int { states[current].anchor }
  var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }

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

  /// Replaces a part, and selects its replacement. Programs end lines in several ways.
  mutating func replace(_ part: Range<Int>, with text: some Collection<Character>) {
    var new = states[current]
    new.characters.replaceSubrange(part, with: text.map { $0.isNewline ? "\n" : $0 })
    (new.anchor, new.caret) = (part.lowerBound, part.lowerBound + text.count)
    if new.characters != characters { current += 1 }
    states.replaceSubrange(current..., with: [new])
  }

  /// Replaces the selection with typed text.
  mutating func type(_ text: String) {
    replace(selection, with: text)
    select(from: caret, to: caret)
  }

  /// Deletes the selection, or else the character before (-1) or after (1) the caret.
  mutating func delete(_ distance: Int) {
    if selection.isEmpty { select(from: caret, to: caret + distance) }
    replace(selection, with: "")
  }

  /// Moves a part to a place, where it is then selected.
  mutating func move(_ part: Range<Int>, to place: Int) {
    let (start, end) = (min(part.lowerBound, place), max(part.upperBound, place))
    let (before, after) = (characters[start..<part.lowerBound], characters[part.upperBound..<end])
    replace(start..<end, with: after + characters[part] + before)
    select(from: start + after.count, to: start + after.count + part.count)
  }
}
