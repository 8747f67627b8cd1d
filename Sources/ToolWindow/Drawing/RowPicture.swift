/// The drag image of a row. AppKit counterpart: `NSDraggingImageComponent`.
public struct RowPicture: Hashable, Sendable {
  /// The image's size in device pixels.
  public var size: PixelSize
  /// Premultiplied 0xAARRGGBB, row by row from the top.
  public var pixels: [UInt32]
  /// The image's upper left corner in device pixels, window-local.
  public var origin: PixelPoint
  /// Whether the row is at least partly visible in the window.
  public var isVisible: Bool
}

extension RowPicture {
  init?(
    ofRow index: Int, in scene: Scene, layout: SceneLayout, scale: Double, text: TextRenderer?, icons: IconStore? = nil
  ) {
    guard scene.rows.indices.contains(index) else { return nil }
    var box = layout.row(index).inset(dx: 0, dy: 1)
    if let text, scene.density == .comfortable {
      let row = scene.rows[index]
      let room = layout.iconSide.map { $0 + SceneLayout.iconGap } ?? 0
      let wanted = max(text.width(of: row.primary, font: .body), text.width(of: row.secondary, font: .small))
      box.width = min(box.width, wanted.rounded(.up) + 1 + room + 2 * SceneLayout.textInset)
    }
    guard box.width >= 1, box.height >= 1 else { return nil }
    // Whole device pixels, so that the card lies exactly over its row.
    origin = PixelPoint(x: Int((box.x * scale).rounded()), y: Int((box.y * scale).rounded()))
    let size = PixelSize(width: Int((box.width * scale).rounded(.up)), height: Int((box.height * scale).rounded()))
    let card = Box(x: 0, y: 0, width: Double(size.width) / scale, height: Double(size.height) / scale)
    let pixels = ImageSurface.pixels(size: size) { cairo in
      ScenePainter(scene, layout: layout, scale: scale, text: text, icons: icons, cairo: cairo).paintCard(
        ofRow: index, in: card)
    }
    guard let pixels else { return nil }
    self.size = size
    self.pixels = pixels
    isVisible = layout.visibleRows.contains(index)
  }
}
