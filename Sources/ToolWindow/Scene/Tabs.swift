extension Scene {
  /// A strip of tabs at the top of the window. AppKit counterpart: `NSSegmentedControl`.
  public struct Tabs: Hashable, Sendable {
    /// The titles from left to right.
    public var titles: [String]
    /// The index of the selected tab.
    public var selected: Int
    /// The index of the tab that a drag is over, if any.
    public var highlighted: Int?
    /// Whether the highlighted tab is filled. The host toggles it to flash a tab that is about to spring open.
    public var isEmphasized = false

    /// Creates a strip of tabs.
    public init(_ titles: [String], selected: Int) {
      self.titles = titles
      self.selected = selected
    }
  }
}

/// The rectangles of the tabs.
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

  /// Returns the tab at a point.
  func tab(atX x: Double, y: Double) -> Int? { tabs.firstIndex { $0.contains(x: x, y: y) } }
}
