internal import CPangoCairo

extension ScenePainter {
  /// Paints the draggable heading: a card with a grip.
  func paintHandle(_ handle: Scene.Handle, in box: Box) {
    trace(box, radius: Self.cornerRadius)
    let isHovered = hovered == .handle
    let ground = handle.isHighlighted ? theme.highlight : isHovered ? theme.hover : theme.card
    ground.set(on: cairo)
    cairo_fill(cairo)
    trace(box.inset(dx: 0.5, dy: 0.5), radius: Self.cornerRadius - 0.5)
    stroke(handle.isHighlighted ? theme.accent : theme.border, width: 1)
    var content = box.inset(dx: Self.textInset, dy: 0)
    paintGrip(in: content, isHovered || handle.isHighlighted ? theme.text : theme.secondaryText)
    content.x += 18
    content.width = max(0, content.width - 18)
    if !handle.details.isEmpty {
      let width = min((text?.width(of: handle.details, font: .small) ?? 0).rounded(.up) + 1, content.width / 2)
      let end = Box(x: content.maxX - width, y: box.y, width: width, height: box.height)
      draw(handle.details, .small, theme.secondaryText, in: end, alignment: .end)
      content.width = max(0, content.width - width - SceneLayout.padding)
    }
    let badgeWidth = handle.badge.isEmpty ? 0 : max(22, (text?.width(of: handle.badge, font: .small) ?? 0) + 14)
    let wanted = (text?.width(of: handle.label, font: .title) ?? 0).rounded(.up) + 1
    content.width = min(wanted, max(0, content.width - (badgeWidth > 0 ? badgeWidth + 8 : 0)))
    draw(handle.label, .title, theme.text, in: content)
    guard badgeWidth > 0 else { return }
    let pill = Box(x: content.maxX + 8, y: box.midY - 10, width: badgeWidth, height: 20)
    trace(pill, radius: 10)
    theme.selection.set(on: cairo)
    cairo_fill(cairo)
    draw(handle.badge, .small, theme.selectedText, in: pill, alignment: .center)
  }

  /// Paints two columns of dots, the usual sign of a draggable area.
  private func paintGrip(in box: Box, _ color: Color) {
    color.set(on: cairo)
    for column in 0..<2 {
      for row in 0..<3 {
        let dot = Box(x: box.x + 1 + Double(column) * 5, y: box.midY - 6.5 + Double(row) * 5, width: 3, height: 3)
        trace(dot, radius: 1.5)
        cairo_fill(cairo)
      }
    }
  }
}
