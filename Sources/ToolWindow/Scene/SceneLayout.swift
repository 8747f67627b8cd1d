/// The rectangles of a scene's parts, in logical pixels. A pure function of the scene, the window's size, the scroll
/// offset and the widths of texts that wrap.
package struct SceneLayout {
  package static let padding = 12.0
  static let gap = 8.0
  static let titleHeight = 24.0
  package static let handleHeight = 40.0
  static let footerHeight = 18.0
  /// The distance between the border of the list and its rows.
  static let listInset = 4.0
  /// The distance between the border of a card or row and its texts.
  static let textInset = 12.0
  static let iconGap = 10.0
  static let cornerRadius = 10.0

  let window: Box
  let title: Box
  /// The space available to the list.
  let view: Box
  /// The list's visible rectangle, no higher than its rows need.
  let list: Box
  let footer: Box
  /// The lines of the footer, at most two. Without any, the hints are drawn instead.
  let footerLines: [String]
  // `nil` if the scene has none.
  let handle: Box?
  let pane: PaneLayout?
  let bar: BarLayout?
  /// The height of a row that does not wrap.
  let rowHeight: Double
  /// The side of the square reserved for an icon in each row; `nil` if no row has an icon.
  let iconSide: Double?
  private let rowsWithButton: Set<Int>
  private let wrappedRows: [Int: WrappedRow]
  private let rowExtents: RowExtents
  /// The height of all rows and the insets above and below them.
  let contentHeight: Double
  /// How far the list is scrolled down, clamped to the content.
  let scrollOffset: Double
  private let maximumScrollOffset: Double

  /// - Parameter measure: Measures the footer and the texts of rows that wrap; not called if there are none. If it
  ///   returns `nil`, each has one line.
  init(
    _ scene: Scene, width: Double, height: Double, scrollOffset: Double = 0,
    measure: @autoclosure () -> (any TextMeasure)? = nil
  ) {
    window = Box(x: 0, y: 0, width: width, height: height)
    var inner = window.inset(dx: Self.padding, dy: Self.padding)
    let frame = inner
    bar = scene.bar.map { BarLayout($0, in: frame) }
    if let bar { inner.height = max(0, bar.box.y - Self.gap - inner.y) }
    let heading = scene.handle != nil ? Self.handleHeight : scene.title.isEmpty ? 0 : Self.titleHeight
    title = Box(x: inner.x, y: inner.y, width: inner.width, height: min(inner.height, heading))
    handle = scene.handle != nil ? title : nil
    footerLines =
      scene.footer.isEmpty ? [] : measure()?.lines(ofFooter: scene.footer, width: inner.width) ?? [scene.footer]
    let footerHeight =
      scene.footer.isEmpty && scene.hints.isEmpty
      ? 0 : Self.footerHeight + Double(max(0, footerLines.count - 1)) * WrappedRow.secondaryLeading
    footer = Box(x: inner.x, y: inner.maxY - footerHeight, width: inner.width, height: footerHeight)
    let hasTwoLines = scene.density == .comfortable && scene.rows.contains { !$0.secondary.isEmpty }
    rowHeight = hasTwoLines ? 54 : Self.lineHeight
    let hasIcons = scene.rows.contains { $0.icon != nil }
    iconSide = hasIcons ? (hasTwoLines ? Self.largeIcon : Self.smallIcon) : nil
    rowsWithButton = Set(scene.rows.indices.filter { scene.rows[$0].action != nil })

    let top = title.height > 0 ? title.maxY + Self.gap : inner.y
    let bottom = footerHeight > 0 ? footer.y - Self.gap : inner.maxY
    let room = Box(x: inner.x, y: top, width: inner.width, height: max(0, bottom - top))
    wrappedRows = WrappedRow.all(
      in: scene, width: room.width - 2 * Self.listInset - Self.scrollBarRoom, iconSide: iconSide, measure: measure())
    let least = rowHeight
    rowExtents = RowExtents(
      count: scene.rows.count, height: least, wrapped: wrappedRows.mapValues { max(least, $0.textHeight) })
    contentHeight = scene.rows.isEmpty ? 0 : rowExtents.total + 2 * Self.listInset
    pane = scene.pane.map { [contentHeight] in PaneLayout($0, in: room, belowListOf: contentHeight) }
    view = pane?.list ?? room
    list = Box(
      x: view.x, y: view.y, width: view.width,
      height: scene.rows.isEmpty ? view.height : min(view.height, contentHeight))
    maximumScrollOffset = max(0, contentHeight - list.height)
    self.scrollOffset = min(max(0, scrollOffset), maximumScrollOffset)
  }

  /// Returns the height of a window that shows a whole scene without a bar and a pane, in logical pixels.
  package static func height(fitting scene: Scene) -> Int {
    let layout = SceneLayout(scene, width: 0, height: 0)
    let heading = scene.handle != nil ? handleHeight + gap : scene.title.isEmpty ? 0 : titleHeight + gap
    let footer = layout.footer.height > 0 ? layout.footer.height + gap : 0
    return Int(heading + max(layout.contentHeight, layout.rowHeight) + footer + 2 * padding)
  }

  /// The height of a row with one line.
  static let lineHeight = 34.0
  /// The side of an icon in a row with one line and in one with two lines.
  static let smallIcon = 22.0
  static let largeIcon = 36.0

  var isScrollable: Bool { contentHeight > list.height }

  /// The distance that Page Up and Page Down scroll by: the list's height minus one row, but at least one row.
  var page: Double { max(rowHeight, list.height - rowHeight) }

  func limited(_ scrollOffset: Double) -> Double { min(max(0, scrollOffset), maximumScrollOffset) }

  private static let scrollBarRoom = 8.0

  /// Returns the rectangle of a row; it may lie partly or wholly outside ``list``.
  func row(_ index: Int) -> Box {
    let inside = list.inset(dx: Self.listInset, dy: 0)
    let width = max(0, inside.width - (isScrollable ? Self.scrollBarRoom : 0))
    return Box(
      x: inside.x, y: list.y + Self.listInset + rowExtents.start(of: index) - scrollOffset, width: width,
      height: rowExtents.height(of: index))
  }

  /// Returns the lines of a row that wraps; `nil` for other rows.
  func wrapped(row index: Int) -> WrappedRow? { wrappedRows[index] }

  static let rowButtonSide = 20.0

  /// Returns the place of a row's button; `nil` if the row has none. The button does not move when the row wraps to
  /// more or fewer lines.
  func button(ofRow index: Int) -> Box? {
    guard rowsWithButton.contains(index) else { return nil }
    let (row, side) = (row(index), Self.rowButtonSide)
    return Box(
      x: row.maxX - SceneLayout.textInset - side, y: row.y + (rowHeight - side) / 2, width: side, height: side)
  }

  /// Returns the row whose button is at a point.
  func rowButton(at point: LogicalPoint) -> Int? {
    // A little larger than it is drawn, so that it is easier to hit.
    row(at: point).flatMap { button(ofRow: $0)?.inset(dx: -4, dy: -4).contains(point) == true ? $0 : nil }
  }

  /// The rows that are at least partly visible.
  var visibleRows: Range<Int> {
    guard list.height > 0 else { return 0..<0 }
    let start = scrollOffset - Self.listInset
    return rowExtents.rows(from: start, to: start + list.height)
  }

  /// Returns the row at a point; `nil` outside the rows and on the scroll bar.
  func row(at point: LogicalPoint) -> Int? {
    guard list.contains(point), scrollTrack?.contains(point) != true else { return nil }
    return rowExtents.row(at: point.y - list.y - Self.listInset + scrollOffset)
  }

  /// Returns the scroll offset nearest to the current one at which a row is fully visible.
  func scrollOffset(revealing index: Int) -> Double {
    let top = rowExtents.start(of: index)
    let bottom = top + rowExtents.height(of: index) + 2 * Self.listInset
    return min(max(scrollOffset, bottom - list.height), top)
  }

  /// Returns the scroll offset at which the top of the scroll bar's thumb is at `y`.
  func scrollOffset(thumbAt y: Double) -> Double {
    guard let thumb = scrollThumb, let track = scrollTrack, track.height > thumb.height else { return scrollOffset }
    return (y - track.y) / (track.height - thumb.height) * (contentHeight - list.height)
  }

  /// The area in which the scroll bar's thumb moves. It is wider than the thumb is drawn, so that it is easier to hit.
  var scrollTrack: Box? {
    guard isScrollable else { return nil }
    let track = list.inset(dx: 0, dy: 6)
    guard track.height > 0, track.width > 12 else { return nil }
    return Box(x: track.maxX - 12, y: track.y, width: 12, height: track.height)
  }

  var scrollThumb: Box? {
    guard let track = scrollTrack else { return nil }
    let length = min(track.height, max(24, track.height * list.height / contentHeight))
    let progress = scrollOffset / (contentHeight - list.height)
    return Box(x: track.maxX - 7, y: track.y + (track.height - length) * progress, width: 4, height: length)
  }
}
