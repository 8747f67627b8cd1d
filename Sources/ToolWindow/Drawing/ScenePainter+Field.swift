internal import CPangoCairo

extension ScenePainter {
  /// Paints the field with its selection, its caret, and the insertion point of a drop.
  func paintField(_ field: Scene.TextField, in box: Box, offset: Double) {
    trace(box, radius: Self.fieldRadius)
    theme.card.set(on: cairo)
    cairo_fill(cairo)
    let width = field.isFocused ? 2.0 : 1.0
    trace(box.inset(dx: width / 2, dy: width / 2), radius: Self.fieldRadius - width / 2)
    stroke(field.isFocused ? theme.accent : theme.border, width: width)
    guard let text else { return }
    let view = text.view(of: field, in: box, offset: offset)
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_rectangle(cairo, view.box.x - 2, box.y, view.box.width + 4, box.height)
    cairo_clip(cairo)
    if field.isFocused {
      theme.card.mixed(with: theme.accent, 0.30).set(on: cairo)
      for span in text.spans(of: field.selection, in: field.text) {
        cairo_rectangle(
          cairo, view.start + span.lowerBound, box.y + 6, span.upperBound - span.lowerBound, box.height - 12)
        cairo_fill(cairo)
      }
    }
    if field.text.isEmpty, field.dropMark == nil {
      draw(field.placeholder, .body, theme.secondaryText, in: view.box)
    }
    if !field.text.isEmpty { text.drawLine(field.text, x: view.start, in: box, color: theme.text, on: cairo) }
    if let mark = field.dropMark {
      paintMark(at: view.start + text.caret(in: field.text, at: mark), in: box, theme.accepting)
    } else if field.isFocused {
      let x = view.start + text.caret(in: field.text, at: field.caret)
      theme.text.set(on: cairo)
      cairo_rectangle(cairo, (x * scale).rounded() / scale, box.y + 8, max(1, 1.25), box.height - 16)
      cairo_fill(cairo)
    }
  }

  static var fieldRadius: Double { 8 }

  /// Paints a drop's insertion point: a caret with arrowheads, to differ from the caret for typing.
  private func paintMark(at x: Double, in box: Box, _ color: Color) {
    color.set(on: cairo)
    cairo_rectangle(cairo, x - 1, box.y + 6, 2, box.height - 12)
    for (y, direction) in [(box.y + 5, 1.0), (box.maxY - 5, -1.0)] {
      cairo_move_to(cairo, x - 4, y)
      cairo_line_to(cairo, x + 4, y)
      cairo_line_to(cairo, x, y + 4 * direction)
      cairo_close_path(cairo)
    }
    cairo_fill(cairo)
  }
}
