extension Scene.Handle {
  /// Draws the draggable heading: a card with a grip.
  func draw(in box: Box, isHovered: Bool, with pen: Pen) {
    let theme = pen.theme
    pen.card(
      box, ground: isHighlighted ? theme.highlight : isHovered ? theme.hover : theme.card,
      border: isHighlighted ? theme.accent : theme.border)
    var content = box.inset(dx: SceneLayout.textInset, dy: 0)
    drawGrip(in: content, isHovered || isHighlighted ? theme.text : theme.secondaryText, with: pen)
    content.x += 18
    content.width = max(0, content.width - 18)
    let badgeWidth = badge.isEmpty ? 0 : max(22, pen.width(of: badge, .small) + 14)
    let badgeRoom = badgeWidth > 0 ? badgeWidth + 8 : 0
    let wanted = pen.width(of: label, .title).rounded(.up) + 1
    let end = pen.width(of: details, .small).rounded(.up) + 1
    // Where there is no room for both, the label stays whole.
    if !details.isEmpty, wanted + badgeRoom + SceneLayout.padding + end <= content.width {
      let place = Box(x: content.maxX - end, y: box.y, width: end, height: box.height)
      pen.write(details, .small, theme.secondaryText, in: place, alignment: .end)
    }
    content.width = min(wanted, max(0, content.width - badgeRoom))
    pen.write(label, .title, theme.text, in: content)
    guard badgeWidth > 0 else { return }
    let pill = Box(x: content.maxX + 8, y: box.midY - 10, width: badgeWidth, height: 20)
    pen.fill(.rounded(pill, 10), theme.selection)
    pen.write(badge, .small, theme.selectedText, in: pill, alignment: .center)
  }

  /// Draws two columns of dots, the usual sign of a draggable area.
  private func drawGrip(in box: Box, _ color: Color, with pen: Pen) {
    for column in 0..<2 {
      for row in 0..<3 {
        let dot = Box(x: box.x + 1 + Double(column) * 5, y: box.midY - 6.5 + Double(row) * 5, width: 3, height: 3)
        pen.fill(.rounded(dot, 1.5), color)
      }
    }
  }
}
