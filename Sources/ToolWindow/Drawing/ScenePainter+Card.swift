internal import CPangoCairo

/// The drag image of a row.
extension ScenePainter {
  /// Paints a row as a card on a transparent background.
  func paintCard(ofRow index: Int, in box: Box) {
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_scale(cairo, scale, scale)
    text?.prepare(for: cairo, scale: scale)
    var row = scene.rows[index]
    row.state = .plain
    row.progress = nil
    let radius = Self.cornerRadius - SceneLayout.listInset
    trace(box.inset(dx: 0.5, dy: 0.5), radius: radius)
    theme.card.set(on: cairo)
    cairo_fill_preserve(cairo)
    stroke(theme.border, width: 1)
    var content = box.inset(dx: Self.textInset, dy: 0)
    if let side = layout.iconSide { paintIcon(of: row, side: side, in: &content) }
    paintTexts(of: row, in: content)
  }
}
