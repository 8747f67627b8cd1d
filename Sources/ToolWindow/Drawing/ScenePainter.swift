internal import CPangoCairo

/// Paints a scene with cairo, in logical pixels.
struct ScenePainter {
  let scene: Scene
  let layout: SceneLayout
  private let barState: BarState
  /// The part under the pointer.
  let hovered: HoveredPart?
  /// Whether the scroll bar's thumb is dragged.
  private let isScrolling: Bool
  /// How far the field's text is scrolled, in logical pixels.
  private let fieldOffset: Double
  let theme: Theme
  /// Device pixels per logical pixel.
  let scale: Double
  let text: TextRenderer?
  /// The icons found so far; without it only symbols are drawn.
  let icons: IconStore?
  let cairo: OpaquePointer

  static let cornerRadius = 10.0
  static let textInset = 12.0

  init(
    _ scene: Scene, layout: SceneLayout, bar: BarState = BarState(), hovered: HoveredPart? = nil,
    isScrolling: Bool = false,
    fieldOffset: Double = 0, scale: Double, text: TextRenderer?, icons: IconStore? = nil, cairo: OpaquePointer
  ) {
    self.scene = scene
    self.layout = layout
    barState = bar
    self.hovered = hovered
    self.isScrolling = isScrolling
    self.fieldOffset = fieldOffset
    self.theme = Theme(scene.appearance)
    self.scale = scale
    self.text = text
    self.icons = icons
    self.cairo = cairo
  }

  func paint() {
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_scale(cairo, scale, scale)
    text?.prepare(for: cairo, scale: scale)

    theme.ground(of: scene).set(on: cairo)
    cairo_paint(cairo)
    if let tabs = scene.tabs, let places = layout.tabs { paintTabs(tabs, places) }
    if let handle = scene.handle, let box = layout.handle {
      paintHandle(handle, in: box)
    } else {
      draw(scene.title, .title, theme.text, in: layout.title)
    }
    if scene.rows.isEmpty {
      draw(scene.placeholder, .body, theme.secondaryText, in: layout.list, alignment: .center)
    } else {
      paintList()
    }
    if let preview = scene.preview, let box = layout.preview { paintPreview(preview, in: box) }
    if let field = scene.field, let box = layout.field { paintField(field, in: box, offset: fieldOffset) }
    draw(scene.footer, .small, theme.secondaryText, in: layout.footer)
    if let bar = scene.bar, let places = layout.bar { paintBar(bar, places, barState) }
    paintFrame()
  }

  // MARK: The list

  private func paintList() {
    guard layout.list.height >= 1 else { return }
    cairo_save(cairo)
    trace(layout.list, radius: Self.cornerRadius)
    cairo_clip(cairo)
    theme.card.set(on: cairo)
    cairo_paint(cairo)
    for index in layout.visibleRows {
      paintRow(index)
    }
    if let thumb = layout.scrollThumb {
      // The thumb is drawn wider while the pointer is over the scroll bar or drags the thumb.
      let isWide = hovered == .scrollbar || isScrolling
      let shape = isWide ? thumb.inset(dx: -1.5, dy: 0) : thumb
      trace(shape, radius: shape.width / 2)
      theme.card.mixed(with: theme.text, isWide ? 0.55 : 0.35).set(on: cairo)
      cairo_fill(cairo)
    }
    cairo_restore(cairo)
    trace(layout.list.inset(dx: 0.5, dy: 0.5), radius: Self.cornerRadius - 0.5)
    stroke(theme.border, width: 1)
  }

  private func paintRow(_ index: Int) {
    let row = scene.rows[index]
    let box = layout.row(index)
    if let ground = ground(of: row.state) ?? (hovered == .row(index) ? theme.hover : nil) {
      trace(box.inset(dx: 0, dy: 1), radius: Self.cornerRadius - SceneLayout.listInset)
      ground.set(on: cairo)
      cairo_fill(cairo)
    }
    if index == scene.focusedRow {
      trace(box.inset(dx: 2, dy: 3), radius: Self.cornerRadius - SceneLayout.listInset - 1.5)
      let ink = row.state == .selected ? theme.selection.mixed(with: theme.selectedText, 0.75) : theme.accent
      stroke(ink, width: 1.5)
    }
    if row.state == .error {
      let mark = Box(x: box.x + 3, y: box.y + 8, width: 3, height: box.height - 16)
      trace(mark, radius: 1.5)
      theme.errorText.set(on: cairo)
      cairo_fill(cairo)
    }
    if index > 0, ground(of: row.state) == nil, ground(of: scene.rows[index - 1].state) == nil {
      // One device pixel at any scale.
      let y = (box.y * scale).rounded() / scale
      cairo_rectangle(cairo, box.x + Self.textInset, y, max(0, box.width - 2 * Self.textInset), 1 / scale)
      theme.card.mixed(with: theme.border, 0.7).set(on: cairo)
      cairo_fill(cairo)
    }
    var content = box.inset(dx: Self.textInset, dy: 0)
    if let side = layout.iconSide { paintIcon(of: row, side: side, in: &content) }
    if let progress = row.progress {
      paintProgress(progress, of: row, in: content)
    }
    paintTexts(of: row, in: content)
  }

  func paintTexts(of row: Scene.Row, in content: Box) {
    let (primary, secondary) = textColors(of: row.state)
    var (first, second) = (content, content)
    if row.secondary.isEmpty {
      draw(row.primary, .body, primary, in: first, ellipsis: .middle)
    } else if scene.density == .compact {
      paintCompactTexts(of: row, in: content)
    } else {
      let middle = content.midY
      first = Box(x: content.x, y: middle - 21, width: content.width, height: 22)
      second = Box(x: content.x, y: middle, width: content.width, height: 18)
      draw(row.primary, .body, primary, in: first, ellipsis: .middle)
      draw(row.secondary, .small, secondary, in: second, ellipsis: .middle)
    }
  }

  /// Paints a row's details at the end of the name's line.
  func paintCompactTexts(of row: Scene.Row, in content: Box) {
    let (primary, secondary) = textColors(of: row.state)
    var (first, second) = (content, content)
    // The name gets the width that the details leave, and at least half.
    let wanted = row.secondary.isEmpty ? 0 : text?.width(of: row.secondary, font: .small) ?? 0
    second.width = min(wanted.rounded(.up) + 1, content.width / 2)
    second.x = content.maxX - second.width
    if !row.secondary.isEmpty { first.width = max(0, content.width - second.width - SceneLayout.padding) }
    draw(row.primary, .body, primary, in: first, ellipsis: .middle)
    draw(row.secondary, .small, secondary, in: second, alignment: .end, ellipsis: .middle)
  }

  private func paintProgress(_ progress: Double, of row: Scene.Row, in content: Box) {
    let done = progress.isNaN ? 0 : min(max(progress, 0), 1)
    // The bar lies below the texts, in space that is always free: its appearance does not move anything.
    let height = 3.0
    var bar = Box(x: content.x, y: content.maxY - 4 - height, width: content.width, height: height)
    let ground = ground(of: row.state) ?? theme.card
    let (ink, _) = textColors(of: row.state)
    trace(bar, radius: height / 2)
    ground.mixed(with: ink, 0.16).set(on: cairo)
    cairo_fill(cairo)
    guard done > 0 else { return }
    bar.width = max(height, bar.width * done)
    trace(bar, radius: height / 2)
    switch row.state {
    case .selected: theme.selectedText.set(on: cairo)
    case .error: theme.errorText.set(on: cairo)
    case .dimmed: theme.dimmedText.set(on: cairo)
    case .plain, .highlighted: theme.accent.set(on: cairo)
    }
    cairo_fill(cairo)
  }

  private func ground(of state: Scene.Row.State) -> Color? {
    switch state {
    case .plain, .dimmed: nil
    case .selected: theme.selection
    case .highlighted: theme.highlight
    case .error: theme.errorGround
    }
  }

  private func textColors(of state: Scene.Row.State) -> (primary: Color, secondary: Color) {
    switch state {
    case .plain, .highlighted: (theme.text, theme.secondaryText)
    case .selected: (theme.selectedText, theme.selectedText)
    case .dimmed: (theme.dimmedText, theme.dimmedText)
    case .error: (theme.text, theme.errorText)
    }
  }

  // MARK: The drop highlight

  private func paintFrame() {
    let color: Color
    switch scene.frame {
    case .none: return
    case .accepting: color = theme.accepting
    case .refusing: color = theme.refusing
    }
    switch scene.framedPart {
    case .window: trace(layout.window.inset(dx: 4.5, dy: 4.5), radius: Self.cornerRadius + 2)
    case .field: trace((layout.field ?? layout.window).inset(dx: 1.5, dy: 1.5), radius: Self.fieldRadius - 1.5)
    case .preview: trace((layout.preview ?? layout.window).inset(dx: 1.5, dy: 1.5), radius: Self.cornerRadius - 1.5)
    case .list: trace(layout.view.inset(dx: 1.5, dy: 1.5), radius: Self.cornerRadius - 1.5)
    // A tab draws its own highlight.
    case .tab: return
    }
    if scene.frame == .refusing {
      cairo_set_dash(cairo, [8, 6], 2, 0)
    }
    stroke(color, width: 3)
    cairo_set_dash(cairo, nil, 0, 0)
  }

  // MARK: Strokes and text

  func draw(
    _ string: String, _ font: TextRenderer.Font, _ color: Color, in box: Box,
    alignment: TextRenderer.Alignment = .start, ellipsis: TextRenderer.Ellipsis = .end
  ) {
    text?.draw(string, font: font, color: color, in: box, alignment: alignment, ellipsis: ellipsis, on: cairo)
  }

  func stroke(_ color: Color, width: Double) {
    color.set(on: cairo)
    cairo_set_line_width(cairo, width)
    cairo_stroke(cairo)
  }

  /// Sets the current path to a rounded rectangle.
  func trace(_ box: Box, radius: Double) {
    let radius = max(0, min(radius, box.width / 2, box.height / 2))
    let quarter = Double.pi / 2
    cairo_new_path(cairo)
    cairo_arc(cairo, box.maxX - radius, box.y + radius, radius, -quarter, 0)
    cairo_arc(cairo, box.maxX - radius, box.maxY - radius, radius, 0, quarter)
    cairo_arc(cairo, box.x + radius, box.maxY - radius, radius, quarter, 2 * quarter)
    cairo_arc(cairo, box.x + radius, box.y + radius, radius, 2 * quarter, 3 * quarter)
    cairo_close_path(cairo)
  }
}
