internal import CPangoCairo

extension ScenePainter {
  /// The space between an icon and the text.
  static var iconGap: Double { 10 }

  /// Paints a row's icon at the start of a box and removes the icon's space from the box.
  ///
  /// - Parameter side: The side of the square reserved for an icon, also in rows without one.
  func paintIcon(of row: Scene.Row, side: Double, in content: inout Box) {
    let place = Box(x: content.x, y: content.midY - side / 2, width: side, height: side)
    content.x += side + Self.iconGap
    content.width = max(0, content.width - side - Self.iconGap)
    guard let icon = row.icon else { return }
    let look = icons?.look(of: icon, pixels: Int((side * scale).rounded()), scale: scale)
    cairo_push_group(cairo)
    if let look {
      paint(look.picture, in: place, hasBoard: false)
      if look.isThumbnail { frame(look.picture, in: place) }
    } else {
      paintSymbol(icon.symbol, in: place)
    }
    cairo_pop_group_to_source(cairo)
    cairo_paint_with_alpha(cairo, row.state == .dimmed ? 0.45 : 1)
  }

  /// Paints a hairline border, so that a white thumbnail stands out from a white background.
  private func frame(_ picture: Picture, in box: Box) {
    let (width, height) = (Double(picture.size.width) / scale, Double(picture.size.height) / scale)
    let place = Box(
      x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width: width, height: height)
    trace(place.inset(dx: 0.5 / scale, dy: 0.5 / scale), radius: 0)
    cairo_set_source_rgba(cairo, theme.text.red, theme.text.green, theme.text.blue, 0.18)
    cairo_set_line_width(cairo, 1 / scale)
    cairo_stroke(cairo)
  }
}
