import XDnD

/// Draws the window and the cards that are dragged.
struct Painter {
  let canvas: Canvas
  var theme: Theme

  private static let radius = 8
  private static let rowRadius = 6

  // MARK: The window

  /// - Parameter glides: The motion of the rows in each column.
  func draw(_ scene: Scene, _ glides: [Glide], at now: ContinuousClock.Instant) {
    canvas.draw { pen in
      pen.fill(Rect(x: 0, y: 0, width: Scene.width, height: Scene.height), theme.ground)
      for (page, frame) in scene.tabs.enumerated() { drawTab(page, frame, scene, pen) }
      for (column, glide) in glides.enumerated() {
        let places = glide.places(at: now).mapValues { $0 - scene.scrolledDistance(of: column) }
        drawColumn(column, scene, places, pen)
      }
      let hint = "Drag cards, or press Return and the arrow keys. Shift moves, Ctrl copies, Ctrl+Z undoes."
      pen.write(hint, .small, theme.faintText, in: Scene.hint)
    }
  }

  private func drawTab(_ page: Int, _ frame: Rect, _ scene: Scene, _ pen: Pen) {
    let isShown = page == scene.board.page
    let pill = frame.insetBy(dx: 2, dy: 5)
    var color = isShown ? theme.text : theme.faintText
    if isShown {
      pen.fill(pill, theme.text.opacity(0.1), radius: Self.radius)
      pen.outline(pill, theme.line, radius: Self.radius)
    }
    switch scene.tabHighlights[page] {
    case .standard:
      pen.fill(pill, theme.accent.opacity(0.25), radius: Self.radius)
      color = theme.text
    case .emphasized:
      pen.fill(pill, theme.selection, radius: Self.radius)
      color = theme.selectedText
    default: break
    }
    let (title, font) = (scene.board.pages[page], isShown ? Font.title : .body)
    let margin = max(4, (pill.width - canvas.width(of: title, font)) / 2)
    pen.write(title, font, color, in: pill.insetBy(dx: margin, dy: 0))
  }

  /// - Parameter places: The upper ends of the rows.
  private func drawColumn(_ column: Int, _ scene: Scene, _ places: [CardBoard.Row.ID: Int], _ pen: Pen) {
    let (frame, list) = (Scene.columns[column], scene.board.lists[scene.list(in: column)])
    let isTarget = scene.gap?.place.list == scene.list(in: column)
    let hasKeys = scene.hasKeys(column)
    let width = scene.rowWidth(in: column)
    let title = Rect(x: frame.origin.x, y: frame.origin.y - 38, width: frame.width, height: 34)
    pen.write(list.title, .title, hasKeys ? theme.accent : theme.text, in: title.insetBy(dx: 4, dy: 0))
    pen.fill(frame, theme.paper, radius: Self.radius)
    pen.clipped(to: frame, radius: Self.radius) {
      for (arrival, frame) in scene.arrivals(in: column) { drawArrival(arrival, frame, pen) }
      if let gap = scene.gapFrame(in: column) { drawGap(gap, pen) }
      for row in list.rows where !scene.leaving.contains(row.id) {
        guard let y = places[row.id] else { continue }
        let place = Rect(x: frame.origin.x, y: y, width: width, height: Scene.rowHeight)
        if place.intersection(frame).isEmpty { continue }
        // Rows slide off the gap.
        pen.fill(place, theme.paper)
        var look = RowLook.plain
        if list.selection.contains(row.id) { look = hasKeys ? .selected : .selectedElsewhere }
        drawRow(row.card, look, place, pen)
      }
      if let thumb = scene.thumb(in: column) {
        pen.fill(thumb.insetBy(dx: 3, dy: 3), theme.text.opacity(0.4), radius: 3)
      }
    }
    pen.outline(
      frame.insetBy(dx: -1, dy: -1), isTarget ? theme.accent : theme.line, radius: Self.radius + 1,
      width: isTarget ? 2 : 1)
  }

  /// Content on its way, with a bar that grows if its size is known.
  private func drawArrival(_ arrival: Scene.Arrival, _ frame: Rect, _ pen: Pen) {
    drawGap(frame, pen)
    pen.write("Arriving. Escape cancels.", .body, theme.faintText, in: frame.insetBy(dx: 32, dy: 0))
    guard let fraction = arrival.fraction else { return }
    let bar = Rect(x: frame.origin.x + 4, y: frame.maxY - 5, width: frame.width - 8, height: 4)
    let done = Rect(x: bar.origin.x, y: bar.origin.y, width: Int(Double(bar.width) * fraction), height: bar.height)
    pen.fill(done, theme.accent, radius: 2)
  }

  private func drawGap(_ frame: Rect, _ pen: Pen) {
    let slot = frame.insetBy(dx: 4, dy: 1)
    pen.fill(slot, theme.accent.opacity(0.14), radius: Self.rowRadius)
    pen.outline(slot, theme.accent.opacity(0.6), radius: Self.rowRadius)
  }

  // MARK: Cards

  private enum RowLook {
    case plain, selected
    /// In a list that does not have the keys.
    case selectedElsewhere
  }

  private func drawRow(_ card: Card, _ look: RowLook, _ frame: Rect, _ pen: Pen) {
    let ground = frame.insetBy(dx: 4, dy: 1)
    switch look {
    case .selected: pen.fill(ground, theme.selection, radius: Self.rowRadius)
    case .selectedElsewhere:
      pen.fill(ground, theme.text.opacity(0.13), radius: Self.rowRadius)
      pen.outline(ground, theme.line, radius: Self.rowRadius)
    case .plain: break
    }
    let dot = Rect(x: frame.origin.x + 13, y: frame.middle.y - 5, width: 10, height: 10)
    if look == .selected { pen.fill(dot.insetBy(dx: -1, dy: -1), theme.selectedText, radius: 6) }
    pen.fill(dot, card.color.ink, radius: 5)
    let text = look == .selected ? theme.selectedText : theme.text
    let title = Rect(x: dot.maxX + 9, y: frame.origin.y, width: frame.width - 46, height: frame.height)
    pen.write(card.title, .body, text, in: title)
  }

  /// The width of a card as it is dragged: as long as its title, so that the gap is seen beside it.
  func width(of card: Card) -> Int {
    min(max(120, canvas.width(of: card.title, .body) + 46), Scene.columns[0].width)
  }

  /// Draws a card as it is dragged.
  func image(of card: Card) -> DragImage? {
    let frame = Rect(x: 0, y: 0, width: width(of: card), height: Scene.rowHeight)
    return canvas.image(width: frame.width, height: frame.height) { pen in
      pen.fill(frame, theme.paper, radius: Self.rowRadius)
      pen.outline(frame, theme.line, radius: Self.rowRadius)
      drawRow(card, .plain, frame, pen)
    }.map { DragImage($0) }
  }
}
