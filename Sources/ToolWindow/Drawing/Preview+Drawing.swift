extension Scene.Preview {
  func draw(in box: Box, with pen: Pen) {
    guard box.width >= 1, box.height >= 1 else { return }
    let shape = Pen.Shape.rounded(box, SceneLayout.cornerRadius)
    pen.fill(shape, pen.theme.card)
    pen.clip(to: shape) {
      let content = box.inset(dx: SceneLayout.textInset, dy: 10)
      switch self {
      case .text(let string): pen.write(lines: string, .monospaced, pen.theme.text, in: content)
      case .output(let string):
        pen.clip(to: .rectangle(content)) { pen.write(lastLines: string, .monospaced, pen.theme.text, in: content) }
      case .styled(let runs): pen.write(runs: runs, pen.theme.text, in: content)
      case .picture(let picture): pen.draw(picture, in: content, hasCheckerboard: true)
      case .color(let red, let green, let blue, let alpha, let name):
        var swatch = content
        swatch.height = max(0, swatch.height - 30)
        pen.swatch(Color(red: red, green: green, blue: blue), alpha: alpha, in: swatch)
        let label = Box(x: content.x, y: content.maxY - 22, width: content.width, height: 22)
        pen.write(name, .body, pen.theme.text, in: label, alignment: .center, ellipsis: .middle)
      case .files(let rows):
        Self.draw(rows, in: box.inset(dx: SceneLayout.listInset, dy: SceneLayout.listInset), with: pen)
      }
    }
    pen.border(box, radius: SceneLayout.cornerRadius, pen.theme.border)
  }

  private static func draw(_ rows: [Scene.Row], in box: Box, with pen: Pen) {
    let hasIcons = rows.contains { $0.icon != nil }
    let painter = RowPainter(density: .compact, iconSide: hasIcons ? SceneLayout.smallIcon : nil, pen: pen)
    let height = SceneLayout.lineHeight
    for (index, row) in rows.enumerated() {
      let line = Box(x: box.x, y: box.y + Double(index) * height, width: box.width, height: height)
      guard line.y < box.maxY else { return }
      painter.paintContent(of: row, in: line.inset(dx: SceneLayout.textInset - SceneLayout.listInset, dy: 0))
    }
  }
}
