extension Scene.Tabs {
  /// Draws the tabs as one strip, with the selected one raised.
  func draw(in places: TabsLayout, with pen: Pen) {
    let theme = pen.theme
    let radius = SceneLayout.cornerRadius - TabsLayout.inset
    pen.fill(.rounded(places.box, SceneLayout.cornerRadius), theme.background.mixed(with: theme.text, 0.08))
    if theme.hasEdges { pen.border(places.box, radius: SceneLayout.cornerRadius, theme.border) }
    for (index, box) in places.tabs.enumerated() {
      let isFilled = highlighted == index && isEmphasized
      let ground = isFilled ? theme.selection : index == selected ? theme.card : nil
      if let ground { pen.fill(.rounded(box, radius), ground) }
      if index == selected, !isFilled { pen.border(box, radius: radius, theme.border) }
      if highlighted == index {
        pen.border(box, radius: radius, isFilled ? theme.selection : theme.accent, width: 2)
      }
      let ink = isFilled ? theme.selectedText : index == selected ? theme.text : theme.secondaryText
      pen.write(titles[index], .body, ink, in: box.inset(dx: 8, dy: 0), alignment: .center)
    }
  }
}
