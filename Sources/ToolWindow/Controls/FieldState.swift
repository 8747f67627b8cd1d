/// The pointer and keyboard state of the text field.
struct FieldState {
  /// Whether a press in the field is still held; motion then extends the selection.
  private(set) var isSelecting = false

  /// Handles a press of the primary button; returns whether it was in the field. A press elsewhere takes the focus
  /// from the field.
  ///
  /// - Parameters:
  ///   - index: The insertion index under the pointer; `nil` outside the field.
  ///   - isExtending: Whether Shift is held.
  mutating func press(at index: Int?, isExtending: Bool, in field: inout Scene.TextField) -> Bool {
    guard let index else {
      field.isFocused = false
      return false
    }
    isSelecting = true
    field.move(to: index, isExtending: field.isFocused && isExtending)
    field.isFocused = true
    return true
  }

  /// - Returns: Whether the release ended a selection.
  mutating func release() -> Bool {
    defer { isSelecting = false }
    return isSelecting
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
