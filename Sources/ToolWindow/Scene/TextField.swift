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
    package mutating func insert(_ string: String) {
      let selection = self.selection
      let room = Self.capacity - text.unicodeScalars.count + selectedText.unicodeScalars.count
      let before = text.count - selection.count
      text.replaceSubrange(range(selection), with: String(string.unicodeScalars.prefix(max(0, room))))
      text = text.withoutExcessMarks
      // The inserted text may combine with the adjacent characters, as an accent does.
      move(to: selection.lowerBound + max(0, text.count - before))
    }

    /// Inserts text at an index and selects it, as feedback for a drop.
    package mutating func insert(_ string: String, at index: Int) {
      move(to: index)
      let start = caret
      insert(string)
      anchor = min(start, caret)
    }

    /// - Parameter isExtending: Whether the selection is extended to the new position.
    package mutating func move(to index: Int, isExtending: Bool = false) {
      caret = min(max(0, index), text.count)
      if !isExtending { anchor = caret }
    }

    package mutating func selectAll() { (anchor, caret) = (0, text.count) }

    /// Selects the text between two offsets, which count Unicode scalars; the caret goes to the second one.
    mutating func select(scalars start: Int, to end: Int) {
      for (offset, isExtending) in [(start, false), (end, true)] {
        move(to: String(text.unicodeScalars.prefix(max(0, offset))).count, isExtending: isExtending)
      }
    }

    private mutating func delete(to index: Int) {
      if selection.isEmpty { move(to: index, isExtending: true) }
      insert("")
    }

    private func range(_ characters: Range<Int>) -> Range<String.Index> {
      text.index(
        text.startIndex, offsetBy: characters.lowerBound)..<text.index(
          text.startIndex, offsetBy: characters.upperBound)
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
      case nil where isControlled && KeyEvent.text(of: key.keysym).lowercased() == "a": selectAll()
      default:
        guard !isControlled, !key.text.isEmpty else { return false }
        insert(key.text)
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
      let spaces = text.prefix { !$0.isPartOfWord }.count
      return spaces + text.dropFirst(spaces).prefix(while: \.isPartOfWord).count
    }
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

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
