extension Scene {
  /// Views of which one is shown, and a strip to choose among them at the upper end of the window.
  public struct Tabs: Hashable, Sendable {
    /// From left to right.
    public var titles: [String]
    /// The one that is shown.
    public var selected: Int
    /// The one that a drag is over, if it is over one.
    public var highlighted: Int?
    /// Whether the highlighted one is about to be shown: it is filled, and what fills it comes and goes.
    public var isEmphasized = false

    /// Tabs.
    public init(_ titles: [String], selected: Int) {
      self.titles = titles
      self.selected = selected
    }
  }

  /// A part of the window that takes drops by itself.
  public enum Part: Hashable, Sendable {
    /// All of it.
    case window
    /// The list, and the room that is left for it.
    case list
    /// One of the tabs.
    case tab(Int)
    /// The line to type in.
    case field
    /// The pane beside the list.
    case preview
  }
}

/// Where the tabs are.
struct TabsLayout: Equatable {
  static let height = 32.0
  /// Between the border of the strip and the tabs.
  static let inset = 3.0

  let box: Box
  let tabs: [Box]

  /// - Parameter inner: What there is room in: the strip takes its width, and its upper end.
  init(_ tabs: Scene.Tabs, in inner: Box) {
    box = Box(x: inner.x, y: inner.y, width: inner.width, height: min(inner.height, Self.height))
    let strip = box.inset(dx: Self.inset, dy: Self.inset)
    let width = strip.width / Double(max(1, tabs.titles.count))
    self.tabs = tabs.titles.indices.map {
      Box(x: strip.x + Double($0) * width, y: strip.y, width: width, height: strip.height)
    }
  }

  /// The tab at a place.
  func tab(atX x: Double, y: Double) -> Int? { tabs.firstIndex { $0.contains(x: x, y: y) } }
}

extension SceneLayout {
  /// Where a part of the window is; all of it, if there is no such part.
  func box(of part: Scene.Part) -> Box {
    switch part {
    case .window: window
    case .list: view
    case .field: field ?? window
    case .preview: preview ?? window
    case .tab(let index): tabs.flatMap { $0.tabs.indices.contains(index) ? $0.tabs[index] : nil } ?? window
    }
  }
}
