/// Draws scenes with cairo and pango, and keeps the fonts.
final class SceneRenderer {
  /// Device pixels per logical pixel.
  let scale: Double
  private let icons: IconStore
  /// Created at the first use: loading fonts takes longer than mapping the window.
  private(set) lazy var text = TextRenderer()

  init(scale: Double, icons: IconStore) {
    self.scale = scale
    self.icons = icons
  }

  func pen(on cairo: OpaquePointer, for scene: Scene) -> Pen {
    Pen(theme: Theme(scene.appearance), scale: scale, text: text, icons: icons, cairo: cairo)
  }

  /// - Parameter isFirstFrame: Whether to omit text in other fonts than the body font.
  func draw(
    _ scene: Scene, in layout: SceneLayout, _ controls: ControlState, isFirstFrame: Bool, on cairo: OpaquePointer
  ) {
    let pen = pen(on: cairo, for: scene)
    text?.isFirstFrame = isFirstFrame
    pen.scaled {
      text?.prepare(for: cairo, scale: scale)
      scene.draw(in: layout, controls, with: pen)
    }
  }

  /// Renders a row as a card; in a comfortable list, it is no wider than its texts. Returns `nil` if there is no such
  /// row or no space for it.
  ///
  /// The text has the window's font options, so the card looks like its row. The options of the card's surface differ
  /// from these, and adopting them would make pango look up all fonts again while the drag begins.
  func picture(ofRow index: Int, in scene: Scene, layout: SceneLayout) -> RowPicture? {
    guard scene.rows.indices.contains(index) else { return nil }
    var row = scene.rows[index]
    // A card that is dragged before the second frame has all its texts, too.
    text?.isFirstFrame = false
    // The progress of an earlier delivery would soon be out of date.
    if row.progress != nil { row.secondary = "" }
    var box = layout.row(index)
    // All cards have the same height, even if their rows wrap.
    box.height = layout.rowHeight
    box = box.inset(dx: 0, dy: 1)
    if let text, scene.density == .comfortable {
      let room = layout.iconSide.map { $0 + SceneLayout.iconGap } ?? 0
      let wanted = max(text.width(of: row.primary, font: .body), text.width(of: row.secondary, font: .small))
      box.width = min(box.width, wanted.rounded(.up) + 1 + room + 2 * SceneLayout.textInset)
    }
    guard box.width >= 1, box.height >= 1 else { return nil }
    let size = PixelSize(width: Int((box.width * scale).rounded(.up)), height: Int((box.height * scale).rounded()))
    let card = Box(x: 0, y: 0, width: Double(size.width) / scale, height: Double(size.height) / scale)
    let pixels = pixels(size: size, in: scene) { pen in
      RowPainter(density: scene.density, iconSide: layout.iconSide, pen: pen).paintCard(of: row, in: card)
    }
    guard let pixels else { return nil }
    // Whole device pixels, so that the card lies exactly over its row.
    let origin = PixelPoint(x: Int((box.x * scale).rounded()), y: Int((box.y * scale).rounded()))
    return RowPicture(
      size: size, pixels: pixels, origin: origin, originSize: size, isVisible: layout.visibleRows.contains(index))
  }

  /// Draws a drag image on a transparent surface, and returns its pixels; `nil` if cairo cannot make a surface of this
  /// size.
  func pixels(size: PixelSize, in scene: Scene, draw: (Pen) -> Void) -> [UInt32]? {
    ImageSurface.pixels(size: size) { cairo in
      let pen = pen(on: cairo, for: scene)
      pen.scaled {
        if let text, !text.isPrepared { text.prepare(for: cairo, scale: scale) }
        draw(pen)
      }
    }
  }
}

/// The drag image of a row, in device pixels. AppKit counterpart: `NSDraggingImageComponent`.
package struct RowPicture: Hashable, Sendable {
  package var size: PixelSize
  /// Premultiplied 0xAARRGGBB, row by row from the top.
  package var pixels: [UInt32]
  /// The upper left corner of the place where the drag image starts, window-local.
  package var origin: PixelPoint
  /// The size that the image has there.
  package var originSize: PixelSize
  package var isVisible: Bool
}
