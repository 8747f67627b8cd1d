/// Pointer and keyboard input of the text field.
extension ToolWindow {
  /// Returns the insertion index nearest to a point, in characters; `nil` if the point is outside the field.
  ///
  /// - Parameter point: In device pixels, window-local.
  public func insertionIndex(at point: PixelPoint) -> Int? {
    guard let box = layout.field else { return nil }
    let (x, y) = (Double(point.x) / scale, Double(point.y) / scale)
    return box.contains(x: x, y: y) ? fieldIndex(atX: x) : nil
  }

  /// Handles a press; returns whether it was in the field. A press elsewhere takes the focus from the field.
  func pressField(_ event: PointerEvent) -> Bool {
    guard event.button == 1, scene.field != nil else { return false }
    guard let index = insertionIndex(at: event.position) else {
      if scene.field?.isFocused == true { editField { $0.isFocused = false } }
      return false
    }
    isSelectingInField = true
    editField {
      $0.move(to: index, isExtending: $0.isFocused && event.state & 1 != 0)
      $0.isFocused = true
    }
    return true
  }

  /// Handles motion; returns whether it extends a selection in the field.
  func moveInField(_ event: PointerEvent) -> Bool {
    guard isSelectingInField, event.state & Self.anyButton != 0 else { return false }
    if let index = fieldIndex(atX: Double(event.position.x) / scale) {
      editField { $0.move(to: index, isExtending: true) }
    }
    return true
  }

  /// Handles a release; returns whether it ended a selection in the field.
  func releaseField(_ event: PointerEvent) -> Bool {
    guard isSelectingInField, event.button == 1 else { return false }
    isSelectingInField = false
    // The user clicked into the field of an unfocused window and is about to type.
    takeOfferedFocus(at: event.time)
    return true
  }

  /// Handles a key; returns whether it was for the field. Tab moves the focus into the field and out of it, Escape out
  /// of it.
  func typeInField(_ event: KeyEvent) -> Bool {
    guard let field = scene.field else { return false }
    let isTab = event.keysym == 0xFF09 || event.keysym == 0xFE20
    guard field.isFocused else {
      guard isTab, scene.bar == nil else { return false }
      editField {
        $0.selectAll()
        $0.isFocused = true
      }
      return true
    }
    if isTab || event.keysym == 0xFF1B {
      editField { $0.isFocused = false }
      return true
    }
    var edited = field
    guard edited.type(event) else { return false }
    editField { $0 = edited }
    return true
  }

  /// Scrolls the field's text so that the caret is visible.
  func revealCaret() {
    guard let field = scene.field, let box = layout.field, let text else { return }
    fieldOffset = text.view(of: field, in: box, offset: fieldOffset).offset
  }

  private func editField(_ edit: (inout Scene.TextField) -> Void) {
    guard var field = scene.field else { return }
    edit(&field)
    guard field != scene.field else { return }
    scene.field = field
    onField?(field)
  }

  private func fieldIndex(atX x: Double) -> Int? {
    guard let field = scene.field, let box = layout.field, let text else { return nil }
    return text.index(in: field.text, at: x - text.view(of: field, in: box, offset: fieldOffset).start)
  }
}
