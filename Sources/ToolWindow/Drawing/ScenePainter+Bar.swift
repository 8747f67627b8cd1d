internal import CPangoCairo

extension ScenePainter {
  /// Paints the bar as a card like the list's.
  func paintBar(_ bar: Scene.Bar, _ places: BarLayout, _ state: BarState) {
    trace(places.box, radius: Self.cornerRadius)
    theme.card.set(on: cairo)
    cairo_fill(cairo)
    trace(places.box.inset(dx: 0.5, dy: 0.5), radius: Self.cornerRadius - 0.5)
    stroke(theme.border, width: 1)
    for line in places.lines { draw(line.text, .body, theme.text, in: line.box, ellipsis: .middle) }
    for (index, (button, box)) in zip(bar.buttons, places.buttons).enumerated() {
      paint(button, in: box, isDown: state.isDown(index), isHovered: state.hovered == index)
      if state.focused == index {
        trace(box.inset(dx: -2.5, dy: -2.5), radius: Self.buttonRadius + 2.5)
        stroke(theme.accent, width: 1.5)
      }
    }
  }

  private static var buttonRadius: Double { 7 }

  private func paint(_ button: Scene.Bar.Button, in box: Box, isDown: Bool, isHovered: Bool) {
    trace(box, radius: Self.buttonRadius)
    theme.button(isDefault: button.isDefault, isDown: isDown, isHovered: isHovered).set(on: cairo)
    cairo_fill(cairo)
    let ink = button.isDefault ? theme.selectedText : theme.text
    let content = box.inset(dx: 8, dy: 0)
    // The shortcut key follows the label; both are centered together.
    let key = button.key.uppercased()
    let keyWidth = key.isEmpty ? 0 : (text?.width(of: key, font: .small) ?? 0).rounded(.up) + 1
    let space = key.isEmpty ? 0 : 8.0
    let wanted = (text?.width(of: button.label, font: .body) ?? 0).rounded(.up) + 1
    let labelWidth = max(0, min(wanted, content.width - keyWidth - space))
    let start = content.x + max(0, (content.width - labelWidth - space - keyWidth) / 2)
    draw(button.label, .body, ink, in: Box(x: start, y: box.y, width: labelWidth, height: box.height))
    draw(
      key, .small, button.isDefault || isDown ? ink : theme.secondaryText,
      in: Box(x: start + labelWidth + space, y: box.y, width: keyWidth, height: box.height))
  }
}
