/// Draws scenes with cairo and pango. Keeps what outlasts a frame: the fonts, and how far the field's text is scrolled.
final class SceneRenderer {
  /// Device pixels per logical pixel.
  private let scale: Double
  private let icons: IconStore
  /// Created when text is first drawn: loading fonts takes longer than mapping the window.
  private lazy var text = TextRenderer()
  /// How far the field's text is scrolled, in logical pixels.
  private var fieldOffset = 0.0

  init(scale: Double, icons: IconStore) {
    self.scale = scale
    self.icons = icons
  }

  /// Draws a scene, with the field's text scrolled so that the caret is visible.
  ///
  /// - Parameter isHasty: Whether to draw only text in the body font, for the first frame.
  func draw(
    _ scene: Scene, layout: SceneLayout, bar: BarState, hovered: HoveredPart?, isScrolling: Bool, isHasty: Bool,
    on cairo: OpaquePointer
  ) {
    text?.isHasty = isHasty
    text?.prepare(for: cairo, scale: scale)
    if let field = scene.field, let box = layout.field, let text {
      fieldOffset = text.view(of: field, in: box, offset: fieldOffset).offset
    }
    ScenePainter(
      scene, layout: layout, bar: bar, hovered: hovered, isScrolling: isScrolling, fieldOffset: fieldOffset,
      scale: scale, text: text, icons: icons, cairo: cairo
    ).paint()
  }

  /// Renders a row as a card no wider than its texts. Returns `nil` if there is no such row or no space for any.
  func picture(ofRow index: Int, in scene: Scene, layout: SceneLayout) -> RowPicture? {
    RowPicture(ofRow: index, in: scene, layout: layout, scale: scale, text: text, icons: icons)
  }

  /// Returns the insertion index nearest to a position.
  ///
  /// - Parameters:
  ///   - x: In logical pixels, window-local.
  ///   - box: The rectangle of the field.
  func insertionIndex(atX x: Double, in field: Scene.TextField, _ box: Box) -> Int? {
    text.map { $0.index(in: field.text, at: x - $0.view(of: field, in: box, offset: fieldOffset).start) }
  }
}
