extension DragPreview {
  /// The preview of items without images: a sheet of paper for each, at most three.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - scale: Device pixels per point.
  package static func `default`(count: Int, scale: Double = 1) -> DragPreview {
    let sheet = DragImage(.document(scale: DragPreview(images: [], scale: scale).scale))
    return DragPreview(
      images: Array(repeating: sheet, count: min(max(1, count), 3)), formation: .pile,
      badge: count > 1 ? .count(count) : .none, opacity: 0.95, scale: scale)
  }
}

extension Bitmap {
  /// Draws a sheet with a folded corner and some lines of text.
  static func document(scale: Double) -> Bitmap {
    // Whole pixels make opposite sides look the same.
    func whole(_ points: Double) -> Double { (points * scale).rounded() }
    let size = Vector(whole(44), whole(56))
    let fold = whole(12)
    let edge = max(1, whole(1))
    var sheet = Bitmap(width: Int(size.x), height: Int(size.y))

    let corner = Vector(size.x - fold, fold)
    let radius = 3 * scale
    func outline(inset: Double) -> Shape {
      // Shrinking the polygon by the radius and expanding it again rounds its corners.
      let inner = inset + radius
      let cut = fold + 0.6 * radius
      return .expansion(
        .polygon([
          Vector(inner, inner), Vector(size.x - cut, inner), Vector(size.x - inner, cut),
          Vector(size.x - inner, size.y - inner), Vector(inner, size.y - inner),
        ]), by: radius)
    }
    sheet.fill(outline(inset: 0), with: 0xFFB4_B8BF)
    sheet.fill(outline(inset: edge), with: 0xFFFD_FDFE)
    // The flap of the folded corner.
    let flap = Vector(corner.x - edge * 0.5, corner.y + edge * 0.5)
    sheet.fill(
      .expansion(
        .polygon([
          Vector(flap.x + radius * 0.5, edge + radius), Vector(size.x - edge - radius, flap.y - radius * 0.5),
          Vector(flap.x + radius * 0.5, flap.y - radius * 0.5),
        ]), by: radius * 0.5), with: 0xFFD9_DCE1)

    let left = whole(9)
    let pen = whole(3)
    var top = whole(20)
    for length in [26.0, 26, 26, 16] {
      sheet.fill(
        .roundedRectangle(
          Bounds(min: Vector(left, top), max: Vector(left + whole(length), top + pen)), radius: pen / 2),
        with: 0xFFC3_C8D0)
      top += whole(8)
    }
    return sheet
  }
}

extension Bitmap {
  /// Draws one puff of the cloud into which a disappearing item turns.
  static func puff(scale: Double) -> Bitmap {
    let side = (24 * scale).rounded()
    var puff = Bitmap(width: Int(side), height: Int(side))
    // Concentric discs: dense in the middle, without an edge.
    for step in 0..<8 {
      let radius = side / 2 * (1 - Double(step) / 9)
      puff.fill(.circle(center: puff.size / 2, radius: radius), with: 0x24F4_F5F7)
    }
    return puff
  }
}
