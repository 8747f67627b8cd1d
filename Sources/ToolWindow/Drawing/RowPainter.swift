/// Draws rows: in the list, and as the cards of drag images.
struct RowPainter {
  let density: Scene.Density
  /// The side of the square reserved for an icon, also in rows without one; `nil` if no row has an icon.
  let iconSide: Double?
  /// Whether typed keys go to the window. Otherwise the selection is grey.
  var isActive = true
  let pen: Pen

  private var theme: Theme { pen.theme }

  /// - Parameters:
  ///   - above: The row above, if there is one. A line separates both, unless one of them is filled.
  ///   - wrapped: The lines of the row's texts, if it wraps.
  ///   - button: The place of the row's button, if it has one, and whether the pointer is over it.
  func paint(
    _ row: Scene.Row, below above: Scene.Row?, in box: Box, isHovered: Bool, isFocused: Bool,
    wrapped: WrappedRow? = nil, button: (box: Box, isHovered: Bool)? = nil
  ) {
    let radius = SceneLayout.cornerRadius - SceneLayout.listInset
    let ground = colors(of: row.state).ground
    if let ground = ground ?? (isHovered ? theme.hover : nil) {
      let filled = box.inset(dx: 0, dy: 1)
      pen.fill(.rounded(filled, radius), ground)
      if theme.hasEdges { pen.border(filled, radius: radius, theme.border) }
    }
    if isFocused {
      let ink =
        row.state == .selected && isActive ? theme.selection.mixed(with: theme.selectedText, 0.75) : theme.accent
      pen.stroke(.rounded(box.inset(dx: 2, dy: 3), radius - 1.5), ink, width: 1.5)
    }
    if row.state == .error {
      let mark = Box(x: box.x + 3, y: box.y + 8, width: 3, height: box.height - 16)
      pen.fill(.rounded(mark, 1.5), theme.errorText)
    }
    var content = box.inset(dx: SceneLayout.textInset, dy: 0)
    if let above, ground == nil, colors(of: above.state).ground == nil {
      // One device pixel at any scale.
      let y = (box.y * pen.scale).rounded() / pen.scale
      let line = Box(x: content.x, y: y, width: content.width, height: 1 / pen.scale)
      pen.fill(.rectangle(line), theme.card.mixed(with: theme.border, 0.7))
    }
    if let button, let action = row.action {
      paint(action, of: row, in: button.box, isHovered: button.isHovered)
      content.width = max(0, button.box.x - SceneLayout.iconGap - content.x)
    }
    paintIcon(of: row, in: &content)
    if let progress = row.progress { paint(progress, of: row, in: content) }
    if let wrapped { paint(wrapped, of: row, in: content) } else { paintTexts(of: row, in: content) }
  }

  /// Draws a row as a card on a transparent background, without its state.
  func paintCard(of row: Scene.Row, in box: Box) {
    let shape = Pen.Shape.rounded(
      box.inset(dx: 0.5, dy: 0.5), SceneLayout.cornerRadius - SceneLayout.listInset)
    pen.fill(shape, theme.liftedCard)
    pen.stroke(shape, theme.liftedBorder, width: 1)
    var row = row
    row.state = .plain
    var content = box.inset(dx: SceneLayout.textInset, dy: 0)
    paintIcon(of: row, in: &content)
    paintTexts(of: row, in: content)
  }

  // MARK: Icons

  /// Draws a row's icon at the start of a box and removes the icon's space from the box.
  private func paintIcon(of row: Scene.Row, in content: inout Box) {
    guard let side = iconSide else { return }
    let place = Box(x: content.x, y: content.midY - side / 2, width: side, height: side)
    content.x += side + SceneLayout.iconGap
    content.width = max(0, content.width - side - SceneLayout.iconGap)
    guard let icon = row.icon else { return }
    let found = pen.icons?.find(icon, pixels: Int((side * pen.scale).rounded()), scale: pen.scale)
    pen.layer(alpha: row.state == .dimmed ? 0.45 : 1) {
      if let found {
        let drawn = pen.draw(found.picture, in: place, hasCheckerboard: false)
        if found.isThumbnail, let drawn { pen.hairline(around: drawn) }
      } else {
        icon.symbol.draw(in: place, with: pen)
      }
      if icon.isLink { Scene.Icon.drawLinkEmblem(in: place, with: pen) }
    }
  }

  // MARK: Texts

  private func paintTexts(of row: Scene.Row, in content: Box) {
    let (_, primary, secondary, _) = colors(of: row.state)
    var (first, second) = (content, content)
    var alignment = TextRenderer.Alignment.start
    if !row.secondary.isEmpty, density == .compact {
      // The details are at the end of the name's line.
      let columns = CompactColumns(
        first: pen.width(of: row.primary, .body).rounded(.up) + 1,
        second: pen.width(of: row.secondary, .small).rounded(.up) + 1, room: content.width)
      first.width = columns.first
      second.width = columns.second
      second.x = content.maxX - second.width
      alignment = .end
    } else if !row.secondary.isEmpty {
      let middle = content.midY
      first = Box(x: content.x, y: middle - 21, width: content.width, height: 22)
      second = Box(x: content.x, y: middle, width: content.width, height: 18)
    }
    pen.write(row.primary, .body, primary, in: first, ellipsis: .init(ofName: row.primary))
    pen.write(
      row.secondary, .small, secondary, in: second, alignment: alignment, ellipsis: .init(ofDetails: row.secondary))
  }

  private func paint(_ wrapped: WrappedRow, of row: Scene.Row, in content: Box) {
    let (_, primary, secondary, _) = colors(of: row.state)
    let first = content.midY - wrapped.textHeight / 2 + SceneLayout.lineHeight / 2
    let column = wrapped.column ?? 0
    let nameWidth = wrapped.column.map { $0 - SceneLayout.padding } ?? content.width
    for (index, line) in wrapped.primary.enumerated() {
      let middle = first + Double(index) * WrappedRow.primaryLeading
      let box = Box(x: content.x, y: middle - 11, width: nameWidth, height: 22)
      pen.write(line, .body, primary, in: box, ellipsis: .middle)
    }
    let start = wrapped.secondaryStart(below: first)
    for (index, line) in wrapped.secondary.enumerated() {
      let middle = start + Double(index) * WrappedRow.secondaryLeading
      let box = Box(x: content.x + column, y: middle - 9, width: content.width - column, height: 18)
      pen.write(line, .small, secondary, in: box)
    }
  }

  private func paint(_ progress: Scene.Row.Progress, of row: Scene.Row, in content: Box) {
    // The bar lies below the texts, in space that is always free: its appearance does not move anything.
    let height = 3.0
    let bar = Box(x: content.x, y: content.maxY - 4 - height, width: content.width, height: height)
    let colors = colors(of: row.state)
    pen.fill(.rounded(bar, height / 2), (colors.ground ?? theme.card).mixed(with: colors.primary, 0.16))
    switch progress {
    case .fraction(let fraction):
      let done = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
      guard done > 0 else { return }
      var filled = bar
      filled.width = max(height, bar.width * done)
      pen.fill(.rounded(filled, height / 2), colors.progress)
    case .indeterminate:
      // The dashes do not move: an animation would wake the processor for as long as the work takes.
      let (dash, gap) = (10.0, 8.0)
      for x in stride(from: bar.x, to: bar.maxX, by: dash + gap) {
        let filled = Box(x: x, y: bar.y, width: min(dash, bar.maxX - x), height: height)
        pen.fill(.rounded(filled, height / 2), colors.progress)
      }
    }
  }

  // MARK: Buttons

  private func paint(_ action: Scene.Row.Action, of row: Scene.Row, in box: Box, isHovered: Bool) {
    let colors = colors(of: row.state)
    let ground = (colors.ground ?? theme.card).mixed(with: colors.primary, isHovered ? 0.24 : 0.1)
    pen.fill(.circle(box.midX, box.midY, radius: box.width / 2), ground)
    if theme.hasEdges { pen.stroke(.circle(box.midX, box.midY, radius: box.width / 2), theme.border, width: 1) }
    pen.onGrid(of: 20, in: box) {
      switch action {
      case .cancel:
        for (start, end) in [((6.5, 6.5), (13.5, 13.5)), ((13.5, 6.5), (6.5, 13.5))] {
          pen.stroke(.line([start, end]), colors.primary, width: 1.8)
        }
      case .stop:
        pen.fill(.rounded(Box(x: 6.5, y: 6.5, width: 7, height: 7), 1.2), colors.primary)
      }
    }
  }

  // MARK: Colors

  private func colors(
    of state: Scene.Row.State
  ) -> (ground: Color?, primary: Color, secondary: Color, progress: Color) {
    switch state {
    case .plain: (nil, theme.text, theme.secondaryText, theme.accent)
    case .selected where !isActive:
      (theme.inactiveSelection, theme.text, theme.secondaryText, theme.accent)
    case .selected: (theme.selection, theme.selectedText, theme.selectedText, theme.selectedText)
    case .highlighted: (theme.highlight, theme.text, theme.secondaryText, theme.accent)
    case .dimmed: (nil, theme.dimmedText, theme.dimmedText, theme.dimmedText)
    case .error: (theme.errorGround, theme.text, theme.errorText, theme.errorText)
    }
  }
}
