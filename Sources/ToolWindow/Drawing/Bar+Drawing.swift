extension Scene.Bar {
  /// - Parameter hasKeyboard: Whether to show the keys of the buttons, and which button Return activates.
  func draw(in places: BarLayout, _ state: BarState, hasKeyboard: Bool, with pen: Pen) {
    pen.card(places.box)
    for line in places.lines { pen.write(line.text, .body, pen.theme.text, in: line.box, ellipsis: .middle) }
    for (index, (button, box)) in zip(buttons, places.buttons).enumerated() {
      button.draw(
        in: box, isDown: state.isDown(index), isHovered: state.hovered == index, hasKeyboard: hasKeyboard, with: pen)
      if hasKeyboard, state.focused == index {
        let ring = Pen.Shape.rounded(box.inset(dx: -2.5, dy: -2.5), Button.radius + 2.5)
        pen.stroke(ring, pen.theme.accent, width: 1.5)
      }
    }
  }
}

extension Scene.Bar.Button {
  fileprivate static var radius: Double { 7 }

  fileprivate func draw(in box: Box, isDown: Bool, isHovered: Bool, hasKeyboard: Bool, with pen: Pen) {
    pen.fill(
      .rounded(box, Self.radius), pen.theme.button(isDefault: isDefault, isDown: isDown, isHovered: isHovered))
    if pen.theme.hasEdges { pen.border(box, radius: Self.radius, pen.theme.border) }
    let ink = isDefault ? pen.theme.selectedText : pen.theme.text
    let content = box.inset(dx: 8, dy: 0)
    // The shortcut key follows the label; both are centered together.
    let key = hasKeyboard ? key.uppercased() : ""
    let keyWidth = key.isEmpty ? 0 : pen.width(of: key, .small).rounded(.up) + 1
    let space = key.isEmpty ? 0 : 8.0
    let wanted = pen.width(of: label, .body).rounded(.up) + 1
    let labelWidth = max(0, min(wanted, content.width - keyWidth - space))
    let start = content.x + max(0, (content.width - labelWidth - space - keyWidth) / 2)
    pen.write(label, .body, ink, in: Box(x: start, y: box.y, width: labelWidth, height: box.height))
    pen.write(
      key, .small, isDefault || isDown ? ink : pen.theme.secondaryText,
      in: Box(x: start + labelWidth + space, y: box.y, width: keyWidth, height: box.height))
  }
}
