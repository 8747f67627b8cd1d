internal import CPangoCairo

/// The built-in icons, drawn on a grid of 32 by 32 units.
extension ScenePainter {
  func paintSymbol(_ symbol: Scene.Icon.Symbol, in box: Box) {
    if case .color(let red, let green, let blue, let alpha) = symbol {
      return paintSwatch(
        (red, green, blue, alpha), in: box.inset(dx: box.width * 0.08, dy: box.height * 0.08), radius: box.width * 0.2)
    }
    cairo_save(cairo)
    defer { cairo_restore(cairo) }
    cairo_translate(cairo, box.x, box.y)
    cairo_scale(cairo, box.width / 32, box.height / 32)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    switch symbol {
    case .folder: paintFolder()
    case .picture: paintLandscape()
    case .command: paintTerminal()
    case .link: paintChain()
    case .document, .text, .archive, .audio, .video, .color: paintPage(with: symbol)
    }
  }

  // MARK: The drawings

  private func paintFolder() {
    let ink = Color(0x5B9BE6)
    fill(ink.mixed(with: Color(0), 0.22)) {
      move(3, 25)
      line(3, 6)
      line(12, 6)
      line(15, 9)
      line(29, 9)
      line(29, 25)
    }
    rounded(3, 11, 26, 15.5, 2.5, ink)
    rounded(3, 11, 26, 1.2, 0.6, ink.mixed(with: Color(0xFFFFFF), 0.35))
  }

  private func paintLandscape() {
    rounded(3, 5, 26, 22, 3, Color(0x2E8C8C))
    rounded(4.2, 6.2, 23.6, 19.6, 2, Color(0xBFE6F2))
    circle(21.5, 12, 2.8, Color(0xF6C944))
    cairo_save(cairo)
    trace(Box(x: 4.2, y: 6.2, width: 23.6, height: 19.6), radius: 2)
    cairo_clip(cairo)
    fill(Color(0x63B58C)) {
      move(14, 27)
      line(22, 16.5)
      line(31, 27)
    }
    fill(Color(0x2F8F6A)) {
      move(2, 27)
      line(11.5, 13)
      line(21, 27)
    }
    cairo_restore(cairo)
  }

  private func paintTerminal() {
    rounded(3, 5.5, 26, 21, 3.5, Color(0x3A3F4B))
    stroke(Color(0x7FD6A0), width: 2.2, along: [(8, 12), (12, 16), (8, 20)])
    stroke(Color(0xE6E8EE), width: 2.2, along: [(15, 20.5), (22, 20.5)])
  }

  private func paintChain() {
    circle(16, 16, 13, Color(0x4B7FD1))
    let white = Color(0xFFFFFF)
    cairo_save(cairo)
    cairo_translate(cairo, 16, 16)
    cairo_rotate(cairo, -.pi / 4)
    for x in [-9.2, 0.6] {
      trace(Box(x: x, y: -3.2, width: 8.6, height: 6.4), radius: 3.2)
      stroke(white, width: 2)
    }
    cairo_restore(cairo)
    stroke(white, width: 2, along: [(13.2, 18.8), (18.8, 13.2)])
  }

  /// Paints a sheet of paper with a folded corner and a mark of the file's kind.
  private func paintPage(with symbol: Scene.Icon.Symbol) {
    let paper = Color(0xFFFFFF)
    let edge = theme.isDark ? Color(0xC4C6D0) : Color(0xA3A6B2)
    fill(paper) { tracePage() }
    tracePage()
    stroke(edge, width: 1.2)
    fill(edge.mixed(with: paper, 0.35)) {
      move(19.5, 3)
      line(19.5, 10)
      line(26, 10)
    }
    let ink = Color(0x7B8090)
    switch symbol {
    case .text:
      for (y, end) in [(14.0, 21.5), (18.0, 21.5), (22.0, 17.0)] {
        stroke(ink, width: 1.7, along: [(10.5, y), (end, y)])
      }
    case .archive:
      for (index, y) in stride(from: 5.0, through: 17, by: 3).enumerated() {
        rounded(index % 2 == 0 ? 12 : 15, y, 3, 3, 0, Color(0xC98A2B))
      }
      rounded(12, 20, 6, 7, 1.5, Color(0xC98A2B))
      rounded(13.8, 23, 2.4, 2.6, 1, paper)
    case .audio:
      circle(12.6, 22.4, 2.6, Color(0xB0589B))
      circle(20, 20.6, 2.6, Color(0xB0589B))
      stroke(Color(0xB0589B), width: 1.6, along: [(14.6, 22), (14.6, 14.5), (22, 12.8), (22, 20.4)])
    case .video:
      fill(Color(0xD2553F)) {
        move(12.5, 13)
        line(21.5, 18.5)
        line(12.5, 24)
      }
    default:
      for (y, end) in [(14.0, 21.5), (17.5, 21.5)] {
        stroke(ink.mixed(with: paper, 0.45), width: 1.7, along: [(10.5, y), (end, y)])
      }
      rounded(10, 20.5, 5.5, 5, 1, Color(0x5B9BE6))
      stroke(ink.mixed(with: paper, 0.45), width: 1.7, along: [(18.2, 21.5), (21.5, 21.5)])
      stroke(ink.mixed(with: paper, 0.45), width: 1.7, along: [(18.2, 24.6), (21.5, 24.6)])
    }
  }

  private func tracePage() {
    cairo_new_path(cairo)
    move(8, 3)
    line(19.5, 3)
    line(26, 9.5)
    line(26, 29)
    line(6, 29)
    line(6, 3)
    cairo_close_path(cairo)
  }

  // MARK: Strokes

  private func move(_ x: Double, _ y: Double) { cairo_move_to(cairo, x, y) }

  private func line(_ x: Double, _ y: Double) { cairo_line_to(cairo, x, y) }

  private func fill(_ color: Color, _ path: () -> Void) {
    cairo_new_path(cairo)
    path()
    cairo_close_path(cairo)
    color.set(on: cairo)
    cairo_fill(cairo)
  }

  private func stroke(_ color: Color, width: Double, along points: [(Double, Double)]) {
    cairo_new_path(cairo)
    for point in points { line(point.0, point.1) }
    stroke(color, width: width)
  }

  private func rounded(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double, _ color: Color) {
    trace(Box(x: x, y: y, width: width, height: height), radius: radius)
    color.set(on: cairo)
    cairo_fill(cairo)
  }

  private func circle(_ x: Double, _ y: Double, _ radius: Double, _ color: Color) {
    rounded(x - radius, y - radius, 2 * radius, 2 * radius, radius, color)
  }
}
