/// A cursor that the library draws, for themes that lack it.
struct CursorImage: Hashable, Sendable {
  var bitmap: Bitmap
  /// The hot spot, in pixels from the upper-left corner.
  var hotspot: Point

  /// Draws an arrow, with a symbol for the drop's effect at its lower right.
  ///
  /// - Parameter size: The nominal size in pixels, as in themes: the approximate extent of arrow and symbol.
  init(drawing shape: CursorShape, size: Int) {
    let unit = Double(max(size, 8)) / 24
    // The tip is at the center of a pixel at every size, and that pixel is the hot spot.
    let tip = Int((1.6 * unit).rounded(.up))
    let origin = Vector(repeating: Double(tip) + 0.5)
    // Large enough for the cloud, the largest symbol.
    let side = Int((Double(tip) + 1 + 21.7 * unit + max(1, unit)).rounded(.up))
    var picture = Bitmap(width: side, height: side)
    Self.drawArrow(on: &picture, tip: origin, unit: unit)
    shape.drawBadge(on: &picture, tip: origin, unit: unit)
    let shadow = Shadow(radius: max(1, 1.5 * unit), drop: max(1, 0.7 * unit), opacity: 0.4)
    bitmap = picture.withShadow(shadow)
    hotspot = Point(x: tip + shadow.margin, y: tip + shadow.margin)
  }

  private static func drawArrow(on picture: inout Bitmap, tip: Vector, unit: Double) {
    let corners: [Vector] = [
      [0, 0], [0, 15.2], [3.5, 11.9], [5.8, 17.3], [8.2, 16.3], [5.9, 11.0], [10.7, 11.0],
    ]
    let arrow = Shape.polygon(corners.map { tip + $0 * unit })
    picture.fill(.expansion(arrow, by: max(1, 1.15 * unit)), with: 0xFFFF_FFFF)
    picture.fill(.expansion(arrow, by: 0.1 * unit), with: 0xFF16_181C)
  }
}
