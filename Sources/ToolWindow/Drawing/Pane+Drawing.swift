extension Scene.Pane {
  func draw(in places: PaneLayout, with pen: Pen) {
    guard places.box.width >= 1, places.box.height >= 1 else { return }
    let shape = Pen.Shape.rounded(places.box, SceneLayout.cornerRadius)
    pen.fill(shape, pen.theme.card)
    pen.clip(to: shape) {
      if let preview, let box = places.preview {
        preview.draw(in: box, with: pen)
        if !facts.isEmpty {
          var line = box.inset(dx: SceneLayout.textInset, dy: 0)
          (line.y, line.height) = (box.maxY, 1 / pen.scale)
          pen.fill(.rectangle(line), pen.theme.card.mixed(with: pen.theme.border, 0.7))
        }
      }
      draw(facts, in: places.facts.inset(dx: SceneLayout.textInset, dy: PaneLayout.inset), with: pen)
    }
    pen.border(places.box, radius: SceneLayout.cornerRadius, pen.theme.border)
  }

  private func draw(_ facts: [Fact], in box: Box, with pen: Pen) {
    let count = min(facts.count, Int(box.height / PaneLayout.factHeight))
    guard count > 0 else { return }
    let column =
      facts.map { pen.width(of: $0.label, .small) }.max().map { min($0.rounded(.up) + 12, box.width / 2) } ?? 0
    for (index, fact) in facts.prefix(count).enumerated() {
      let y = box.y + Double(index) * PaneLayout.factHeight
      let label = Box(x: box.x, y: y, width: column, height: PaneLayout.factHeight)
      let value = Box(x: box.x + column, y: y, width: max(0, box.width - column), height: PaneLayout.factHeight)
      // The last line says how much there is no room for.
      guard index < count - 1 || count == facts.count else {
        return pen.write("and \(facts.count - index) more", .small, pen.theme.secondaryText, in: value)
      }
      pen.write(fact.label, .small, pen.theme.secondaryText, in: label)
      pen.write(
        fact.value, .small, fact.isMarked ? pen.theme.accent : pen.theme.text, in: value,
        ellipsis: .init(ofDetails: fact.value))
    }
  }
}

extension Scene.Preview {
  func draw(in box: Box, with pen: Pen) {
    guard box.width >= 1, box.height >= 1 else { return }
    let content = box.inset(dx: SceneLayout.textInset, dy: 10)
    pen.clip(to: .rectangle(box)) {
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
      }
    }
  }
}
