extension Scene {
  /// A line of text that the user edits, below the list.
  ///
  /// It is a value as the rest of the scene: the window edits its own copy of it and tells of each change by
  /// ``ToolWindow/onField``; whoever makes the next scene puts the last one that it was told into it.
  ///
  /// Places in the text are numbers of characters before them.
  public struct TextField: Hashable, Sendable {
    /// What is in it.
    public private(set) var text: String
    /// Where one types.
    public private(set) var caret = 0
    /// The other end of what is selected; the caret if nothing is.
    public private(set) var anchor = 0
    /// What stands in it while it is empty.
    public var placeholder: String
    /// Whether it gets what is typed.
    public var isFocused = false
    /// Where what is dragged over it would be inserted; `nil` if nothing is.
    public var dropMark: Int?

    /// What more than this many Unicode scalars hold is not taken: one line that is edited is laid out whole at each key.
    /// For the same reason a character has no more than ``LabelLimit/markCount`` marks.
    public static let capacity = 4096

    /// A field with the caret at its end.
    public init(_ text: String = "", placeholder: String = "") {
      self.text = String(text.unicodeScalars.prefix(Self.capacity)).withoutExcessMarks
      self.placeholder = placeholder
      caret = self.text.count
      anchor = caret
    }

    /// What is selected.
    public var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }

    /// What is selected, as text.
    public var selectedText: String { String(text[range(selection)]) }

    // MARK: Editing

    /// Replaces what is selected, and puts the caret behind it.
    public mutating func insert(_ string: String) {
      let selection = self.selection
      let room = Self.capacity - text.unicodeScalars.count + selectedText.unicodeScalars.count
      let before = text.count - selection.count
      text.replaceSubrange(range(selection), with: String(string.unicodeScalars.prefix(max(0, room))))
      text = text.withoutExcessMarks
      // What is inserted may join the character before or behind it, as an accent does.
      move(to: selection.lowerBound + max(0, text.count - before))
    }

    /// Inserts at a place, and selects it, so that one sees what has come.
    public mutating func insert(_ string: String, at index: Int) {
      move(to: index)
      let start = caret
      insert(string)
      anchor = min(start, caret)
    }

    /// Puts the caret somewhere.
    ///
    /// - Parameter isExtending: Whether the other end of the selection stays where it is.
    public mutating func move(to index: Int, isExtending: Bool = false) {
      caret = min(max(0, index), text.count)
      if !isExtending { anchor = caret }
    }

    /// Selects everything.
    public mutating func selectAll() { (anchor, caret) = (0, text.count) }

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

    /// Does what a key means in a field.
    ///
    /// - Returns: Whether it means something there; others are for the window.
    mutating func type(_ key: KeyEvent) -> Bool {
      let isExtending = key.state & 1 != 0
      let isControlled = key.state & 0b100 != 0
      // Alt and Super make something else of a key.
      guard key.state & 0b100_1000 == 0 else { return false }
      let start = isControlled ? wordStart : caret - 1
      let end = isControlled ? wordEnd : caret + 1
      switch key.keysym {
      case 0xFF51, 0xFF96: step(isRightToLeft ? end : start, isExtending, isToEnd: isRightToLeft)
      case 0xFF53, 0xFF98: step(isRightToLeft ? start : end, isExtending, isToEnd: !isRightToLeft)
      case 0xFF50, 0xFF95: move(to: 0, isExtending: isExtending)
      case 0xFF57, 0xFF9C: move(to: text.count, isExtending: isExtending)
      case 0xFF08: delete(to: start)
      case 0xFFFF, 0xFF9F: delete(to: end)
      case 0x61 where isControlled, 0x41 where isControlled: selectAll()
      default:
        guard !isControlled, !key.text.isEmpty else { return false }
        insert(key.text)
      }
      return true
    }

    /// An arrow leads out of a selection at the end that it points at.
    private mutating func step(_ index: Int, _ isExtending: Bool, isToEnd: Bool) {
      guard isExtending || selection.isEmpty else {
        return move(to: isToEnd ? selection.upperBound : selection.lowerBound)
      }
      move(to: index, isExtending: isExtending)
    }

    private var wordStart: Int {
      let before = text.prefix(caret).reversed()
      let spaces = before.prefix { !$0.isPartOfWord }.count
      return caret - spaces - before.dropFirst(spaces).prefix(while: \.isPartOfWord).count
    }

    private var wordEnd: Int {
      let behind = text.dropFirst(caret)
      let spaces = behind.prefix { !$0.isPartOfWord }.count
      return caret + spaces + behind.dropFirst(spaces).prefix(while: \.isPartOfWord).count
    }

    /// Whether the text reads from the right, as its first letter does that has a direction: then the left arrow leads
    /// to its end.
    var isRightToLeft: Bool { text.isRightToLeft }
  }
}

extension String {
  /// Whether the first letter that has a direction is read from the right.
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
