internal import CPangoCairo

extension ScenePainter {
  /// Paints the tabs as one strip, with the selected one raised.
  func paintTabs(_ tabs: Scene.Tabs, _ places: TabsLayout) {
    let radius = Self.cornerRadius - TabsLayout.inset
    trace(places.box, radius: Self.cornerRadius)
    theme.background.mixed(with: theme.text, 0.08).set(on: cairo)
    cairo_fill(cairo)
    for (index, box) in places.tabs.enumerated() {
      let isFilled = tabs.highlighted == index && tabs.isEmphasized
      let ground = isFilled ? theme.selection : index == tabs.selected ? theme.card : nil
      if let ground {
        trace(box, radius: radius)
        ground.set(on: cairo)
        cairo_fill(cairo)
      }
      if index == tabs.selected, !isFilled {
        trace(box.inset(dx: 0.5, dy: 0.5), radius: radius - 0.5)
        stroke(theme.border, width: 1)
      }
      if tabs.highlighted == index {
        trace(box.inset(dx: 1, dy: 1), radius: radius - 1)
        stroke(isFilled ? theme.selection : theme.accent, width: 2)
      }
      let ink = isFilled ? theme.selectedText : index == tabs.selected ? theme.text : theme.secondaryText
      draw(tabs.titles[index], .body, ink, in: box.inset(dx: 8, dy: 0), alignment: .center)
    }
  }
}
