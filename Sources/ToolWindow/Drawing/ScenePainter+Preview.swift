internal import CPangoCairo

extension ScenePainter {
  /// Paints the preview pane as a card like the list's.
  func paintPreview(_ preview: Scene.Preview, in box: Box) {
    guard box.width >= 1, box.height >= 1 else { return }
    trace(box, radius: Self.cornerRadius)
    theme.card.set(on: cairo)
    cairo_fill_preserve(cairo)
    cairo_save(cairo)
    cairo_clip(cairo)
    let content = box.inset(dx: Self.textInset, dy: 10)
    switch preview {
    case .text(let string): text?.drawText(string, font: .monospaced, color: theme.text, in: content, on: cairo)
    case .picture(let picture): paint(picture, in: content)
    case .color(let red, let green, let blue, let alpha, let name):
      var swatch = content
      swatch.height = max(0, swatch.height - 30)
      paintSwatch((red, green, blue, alpha), in: swatch)
      let label = Box(x: content.x, y: content.maxY - 22, width: content.width, height: 22)
      draw(name, .body, theme.text, in: label, alignment: .center, ellipsis: .middle)
    case .files(let rows): paintFiles(rows, in: box.inset(dx: SceneLayout.listInset, dy: SceneLayout.listInset))
    }
    cairo_restore(cairo)
    trace(box.inset(dx: 0.5, dy: 0.5), radius: Self.cornerRadius - 0.5)
    stroke(theme.border, width: 1)
  }

  private func paintFiles(_ rows: [Scene.Row], in box: Box) {
    let height = 34.0
    for (index, row) in rows.enumerated() {
      let line = Box(x: box.x, y: box.y + Double(index) * height, width: box.width, height: height)
      guard line.y < box.maxY else { return }
      var content = line.inset(dx: Self.textInset - SceneLayout.listInset, dy: 0)
      if rows.contains(where: { $0.icon != nil }) { paintIcon(of: row, side: SceneLayout.smallIcon, in: &content) }
      paintCompactTexts(of: row, in: content)
    }
  }

  /// Paints a picture in the middle of a box, scaled down to fit but never up.
  func paint(_ picture: Picture, in box: Box, hasBoard: Bool = true) {
    let (width, height) = (Double(picture.size.width) / scale, Double(picture.size.height) / scale)
    let factor = min(1, box.width / width, box.height / height)
    guard factor > 0 else { return }
    // Whole device pixels: a picture that needs no scaling stays sharp.
    let place = Box(
      x: ((box.x + (box.width - width * factor) / 2) * scale).rounded() / scale,
      y: ((box.y + (box.height - height * factor) / 2) * scale).rounded() / scale, width: width * factor,
      height: height * factor)
    if hasBoard {
      cairo_rectangle(cairo, place.x, place.y, place.width, place.height)
      paintBoard(in: place)
    }
    picture.withSurface { surface in
      cairo_save(cairo)
      cairo_translate(cairo, place.x, place.y)
      cairo_scale(cairo, factor / scale, factor / scale)
      cairo_set_source_surface(cairo, surface, 0, 0)
      cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_GOOD)
      cairo_paint(cairo)
      cairo_restore(cairo)
    }
  }

  /// Paints a color swatch, over a checkerboard if the color is translucent.
  func paintSwatch(_ color: (red: Double, green: Double, blue: Double, alpha: Double), in box: Box, radius: Double = 8)
  {
    trace(box, radius: radius)
    if color.alpha < 1 { paintBoard(in: box) }
    trace(box, radius: radius)
    cairo_set_source_rgba(cairo, color.red, color.green, color.blue, color.alpha)
    cairo_fill(cairo)
    trace(box.inset(dx: 0.5, dy: 0.5), radius: radius - 0.5)
    stroke(theme.border, width: 1)
  }

  /// Fills the current path with a checkerboard.
  private func paintBoard(in box: Box) {
    let side = min(8.0, max(3, box.width / 8))
    cairo_save(cairo)
    cairo_clip(cairo)
    Color(0xFFFFFF).set(on: cairo)
    cairo_paint(cairo)
    Color(0xD4D4D8).set(on: cairo)
    let (columns, rows) = (Int((box.width / side).rounded(.up)), Int((box.height / side).rounded(.up)))
    for row in 0..<max(0, rows) {
      for column in stride(from: row % 2, to: columns, by: 2) {
        cairo_rectangle(cairo, box.x + Double(column) * side, box.y + Double(row) * side, side, side)
      }
    }
    cairo_fill(cairo)
    cairo_restore(cairo)
  }
}

extension Picture {
  /// Calls `body` with a cairo surface of the pixels, valid during the call.
  func withSurface(_ body: (OpaquePointer) -> Void) {
    pixels.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      // Cairo only reads from a source surface.
      let data = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: UInt8.self))
      let surface = cairo_image_surface_create_for_data(
        data, CAIRO_FORMAT_ARGB32, Int32(clamping: size.width), Int32(clamping: size.height),
        Int32(clamping: 4 * size.width))
      if let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS { body(surface) }
      // A cairo context of an X window may still reference the surface.
      cairo_surface_finish(surface)
      cairo_surface_destroy(surface)
    }
  }
}
