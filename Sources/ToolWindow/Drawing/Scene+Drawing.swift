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
    // If there is no room for both, the details are left out.
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

extension Scene.Pane {
  func draw(in places: PaneLayout, with pen: Pen) {
    guard places.box.width >= 1, places.box.height >= 1 else { return }
    let shape = Pen.Shape.rounded(places.box, SceneLayout.cornerRadius)
    pen.fill(shape, pen.theme.card)
    pen.clip(to: shape) {
      if let preview, let box = places.preview {
        preview.draw(in: box, with: pen)
        if !facts.isEmpty {
          var line = box.inset(dx: SceneLayout.textInset, dy: 0)
          (line.y, line.height) = (box.maxY, 1 / pen.scale)
          pen.fill(.rectangle(line), pen.theme.card.mixed(with: pen.theme.border, 0.7))
        }
      }
      draw(facts, in: places.facts.inset(dx: SceneLayout.textInset, dy: PaneLayout.inset), with: pen)
    }
    pen.border(places.box, radius: SceneLayout.cornerRadius, pen.theme.border)
  }

  private func draw(_ facts: [Fact], in box: Box, with pen: Pen) {
    let count = min(facts.count, Int(box.height / PaneLayout.factHeight))
    guard count > 0 else { return }
    let column =
      facts.map { pen.width(of: $0.label, .small) }.max().map { min($0.rounded(.up) + 12, box.width / 2) } ?? 0
    for (index, fact) in facts.prefix(count).enumerated() {
      let y = box.y + Double(index) * PaneLayout.factHeight
      let label = Box(x: box.x, y: y, width: column, height: PaneLayout.factHeight)
      let value = Box(x: box.x + column, y: y, width: max(0, box.width - column), height: PaneLayout.factHeight)
      // If not all facts fit, the last line counts the others.
      guard index < count - 1 || count == facts.count else {
        return pen.write("and \(facts.count - index) more", .small, pen.theme.secondaryText, in: value)
      }
      pen.write(fact.label, .small, pen.theme.secondaryText, in: label)
      pen.write(
        fact.value, .small, fact.isMarked ? pen.theme.accent : pen.theme.text, in: value,
        ellipsis: .init(ofDetails: fact.value))
    }
  }
}

extension Scene.Preview {
  func draw(in box: Box, with pen: Pen) {
    guard box.width >= 1, box.height >= 1 else { return }
    let content = box.inset(dx: SceneLayout.textInset, dy: 10)
    pen.clip(to: .rectangle(box)) {
      switch self {
      case .text(let string): pen.write(lines: string, .monospaced, pen.theme.text, in: content)
      case .output(let string):
        pen.clip(to: .rectangle(content)) { pen.write(lastLines: string, .monospaced, pen.theme.text, in: content) }
      case .styled(let runs): pen.write(runs: runs, pen.theme.text, in: content)
      case .picture(let picture): pen.draw(picture, in: content, hasCheckerboard: true)
      case .color(let red, let green, let blue, let alpha, let name):
        var swatch = content
        swatch.height = max(0, swatch.height - 30)
        pen.swatch(Color(red: red, green: green, blue: blue), alpha: alpha, in: swatch)
        let label = Box(x: content.x, y: content.maxY - 22, width: content.width, height: 22)
        pen.write(name, .body, pen.theme.text, in: label, alignment: .center, ellipsis: .middle)
      }
    }
  }
}

extension Scene.Bar {
  /// - Parameter hasKeyboard: Whether to show the shortcut keys of the buttons, and the focus ring.
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
