extension Scene {
  /// An editable line of text below the list. AppKit counterpart: `NSTextField`.
  ///
  /// A value like the rest of the scene: the window edits its own copy and reports each change through
  /// ``ToolWindow/onField``. The host puts the last reported value into the next scene.
  ///
  /// Indices count characters from the start of the text.
  package struct TextField: Hashable, Sendable {
    package private(set) var text: String
    package private(set) var caret = 0
    /// The end of the selection opposite the caret; equal to ``caret`` if nothing is selected.
    package private(set) var anchor = 0
    /// The text that is shown while the field is empty.
    package var placeholder: String
    /// Whether the field has the keyboard focus within the window.
    package var isFocused = false
    /// The index at which a drop would be inserted; `nil` if no drag is over the field.
    package var dropMark: Int?
    private var history = EditHistory()

    /// The maximum length in Unicode scalars; longer text is truncated. An edited line is laid out completely at each
    /// key press. For the same reason a character keeps at most ``LabelLimit/markCount`` combining marks.
    package static let capacity = 4096

    package init(_ text: String = "", placeholder: String = "") {
      self.text = String(text.unicodeScalars.prefix(Self.capacity)).withoutExcessMarks
      self.placeholder = placeholder
      caret = self.text.count
      anchor = caret
    }

    package var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }

    package var selectedText: String { String(text[range(selection)]) }

    // MARK: Editing

    /// Replaces the selection and puts the caret after the new text.
    package mutating func insert(_ string: String) { edit(.other) { $0.replaceSelection(with: string) } }

    /// Inserts text at an index and selects it, as feedback for a drop.
    package mutating func insert(_ string: String, at index: Int) {
      edit(.other) { $0.insertSelected(string, at: index) }
    }

    /// Moves a part of the text to an index and selects it there. At an index within the part it is only selected.
    package mutating func move(_ part: Range<Int>, to index: Int) {
      let part = part.clamped(to: 0..<text.count)
      guard index < part.lowerBound || index > part.upperBound else { return select(part) }
      edit(.other) {
        let (string, count) = (String($0.text[$0.range(part)]), $0.text.count)
        $0.place(part)
        $0.replaceSelection(with: "")
        $0.insertSelected(string, at: index < part.lowerBound ? index : index - count + $0.text.count)
      }
    }

    /// Removes a part that was moved elsewhere, unless the text there has changed since.
    package mutating func remove(_ string: String, at part: Range<Int>) {
      guard part.upperBound <= text.count, text[range(part)] == string else { return }
      edit(.other) {
        $0.place(part)
        $0.replaceSelection(with: "")
      }
    }

    private mutating func delete(to index: Int) {
      edit(.deleting) {
        if $0.selection.isEmpty { $0.caret = min(max(0, index), $0.text.count) }
        $0.replaceSelection(with: "")
      }
    }

    private mutating func typeIn(_ string: String) {
      // Each word that is typed is undone by itself.
      let isWordStart =
        text.prefix(selection.lowerBound).last?.isWhitespace == true && string.first?.isWhitespace != true
      edit(isWordStart ? .typingWord : .typing) { $0.replaceSelection(with: string) }
    }

    /// Changes the text, in a way that can be undone.
    private mutating func edit(_ kind: EditHistory.Kind, _ change: (inout Self) -> Void) {
      let before = snapshot
      change(&self)
      if text != before.text { history.add(before, kind) }
    }

    private mutating func replaceSelection(with string: String) {
      let selection = self.selection
      let room = Self.capacity - text.unicodeScalars.count + selectedText.unicodeScalars.count
      let before = text.count - selection.count
      text.replaceSubrange(range(selection), with: String(string.unicodeScalars.prefix(max(0, room))))
      text = text.withoutExcessMarks
      // The inserted text may combine with the adjacent characters, as an accent does.
      caret = min(max(0, selection.lowerBound + max(0, text.count - before)), text.count)
      anchor = caret
    }

    private mutating func insertSelected(_ string: String, at index: Int) {
      caret = min(max(0, index), text.count)
      anchor = caret
      let start = caret
      replaceSelection(with: string)
      anchor = min(start, caret)
    }

    private func range(_ characters: Range<Int>) -> Range<String.Index> {
      text.index(
        text.startIndex, offsetBy: characters.lowerBound)..<text.index(
          text.startIndex, offsetBy: characters.upperBound)
    }

    // MARK: The selection

    /// - Parameter isExtending: Whether the selection is extended to the new position.
    package mutating func move(to index: Int, isExtending: Bool = false) {
      caret = min(max(0, index), text.count)
      if !isExtending { anchor = caret }
      history.endRun()
    }

    package mutating func selectAll() { select(0..<text.count) }

    package mutating func select(_ part: Range<Int>) {
      place(part)
      history.endRun()
    }

    /// Selects a part and all up to an index, as a pointer does that was pressed on the part and dragged to the index.
    ///
    /// - Parameter byWords: Whether the word at the index is selected whole.
    mutating func select(from part: Range<Int>, to index: Int, byWords: Bool) {
      let end = byWords && index < text.count ? word(at: index) : index..<index
      if end.lowerBound < part.lowerBound {
        (anchor, caret) = (part.upperBound, end.lowerBound)
      } else {
        (anchor, caret) = (part.lowerBound, max(part.upperBound, min(end.upperBound, text.count)))
      }
      history.endRun()
    }

    /// Returns the word that contains a character, or the spaces or other characters between words.
    func word(at index: Int) -> Range<Int> {
      let characters = Array(text)
      guard !characters.isEmpty else { return 0..<0 }
      let here = min(max(0, index), characters.count - 1)
      let kind = WordPart(characters[here])
      let start = characters[..<here].lastIndex { WordPart($0) != kind }.map { $0 + 1 } ?? 0
      let end = characters[here...].firstIndex { WordPart($0) != kind } ?? characters.count
      return start..<end
    }

    private mutating func place(_ part: Range<Int>) {
      let part = part.clamped(to: 0..<text.count)
      (anchor, caret) = (part.lowerBound, part.upperBound)
    }

    // MARK: Undo

    private var snapshot: EditHistory.Snapshot { .init(text: text, caret: caret, anchor: anchor) }

    /// Takes back the last edit.
    ///
    /// - Returns: Whether there was one.
    package mutating func undo() -> Bool { restore(history.undo(from: snapshot)) }

    /// Makes the edit again that was taken back last.
    ///
    /// - Returns: Whether there was one, and no edit since.
    package mutating func redo() -> Bool { restore(history.redo(from: snapshot)) }

    private mutating func restore(_ snapshot: EditHistory.Snapshot?) -> Bool {
      guard let snapshot else { return false }
      (text, caret, anchor) = (snapshot.text, snapshot.caret, snapshot.anchor)
      return true
    }

    // MARK: Keys

    /// Applies an editing key.
    ///
    /// - Returns: Whether the field handled the key.
    mutating func type(_ key: KeyEvent) -> Bool {
      guard !key.isAltOrSuperHeld else { return false }
      let (isExtending, isControlled) = (key.isShiftHeld, key.isControlHeld)
      let start = caret - (isControlled ? Self.wordEnd(in: text.prefix(caret).reversed()) : 1)
      let end = caret + (isControlled ? Self.wordEnd(in: text.dropFirst(caret)) : 1)
      // In right-to-left text the left arrow moves towards the end.
      let isRightToLeft = text.isRightToLeft
      switch key.key {
      case .left: step(isRightToLeft ? end : start, isExtending, isToEnd: isRightToLeft)
      case .right: step(isRightToLeft ? start : end, isExtending, isToEnd: !isRightToLeft)
      case .home: move(to: 0, isExtending: isExtending)
      case .end: move(to: text.count, isExtending: isExtending)
      case .backspace: delete(to: start)
      case .delete: delete(to: end)
      case nil where isControlled:
        switch KeyEvent.text(of: key.keysym).lowercased() {
        case "a": selectAll()
        // With nothing to undo here, the key is for the window.
        case "z": return isExtending ? redo() : undo()
        default: return false
        }
      default:
        guard !isControlled, !key.text.isEmpty else { return false }
        typeIn(key.text)
      }
      return true
    }

    /// Moves the caret by an arrow key. Without Shift, an arrow collapses a selection to the end it points at.
    private mutating func step(_ index: Int, _ isExtending: Bool, isToEnd: Bool) {
      guard isExtending || selection.isEmpty else {
        return move(to: isToEnd ? selection.upperBound : selection.lowerBound)
      }
      move(to: index, isExtending: isExtending)
    }

    /// Returns how many characters there are up to the end of the first word.
    private static func wordEnd(in text: some Collection<Character>) -> Int {
      let spaces = text.prefix { WordPart($0) != .word }.count
      return spaces + text.dropFirst(spaces).prefix { WordPart($0) == .word }.count
    }
  }
}

/// The edits of a line of text that can be undone, and those that were.
private struct EditHistory: Hashable, Sendable {
  /// A state of the line.
  struct Snapshot: Hashable, Sendable {
    var text: String
    var caret: Int
    var anchor: Int
  }

  /// What made an edit. Keys of one kind that follow one another are undone together.
  enum Kind: Hashable, Sendable {
    case typing
    /// Typing the first letter of a word.
    case typingWord
    case deleting
    case other
  }

  /// More would take too much memory: each holds the whole line.
  private static let mostEdits = 100

  private var done: [Snapshot] = []
  private var undone: [Snapshot] = []
  /// The kind of the last edit, if the next one may belong to it.
  private var run: Kind?

  /// - Parameter before: The line before the edit.
  mutating func add(_ before: Snapshot, _ kind: Kind) {
    undone = []
    if kind == .other || kind == .typingWord || kind != run {
      if done.count == Self.mostEdits { done.removeFirst() }
      done.append(before)
    }
    run = kind == .typingWord ? .typing : kind == .other ? nil : kind
  }

  mutating func endRun() { run = nil }

  mutating func undo(from present: Snapshot) -> Snapshot? {
    guard let last = done.popLast() else { return nil }
    undone.append(present)
    run = nil
    return last
  }

  mutating func redo(from present: Snapshot) -> Snapshot? {
    guard let last = undone.popLast() else { return nil }
    done.append(present)
    run = nil
    return last
  }
}

/// What a character is to a word.
private enum WordPart {
  case word, space, other

  init(_ character: Character) {
    self =
      character.isLetter || character.isNumber || character == "_" ? .word : character.isWhitespace ? .space : .other
  }
}

extension String {
  /// Whether the first letter belongs to a right-to-left script.
  var isRightToLeft: Bool {
    for scalar in unicodeScalars where scalar.properties.isAlphabetic {
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
      default: return false
      }
    }
    return false
  }
}
