import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Makes the drag image of rows: the image of `--icon`; or else the content of a single text, color or picture; a list
/// of the rows' cards; or, for many rows, a pile of their icons.
struct RowDragImage {
  let window: ToolWindow
  let list: RowList
  let icon: DragImage?
  let options: DragOptions

  /// The maximum number of rows that are dragged as a list. A longer one would cover its target.
  private static let longestList = 4

  /// The maximum number of rows with an image. It is more than a pile shows: the row under the pointer must be among
  /// them.
  private static let mostPictures = 32

  /// Returns the drag image of rows, and gives their items images that start at the rows.
  func preview(ofRows indices: [Int], items: inout [DragItem]) -> DragPreview {
    var preview =
      if let icon {
        DragPreview(images: [icon])
      } else if let content = content(ofRows: indices, items: &items) {
        content
      } else {
        pictures(ofRows: indices, items: &items)
      }
    // A translucent card would lose contrast.
    if window.scene.appearance.isHighContrast { preview.opacity = 1 }
    preview.badge = .count(indices.count > 1 ? indices.count : 0)
    preview.scale = window.scale
    if let badge = options.badge { preview.badge = badge > 0 ? .count(badge) : .none }
    return preview
  }

  /// Returns the drag image of a single row that shows its content instead of its card; `nil` for other rows.
  private func content(ofRows indices: [Int], items: inout [DragItem]) -> DragPreview? {
    guard indices.count == 1, let look = list[indices[0]].picture,
      let picture = window.picture(of: look, ofRow: indices[0]), let image = RowImage(card: picture)
    else { return nil }
    items[0].preview = DragImage(image.bitmap, hotspot: window.dragHotspot)
    if picture.isVisible, let root = options.now ? nil : window.rootOrigin {
      lift(&items[0], image, root)
    }
    // A picture is larger than text, and need not stay legible.
    let opacity = if case .picture = look { 0.7 } else { 0.9 }
    return DragPreview(images: items[0].preview.map { [$0] } ?? [], formation: .none, opacity: opacity)
  }

  /// Sets the row as the origin of an item's image.
  private func lift(_ item: inout DragItem, _ image: RowImage, _ root: PixelPoint) {
    let frame = image.frame
    item.preview?.origin = Rect(
      x: root.x + frame.origin.x, y: root.y + frame.origin.y, width: frame.width, height: frame.height)
    item.origin = DragOrigin(frame, in: WindowID(rawValue: window.windowID))
  }

  private func pictures(ofRows indices: [Int], items: inout [DragItem]) -> DragPreview {
    let root = options.now ? nil : window.rootOrigin
    let isList = indices.count <= Self.longestList
    // Of many rows, shows those from the first visible one on, because they can be animated from their places.
    let seen = indices.firstIndex { window.isVisible(row: $0) } ?? 0
    let start = max(0, min(seen, indices.count - Self.mostPictures))
    let shown = indices.indices.dropFirst(start).prefix(Self.mostPictures)
    for place in shown {
      guard let picture = window.picture(ofRow: indices[place]) else { continue }
      let image =
        isList ? RowImage(card: picture) : RowImage(pileTile: picture, hasIcon: hasIcon(indices[place]), window.scale)
      guard let image else { continue }
      items[place].preview = DragImage(image.bitmap, hotspot: window.dragHotspot)
      if picture.isVisible, let root { lift(&items[place], image, root) }
    }
    // Items and images are matched by index. Empty images stand for the items before the first shown one.
    let empty = Bitmap(width: 0, height: 0, pixels: []).map { DragImage($0) }
    return DragPreview(
      images: items.prefix(shown.endIndex).compactMap { $0.preview ?? empty }, formation: isList ? .list : .pile,
      opacity: 0.85)
  }

  private func hasIcon(_ row: Int) -> Bool { window.scene.rows[row].icon != nil }
}

/// The image of one dragged row, in device pixels.
struct RowImage {
  let bitmap: Bitmap
  /// The frame where the image starts, window-local.
  let frame: Rect

  /// Creates the image of a row in a list, from its card, or of a row's content.
  init?(card: RowPicture) {
    let (width, height) = (card.size.width, card.size.height)
    guard let bitmap = Bitmap(width: width, height: height, pixels: card.pixels) else { return nil }
    self.bitmap = bitmap
    frame = Rect(x: card.origin.x, y: card.origin.y, width: card.originSize.width, height: card.originSize.height)
  }

  /// Creates the image of a row in a pile: its card without the texts, about as wide as high. A row without an icon
  /// becomes a sheet of paper.
  ///
  /// - Parameters:
  ///   - card: The card of a row with two lines of text, or without an icon.
  ///   - scale: Device pixels per logical pixel.
  init?(pileTile card: RowPicture, hasIcon: Bool, _ scale: Double) {
    guard card.size.width > 0, card.size.height > 0 else { return nil }
    let height = card.size.height
    let size: (width: Int, height: Int)
    if hasIcon {
      // The icon is in the leading square, with a margin on its left. The trailing end has the same margin and no text.
      let end = min(height / 5, card.size.width)
      let start = min(height * 7 / 6, card.size.width) - end
      let pixels = (0..<height).flatMap { line in
        let columns = card.pixels[line * card.size.width..<(line + 1) * card.size.width]
        return columns.prefix(start) + columns.suffix(end)
      }
      guard let bitmap = Bitmap(width: start + end, height: height, pixels: pixels) else { return nil }
      self.bitmap = bitmap
      size = (bitmap.width, bitmap.height)
    } else {
      guard let sheet = DragPreview.default(count: 1, scale: scale).images.first?.bitmap else { return nil }
      bitmap = sheet
      size = (max(1, sheet.width * height / sheet.height), height)
    }
    frame = Rect(x: card.origin.x, y: card.origin.y, width: size.width, height: size.height)
  }
}
