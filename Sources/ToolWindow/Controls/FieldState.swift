/// The pointer and keyboard state of the text field.
struct FieldState {
  /// A press in the field that is still held.
  private enum Press {
    /// Motion extends the selection, which began with a part of the text.
    case selecting(from: Range<Int>, byWords: Bool)
    /// The press was on the selected text: motion may drag it, and without a drag the release puts the caret there.
    case onSelection(index: Int)
  }

  /// What the release of a press was.
  enum Release: Equatable {
    /// There was no press in the field.
    case none
    /// It ended a selection.
    case selected
    /// A click on the selected text, which puts the caret there.
    case clicked(at: Int)
  }

  private var press: Press?

  var isSelecting: Bool { if case .selecting = press { true } else { false } }

  var isOnSelection: Bool { if case .onSelection = press { true } else { false } }

  /// Handles a press of the primary button; returns whether it was in the field. A press elsewhere takes the focus
  /// from the field.
  ///
  /// - Parameters:
  ///   - index: The insertion index under the pointer; `nil` outside the field.
  ///   - character: The index of the character under the pointer; `nil` beside the text.
  ///   - clicks: Which press of a multiple click this is: the second one selects a word, the third one all.
  ///   - isExtending: Whether Shift is held.
  mutating func press(
    at index: Int?, on character: Int? = nil, clicks: Int = 1, isExtending: Bool, in field: inout Scene.TextField
  ) -> Bool {
    guard let index else {
      press = nil
      field.isFocused = false
      return false
    }
    if clicks == 1, !isExtending, field.isFocused, let character, field.selection.contains(character) {
      press = .onSelection(index: index)
      return true
    }
    if clicks > 1 {
      let part = clicks > 2 ? 0..<field.text.count : field.word(at: character ?? index)
      field.select(part)
      press = .selecting(from: part, byWords: true)
    } else {
      field.move(to: index, isExtending: field.isFocused && isExtending)
      press = .selecting(from: field.anchor..<field.anchor, byWords: false)
    }
    field.isFocused = true
    return true
  }

  /// Extends the selection to the pointer, which is dragged.
  ///
  /// - Parameter index: The insertion index under the pointer.
  func drag(to index: Int, in field: inout Scene.TextField) {
    guard case .selecting(let part, let byWords) = press else { return }
    field.select(from: part, to: index, byWords: byWords)
  }

  mutating func release() -> Release {
    defer { press = nil }
    return switch press {
    case nil: .none
    case .selecting: .selected
    case .onSelection(let index): .clicked(at: index)
    }
  }

  /// Handles a key; returns whether it was for the field. Tab moves the focus into the field and out of it, Escape out
  /// of it.
  ///
  /// - Parameter isFirst: Whether Tab goes to the field while it is not focused.
  func type(_ key: KeyEvent, in field: inout Scene.TextField, isFirst: Bool) -> Bool {
    let isTab = key.key == .tab || key.key == .backTab
    guard field.isFocused else {
      guard isTab, isFirst else { return false }
      field.selectAll()
      field.isFocused = true
      return true
    }
    guard !isTab, key.key != .escape else {
      field.isFocused = false
      return true
    }
    return field.type(key)
  }
}
