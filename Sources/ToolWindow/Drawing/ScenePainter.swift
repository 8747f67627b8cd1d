/// Paints a scene in a layout, in logical pixels.
struct ScenePainter {
  private let scene: Scene
  private let layout: SceneLayout
  private let bar: BarState
  /// The part under the pointer.
  private let hovered: HoveredPart?
  /// Whether the scroll bar's thumb is dragged.
  private let isScrolling: Bool
  /// How far the field's text is scrolled, in logical pixels.
  private let fieldOffset: Double
  private let rows: RowPainter
  private let pen: Pen

  private var theme: Theme { pen.theme }

  /// - Parameters:
  ///   - scale: Device pixels per logical pixel.
  ///   - icons: The icons found so far; without it only symbols are drawn.
  init(
    _ scene: Scene, layout: SceneLayout, bar: BarState = BarState(), hovered: HoveredPart? = nil,
    isScrolling: Bool = false, fieldOffset: Double = 0, scale: Double, text: TextRenderer?, icons: IconStore? = nil,
    cairo: OpaquePointer
  ) {
    self.scene = scene
    self.layout = layout
    self.bar = bar
    self.hovered = hovered
    self.isScrolling = isScrolling
    self.fieldOffset = fieldOffset
    pen = Pen(on: cairo, theme: Theme(scene.appearance), scale: scale, text: text)
    rows = RowPainter(density: scene.density, iconSide: layout.iconSide, icons: icons, pen: pen)
  }

  func paint() {
    pen.draw {
      pen.fill(theme.ground(of: scene))
      if let tabs = scene.tabs, let places = layout.tabs { tabs.draw(in: places, with: pen) }
      if let handle = scene.handle, let box = layout.handle {
        handle.draw(in: box, isHovered: hovered == .handle, with: pen)
      } else {
        pen.write(scene.title, .title, theme.text, in: layout.title)
      }
      if scene.rows.isEmpty {
        pen.write(scene.placeholder, .body, theme.secondaryText, in: layout.list, alignment: .center)
      } else {
        paintList()
      }
      if let preview = scene.preview, let box = layout.preview { preview.draw(in: box, icons: rows.icons, with: pen) }
      if let field = scene.field, let box = layout.field { field.draw(in: box, offset: fieldOffset, with: pen) }
      pen.write(scene.footer, .small, theme.secondaryText, in: layout.footer)
      if let question = scene.bar, let places = layout.bar { question.draw(in: places, bar, with: pen) }
      paintFrame()
    }
  }

  /// Paints a row as a card on a transparent background, for a drag image.
  func paintCard(ofRow index: Int, in box: Box) { pen.draw { rows.paintCard(of: scene.rows[index], in: box) } }

  private func paintList() {
    guard layout.list.height >= 1 else { return }
    pen.clip(to: .rounded(layout.list, SceneLayout.cornerRadius)) {
      pen.fill(theme.card)
      for index in layout.visibleRows {
        rows.paint(
          scene.rows[index], below: index > 0 ? scene.rows[index - 1] : nil, in: layout.row(index),
          isHovered: hovered == .row(index), isFocused: index == scene.focusedRow)
      }
      if let thumb = layout.scrollThumb {
        // The thumb is drawn wider while the pointer is over the scroll bar or drags the thumb.
        let isWide = hovered == .scrollbar || isScrolling
        let shape = isWide ? thumb.inset(dx: -1.5, dy: 0) : thumb
        pen.fill(.rounded(shape, shape.width / 2), theme.card.mixed(with: theme.text, isWide ? 0.55 : 0.35))
      }
    }
    pen.border(layout.list, radius: SceneLayout.cornerRadius, theme.border)
  }

  /// Paints the drop highlight.
  private func paintFrame() {
    let radius = SceneLayout.cornerRadius
    let shape: Pen.Shape
    switch scene.framedPart {
    case .window: shape = .rounded(layout.window.inset(dx: 4.5, dy: 4.5), radius + 2)
    case .field:
      shape = .rounded((layout.field ?? layout.window).inset(dx: 1.5, dy: 1.5), SceneLayout.fieldRadius - 1.5)
    case .preview: shape = .rounded((layout.preview ?? layout.window).inset(dx: 1.5, dy: 1.5), radius - 1.5)
    case .list: shape = .rounded(layout.view.inset(dx: 1.5, dy: 1.5), radius - 1.5)
    // A tab draws its own highlight.
    case .tab: return
    }
    switch scene.frame {
    case .none: break
    case .accepting: pen.stroke(shape, theme.accepting, width: 3)
    case .refusing: pen.stroke(shape, theme.refusing, width: 3, dashes: [8, 6])
    }
  }
}
