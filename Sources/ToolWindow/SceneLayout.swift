/// A rectangle in logical pixels, that is before the scale factor.
struct Box: Equatable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var maxX: Double { x + width }
  var maxY: Double { y + height }
  var midY: Double { y + height / 2 }

  func contains(x: Double, y: Double) -> Bool {
    x >= self.x && x < maxX && y >= self.y && y < maxY
  }

  /// The box without a border; never of negative size.
  func inset(dx: Double, dy: Double) -> Box {
    Box(x: x + dx, y: y + dy, width: max(0, width - 2 * dx), height: max(0, height - 2 * dy))
  }
}

/// Where the parts of a scene are in a window: pure arithmetic in logical pixels.
struct SceneLayout: Equatable {
  static let padding = 12.0
  static let gap = 8.0
  static let titleHeight = 24.0
  static let footerHeight = 18.0
  /// Between the border of the list and its rows.
  static let listInset = 4.0

  /// The whole window.
  let window: Box
  let title: Box
  /// `nil` if the scene has none.
  let handle: Box?
  /// What there is room for the list in.
  let view: Box
  /// The list as far as it is visible.
  let list: Box
  let footer: Box
  /// `nil` if the scene has none.
  let preview: Box?
  /// `nil` if the scene has none.
  let field: Box?
  /// `nil` if the scene has none.
  let tabs: TabsLayout?
  /// `nil` if the scene has none.
  let bar: BarLayout?
  let rowHeight: Double
  /// The side of the square that each row keeps free for an icon; `nil` if there are no icons.
  let iconSide: Double?
  let rowCount: Int
  /// How far the list is scrolled down, within bounds.
  let scrollOffset: Double

  init(_ scene: Scene, width: Double, height: Double, scrollOffset: Double = 0) {
    window = Box(x: 0, y: 0, width: width, height: height)
    var inner = window.inset(dx: Self.padding, dy: Self.padding)
    let frame = inner
    bar = scene.bar.map { BarLayout($0, in: frame) }
    if let bar { inner.height = max(0, bar.box.y - Self.gap - inner.y) }
    let above = inner
    tabs = scene.tabs.map { TabsLayout($0, in: above) }
    if let tabs {
      inner.height = max(0, inner.maxY - tabs.box.maxY - Self.gap)
      inner.y = tabs.box.maxY + Self.gap
    }
    let heading = scene.handle != nil ? Self.handleHeight : scene.title.isEmpty ? 0 : Self.titleHeight
    title = Box(x: inner.x, y: inner.y, width: inner.width, height: min(inner.height, heading))
    handle = scene.handle != nil ? title : nil
    let footerHeight = scene.footer.isEmpty ? 0 : Self.footerHeight
    footer = Box(x: inner.x, y: inner.maxY - footerHeight, width: inner.width, height: footerHeight)
    rowHeight = Self.rowHeight(in: scene)
    let hasIcons = scene.rows.contains { $0.icon != nil }
    iconSide = hasIcons ? (rowHeight > Self.lineHeight ? Self.largeIcon : Self.smallIcon) : nil
    rowCount = scene.rows.count

    let top = title.height > 0 ? title.maxY + Self.gap : inner.y
    var bottom = footerHeight > 0 ? footer.y - Self.gap : inner.maxY
    if scene.field != nil {
      let height = max(0, min(FieldView.height, bottom - top))
      field = Box(x: inner.x, y: bottom - height, width: inner.width, height: height)
      bottom = max(top, bottom - height - Self.gap)
    } else {
      field = nil
    }
    let content = rowCount == 0 ? 0 : Double(rowCount) * rowHeight + 2 * Self.listInset
    let room = Box(x: inner.x, y: top, width: inner.width, height: max(0, bottom - top))
    if scene.preview != nil {
      let parts = PreviewLayout.split(room)
      (view, preview) = (parts.list, parts.preview)
    } else {
      (view, preview) = (room, nil)
    }
    list = Box(
      x: view.x, y: view.y, width: view.width,
      height: scene.rows.isEmpty ? view.height : min(view.height, content))
    self.scrollOffset = min(max(0, scrollOffset), max(0, content - list.height))
  }

  private static func rowHeight(in scene: Scene) -> Double {
    let twoLines = scene.density == .comfortable && scene.rows.contains { !$0.secondary.isEmpty }
    return twoLines ? 54 : Self.lineHeight
  }

  /// Of a row with one line.
  static let lineHeight = 34.0
  /// The icon of such a row, and that of a row with two lines.
  static let smallIcon = 22.0
  static let largeIcon = 36.0

  /// Whether some rows are out of sight.
  var isScrollable: Bool { contentHeight > list.height }

  /// All rows with the space around them.
  var contentHeight: Double { rowCount == 0 ? 0 : Double(rowCount) * rowHeight + 2 * Self.listInset }

  /// Where a row is; parts of it may lie outside of ``list``.
  func row(_ index: Int) -> Box {
    let inside = list.inset(dx: Self.listInset, dy: 0)
    return Box(
      x: inside.x, y: list.y + Self.listInset + Double(index) * rowHeight - scrollOffset, width: inside.width,
      height: rowHeight)
  }

  /// The rows of which something is visible.
  var visibleRows: Range<Int> {
    guard rowCount > 0, list.height > 0 else { return 0..<0 }
    let start = scrollOffset - Self.listInset
    let first = min(rowCount, max(0, Int(start / rowHeight)))
    let last = min(rowCount, max(first, Int(((start + list.height) / rowHeight).rounded(.up))))
    return first..<last
  }

  /// The row at a place.
  func row(atX x: Double, y: Double) -> Int? {
    guard list.contains(x: x, y: y), scrollTrack?.contains(x: x, y: y) != true else { return nil }
    let index = ((y - list.y - Self.listInset + scrollOffset) / rowHeight).rounded(.down)
    guard index >= 0, index < Double(rowCount) else { return nil }
    return Int(index)
  }

  /// The nearest scroll offset at which a row is wholly visible.
  func scrollOffset(revealing index: Int) -> Double {
    let top = Double(index) * rowHeight
    let bottom = top + rowHeight + 2 * Self.listInset
    return min(max(scrollOffset, bottom - list.height), top)
  }

  /// The scroll offset at which the thumb of the scroll bar begins at a place.
  func scrollOffset(thumbAt y: Double) -> Double {
    guard let thumb = scrollThumb, let track = scrollTrack, track.height > thumb.height else { return scrollOffset }
    return (y - track.y) / (track.height - thumb.height) * (contentHeight - list.height)
  }

  /// Where the thumb of the scroll bar moves. It is as wide as a finger finds it, and wider than the thumb looks.
  var scrollTrack: Box? {
    guard isScrollable else { return nil }
    let track = list.inset(dx: 0, dy: 6)
    guard track.height > 0, track.width > 12 else { return nil }
    return Box(x: track.maxX - 12, y: track.y, width: 12, height: track.height)
  }

  /// The bar that shows where in the list one is.
  var scrollThumb: Box? {
    guard let track = scrollTrack else { return nil }
    let length = min(track.height, max(24, track.height * list.height / contentHeight))
    let progress = scrollOffset / (contentHeight - list.height)
    return Box(x: track.maxX - 7, y: track.y + (track.height - length) * progress, width: 4, height: length)
  }
}
