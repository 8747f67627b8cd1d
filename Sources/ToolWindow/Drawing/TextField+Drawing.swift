extension Scene.TextField {
  /// Draws the field with its selection, its caret, and the insertion point of a drop.
  ///
  /// - Parameter offset: How far the text is scrolled, in logical pixels.
  func draw(in box: Box, offset: Double, with pen: Pen) {
    let theme = pen.theme
    pen.fill(.rounded(box, SceneLayout.fieldRadius), theme.card)
    pen.border(
      box, radius: SceneLayout.fieldRadius, isFocused ? theme.accent : theme.border, width: isFocused ? 2 : 1)
    guard let measure = pen.text else { return }
    let view = measure.view(of: self, in: box, offset: offset)
    let room = Box(x: view.box.x - 2, y: box.y, width: view.box.width + 4, height: box.height)
    pen.clip(to: .rectangle(room)) {
      if isFocused {
        for span in measure.spans(of: selection, in: text) {
          let marked = Box(
            x: view.start + span.lowerBound, y: box.y + FieldView.selectionInset,
            width: span.upperBound - span.lowerBound, height: box.height - 2 * FieldView.selectionInset)
          pen.fill(.rectangle(marked), theme.card.mixed(with: theme.accent, 0.30))
        }
      }
      if text.isEmpty, dropMark == nil { pen.write(placeholder, .body, theme.secondaryText, in: view.box) }
      if !text.isEmpty { pen.write(line: text, x: view.start, theme.text, in: box) }
      if let dropMark {
        drawMark(at: view.start + measure.caret(in: text, at: dropMark), in: box, with: pen)
      } else if isFocused {
        let x = view.start + measure.caret(in: text, at: caret)
        let line = Box(x: (x * pen.scale).rounded() / pen.scale, y: box.y + 8, width: 1.25, height: box.height - 16)
        pen.fill(.rectangle(line), theme.text)
      }
    }
  }

  /// Draws a drop's insertion point: a caret with arrowheads, to differ from the caret for typing.
  private func drawMark(at x: Double, in box: Box, with pen: Pen) {
    func arrowhead(_ y: Double, _ tip: Double) -> Pen.Shape { .polygon([(x - 4, y), (x + 4, y), (x, tip)]) }
    let stem = Box(x: x - 1, y: box.y + 6, width: 2, height: box.height - 12)
    let (top, bottom) = (box.y + 5, box.maxY - 5)
    pen.fill(
      .compound([.rectangle(stem), arrowhead(top, top + 4), arrowhead(bottom, bottom - 4)]), pen.theme.accepting)
  }
}
