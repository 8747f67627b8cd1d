extension Scene.Bar {
  /// - Parameter hasKeyboard: Whether to show the keys of the buttons, and which button Return activates.
  func draw(in places: BarLayout, _ state: BarState, hasKeyboard: Bool, with pen: Pen) {
    pen.card(places.box)
    for line in places.lines { pen.write(line.text, .body, pen.theme.text, in: line.box, ellipsis: .middle) }
    for (text, box) in zip(details, places.details) {
      pen.write(text, .small, pen.theme.secondaryText, in: box, ellipsis: .middle)
    }
    for (index, (button, box)) in zip(buttons, places.buttons).enumerated() {
      let (isDown, isHovered) = (state.isDown(index), state.hovered == index)
      if button.isCheckBox {
        button.drawCheckBox(
          in: box, isOn: state.checked.contains(index), isDown: isDown, isHovered: isHovered, hasKeyboard: hasKeyboard,
          with: pen)
      } else {
        button.draw(in: box, isDown: isDown, isHovered: isHovered, hasKeyboard: hasKeyboard, with: pen)
      }
      if hasKeyboard, state.focused == index {
        // Texts stand close above and below a check box.
        let around = button.isCheckBox ? box.inset(dx: -5, dy: 1) : box.inset(dx: -2.5, dy: -2.5)
        let ring = Pen.Shape.rounded(around, Button.radius + 2.5)
        pen.stroke(ring, pen.theme.accent, width: 1.5)
      }
    }
  }
}

extension Scene.Bar.Button {
  fileprivate static var radius: Double { 7 }

  fileprivate func drawCheckBox(
    in box: Box, isOn: Bool, isDown: Bool, isHovered: Bool, hasKeyboard: Bool, with pen: Pen
  ) {
    let side = 16.0
    let square = Box(x: box.x, y: box.midY - side / 2, width: side, height: side)
    pen.fill(.rounded(square, 4), pen.theme.button(isDefault: isOn, isDown: isDown, isHovered: isHovered))
    if isOn {
      pen.onGrid(of: side, in: square) {
        pen.stroke(.line([(4, 8.5), (7, 11.5), (12, 5)]), pen.theme.selectedText, width: 2)
      }
    } else {
      pen.border(square, radius: 4, pen.theme.secondaryText)
    }
    let start = square.maxX + 8
    let width = min(pen.width(of: label, .body).rounded(.up) + 1, box.maxX - start)
    pen.write(label, .body, pen.theme.text, in: Box(x: start, y: box.y, width: width, height: box.height))
    guard hasKeyboard else { return }
    let end = start + width + 8
    pen.write(
      key.uppercased(), .small, pen.theme.secondaryText,
      in: Box(x: end, y: box.y, width: box.maxX - end, height: box.height))
  }

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
