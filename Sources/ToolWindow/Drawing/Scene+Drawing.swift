extension Scene {
  /// Draws the scene on a surface that is scaled to logical pixels.
  func draw(in layout: SceneLayout, _ controls: ControlState = ControlState(), with pen: Pen) {
    let theme = pen.theme
    pen.fill(theme.background(for: dropHighlight))
    if let handle, let box = layout.handle {
      handle.draw(in: box, isHovered: controls.hovered == .handle, with: pen)
    } else {
      pen.write(title, .title, theme.text, in: layout.title)
    }
    if rows.isEmpty, pane == nil {
      drawPlaceholder(in: layout.list, with: pen)
    } else if !rows.isEmpty {
      drawList(in: layout, controls, with: pen)
    }
    if let pane, let places = layout.pane { pane.draw(in: places, with: pen) }
    drawFooter(in: layout, hasKeyboard: controls.hasKeyboard, with: pen)
    if let bar, let places = layout.bar {
      bar.draw(in: places, controls.bar, hasKeyboard: controls.hasKeyboard, with: pen)
    }
    drawDropHighlight(in: layout, with: pen)
  }

  private func drawPlaceholder(in box: Box, with pen: Pen) {
    let content = box.inset(dx: SceneLayout.textInset, dy: 0)
    let lines =
      pen.text?.lines(of: placeholder, font: .body, width: content.width, limit: WrappedRow.lineLimit) ?? []
    let leading = WrappedRow.primaryLeading
    for (index, line) in lines.enumerated() {
      let y = content.midY + (Double(index) - Double(lines.count) / 2) * leading
      let place = Box(x: content.x, y: y, width: content.width, height: leading)
      pen.write(line, .body, pen.theme.secondaryText, in: place, alignment: .center)
    }
  }

  private func drawFooter(in layout: SceneLayout, hasKeyboard: Bool, with pen: Pen) {
    let lines =
      layout.footerLines.isEmpty && (hasKeyboard || !hintsNeedKeyboard)
      ? [hint(fitting: layout.footer.width, with: pen)] : layout.footerLines
    for (index, line) in lines.enumerated() {
      var place = layout.footer
      place.y += Double(index) * WrappedRow.secondaryLeading
      place.height = SceneLayout.footerHeight
      pen.write(line, .small, pen.theme.secondaryText, in: place)
    }
  }

  /// Returns the first hints, as many as there is space for. The first one may be truncated.
  private func hint(fitting width: Double, with pen: Pen) -> String {
    var phrases = hints[...]
    var words: String { phrases.joined(separator: " · ") }
    while phrases.count > 1, pen.width(of: words, .small) > width { phrases.removeLast() }
    return words
  }

  private func drawList(in layout: SceneLayout, _ controls: ControlState, with pen: Pen) {
    guard layout.list.height >= 1 else { return }
    let painter = RowPainter(
      density: density, iconSide: layout.iconSide, isActive: controls.hasKeyboard, pen: pen)
    pen.clip(to: .rounded(layout.list, SceneLayout.cornerRadius)) {
      pen.fill(pen.theme.card)
      for index in layout.visibleRows {
        let isOverButton = controls.hovered == .rowButton(index)
        painter.paint(
          rows[index], below: index > 0 ? rows[index - 1] : nil, in: layout.row(index),
          isHovered: controls.hovered == .row(index) || isOverButton,
          isFocused: controls.hasKeyboard && index == focusedRow, wrapped: layout.wrapped(row: index),
          button: layout.button(ofRow: index).map { ($0, isOverButton || controls.heldRowButton == index) })
      }
      if let thumb = layout.scrollThumb {
        // The thumb is drawn wider while the pointer is over the scroll bar or drags the thumb.
        let isWide = controls.hovered == .scrollbar || controls.scroller.isDragging
        let shape = isWide ? thumb.inset(dx: -1.5, dy: 0) : thumb
        pen.fill(
          .rounded(shape, shape.width / 2), pen.theme.card.mixed(with: pen.theme.text, isWide ? 0.55 : 0.35))
      }
    }
    pen.border(layout.list, radius: SceneLayout.cornerRadius, pen.theme.border)
  }

  private func drawDropHighlight(in layout: SceneLayout, with pen: Pen) {
    guard dropHighlight == .accepting else { return }
    let shape = Pen.Shape.rounded(layout.window.inset(dx: 4.5, dy: 4.5), SceneLayout.cornerRadius + 2)
    pen.stroke(shape, pen.theme.accepting, width: 3)
  }
}
