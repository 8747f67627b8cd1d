extension Scene {
  /// A strip of tabs at the top of the window. AppKit counterpart: `NSSegmentedControl`.
  package struct Tabs: Hashable, Sendable {
    package var titles: [String]
    package var selected: Int
    /// The index of the tab that a drag is over, if any.
    package var highlighted: Int?
    /// Whether the highlighted tab is filled. The host toggles it to flash a tab that is about to spring open.
    package var isEmphasized = false

    package init(_ titles: [String], selected: Int) {
      self.titles = titles
      self.selected = selected
    }
  }
}

struct TabsLayout {
  static let height = 32.0
  /// The distance between the border of the strip and the tabs.
  static let inset = 3.0

  let box: Box
  let tabs: [Box]

  /// - Parameter inner: The available space. The strip takes its full width and its upper end.
  init(_ tabs: Scene.Tabs, in inner: Box) {
    box = Box(x: inner.x, y: inner.y, width: inner.width, height: min(inner.height, Self.height))
    let strip = box.inset(dx: Self.inset, dy: Self.inset)
    let width = strip.width / Double(max(1, tabs.titles.count))
    self.tabs = tabs.titles.indices.map {
      Box(x: strip.x + Double($0) * width, y: strip.y, width: width, height: strip.height)
    }
  }

  func tab(at point: LogicalPoint) -> Int? { tabs.firstIndex { $0.contains(point) } }
}
