extension Scene.Icon.Symbol {
  func draw(in box: Box, with pen: Pen) {
    if case .color(let red, let green, let blue, let alpha) = self {
      return pen.swatch(
        Color(red: red, green: green, blue: blue), alpha: alpha,
        in: box.inset(dx: box.width * 0.08, dy: box.height * 0.08), radius: box.width * 0.2)
    }
    pen.onGrid(of: 32, in: box) {
      switch self {
      case .folder: drawFolder(with: pen)
      case .picture: drawLandscape(with: pen)
      case .command: drawTerminal(with: pen)
      case .link: drawChain(with: pen)
      case .several: drawSheets(with: pen)
      case .document, .text, .archive, .audio, .video, .unknown, .color: drawPage(with: pen)
      }
    }
  }

  private func drawFolder(with pen: Pen) {
    let ink = Color(0x5B9BE6)
    let back = Pen.Shape.polygon([(3, 25), (3, 6), (12, 6), (15, 9), (29, 9), (29, 25)])
    pen.fill(back, ink.mixed(with: Color(0), 0.22))
    pen.fill(.tile(3, 11, 26, 15.5, 2.5), ink)
    pen.fill(.tile(3, 11, 26, 1.2, 0.6), ink.mixed(with: Color(0xFFFFFF), 0.35))
  }

  private func drawLandscape(with pen: Pen) {
    let sky = Pen.Shape.tile(4.2, 6.2, 23.6, 19.6, 2)
    pen.fill(.tile(3, 5, 26, 22, 3), Color(0x2E8C8C))
    pen.fill(sky, Color(0xBFE6F2))
    pen.fill(.circle(21.5, 12, radius: 2.8), Color(0xF6C944))
    pen.clip(to: sky) {
      pen.fill(.polygon([(14, 27), (22, 16.5), (31, 27)]), Color(0x63B58C))
      pen.fill(.polygon([(2, 27), (11.5, 13), (21, 27)]), Color(0x2F8F6A))
    }
  }

  private func drawTerminal(with pen: Pen) {
    pen.fill(.tile(3, 5.5, 26, 21, 3.5), Color(0x3A3F4B))
    pen.stroke(.line([(8, 12), (12, 16), (8, 20)]), Color(0x7FD6A0), width: 2.2)
    pen.stroke(.line([(15, 20.5), (22, 20.5)]), Color(0xE6E8EE), width: 2.2)
  }

  private func drawChain(with pen: Pen) {
    pen.fill(.circle(16, 16, radius: 13), Color(0x4B7FD1))
    let white = Color(0xFFFFFF)
    pen.rotated(by: -.pi / 4, aroundX: 16, y: 16) {
      for x in [-9.2, 0.6] { pen.stroke(.tile(x, -3.2, 8.6, 6.4, 3.2), white, width: 2) }
    }
    pen.stroke(.line([(13.2, 18.8), (18.8, 13.2)]), white, width: 2)
  }

  /// Draws two sheets of paper, one above the other.
  private func drawSheets(with pen: Pen) {
    for sheet in [Pen.Shape.tile(10.5, 2.5, 17, 21.5, 1.5), .tile(5, 8, 17, 21.5, 1.5)] {
      pen.fill(sheet, Color(0xFFFFFF))
      pen.stroke(sheet, pen.theme.isDark ? Color(0xC4C6D0) : Color(0xA3A6B2), width: 1.2)
    }
    for y in [15.0, 19.0, 23.0] { pen.stroke(.line([(9, y), (18, y)]), Color(0x7B8090), width: 1.7) }
  }

  /// Draws a sheet of paper with a folded corner and a mark of the file's kind.
  private func drawPage(with pen: Pen) {
    let paper = Color(0xFFFFFF)
    let edge = pen.theme.isDark ? Color(0xC4C6D0) : Color(0xA3A6B2)
    let sheet = Pen.Shape.polygon([(8, 3), (19.5, 3), (26, 9.5), (26, 29), (6, 29), (6, 3)])
    pen.fill(sheet, paper)
    pen.stroke(sheet, edge, width: 1.2)
    pen.fill(.polygon([(19.5, 3), (19.5, 10), (26, 10)]), edge.mixed(with: paper, 0.35))
    let ink = Color(0x7B8090)
    switch self {
    case .text:
      for (y, end) in [(14.0, 21.5), (18.0, 21.5), (22.0, 17.0)] {
        pen.stroke(.line([(10.5, y), (end, y)]), ink, width: 1.7)
      }
    case .archive:
      for (index, y) in stride(from: 5.0, through: 17, by: 3).enumerated() {
        pen.fill(.tile(index % 2 == 0 ? 12 : 15, y, 3, 3, 0), Color(0xC98A2B))
      }
      pen.fill(.tile(12, 20, 6, 7, 1.5), Color(0xC98A2B))
      pen.fill(.tile(13.8, 23, 2.4, 2.6, 1), paper)
    case .audio:
      let ink = Color(0xB0589B)
      pen.fill(.circle(12.6, 22.4, radius: 2.6), ink)
      pen.fill(.circle(20, 20.6, radius: 2.6), ink)
      pen.stroke(.line([(14.6, 22), (14.6, 14.5), (22, 12.8), (22, 20.4)]), ink, width: 1.6)
    case .unknown:
      // A question mark.
      let arc = [(12.4, 15.2), (12.9, 13.4), (14.2, 12.1), (16, 11.6), (17.8, 12.1), (19.1, 13.4), (19.6, 15.2)]
      let stem = [(19.1, 16.9), (17.6, 18.1), (16.4, 19.1), (16, 20.4), (16, 21.6)]
      pen.stroke(.line(arc + stem), ink, width: 1.9)
      pen.fill(.circle(16, 24.8, radius: 1.3), ink)
    case .video: pen.fill(.polygon([(12.5, 13), (21.5, 18.5), (12.5, 24)]), Color(0xD2553F))
    default:
      let line = ink.mixed(with: paper, 0.45)
      for y in [14.0, 17.5] { pen.stroke(.line([(10.5, y), (21.5, y)]), line, width: 1.7) }
      pen.fill(.tile(10, 20.5, 5.5, 5, 1), Color(0x5B9BE6))
      for y in [21.5, 24.6] { pen.stroke(.line([(18.2, y), (21.5, y)]), line, width: 1.7) }
    }
  }
}

extension Scene.Icon {
  /// Draws the arrow of a symbolic link in the lower left corner of the icon.
  static func drawLinkEmblem(in box: Box, with pen: Pen) {
    let side = box.width * 0.44
    let corner = Box(x: box.x, y: box.maxY - side, width: side, height: side)
    pen.onGrid(of: 12, in: corner) {
      let (paper, ink) = (Color(0xFFFFFF), Color(0x3A3F4B))
      let tile = Pen.Shape.tile(0.6, 0.6, 10.8, 10.8, 2.5)
      pen.fill(tile, paper)
      pen.stroke(tile, ink, alpha: 0.55, width: 1)
      pen.stroke(.line([(3.4, 8.6), (8.4, 3.6)]), ink, width: 1.6)
      pen.stroke(.line([(4.8, 3.4), (8.6, 3.4), (8.6, 7.2)]), ink, width: 1.6)
    }
  }
}

extension Pen.Shape {
  fileprivate static func tile(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double
  ) -> Pen.Shape { .rounded(Box(x: x, y: y, width: width, height: height), radius) }
}
