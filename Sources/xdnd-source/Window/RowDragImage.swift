import XDnDToolWindow
import XDnD

/// Makes the drag image of rows: the image of `--icon`, or else pictures of the rows in list formation.
struct RowDragImage {
  let window: ToolWindow
  let icon: DragImage?
  let options: DragOptions

  /// The maximum number of rows in a drag image.
  private static let mostPictures = 32

  /// Returns the drag image of rows, and gives their items images that start at the rows.
  func preview(ofRows indices: [Int], items: inout [DragItem]) -> DragPreview {
    var preview =
      if let icon {
        DragPreview(images: [icon], badge: .count(indices.count > 1 ? indices.count : 0))
      } else {
        pictures(ofRows: indices, items: &items)
      }
    preview.scale = window.scale
    if let badge = options.badge { preview.badge = badge > 0 ? .count(badge) : .none }
    return preview
  }

  private func pictures(ofRows indices: [Int], items: inout [DragItem]) -> DragPreview {
    let root = options.now ? nil : window.rootOrigin
    // Of many rows, shows those from the first visible one on, because they can be animated from their places.
    let seen = indices.firstIndex { window.isVisible(row: $0) } ?? 0
    let start = max(0, min(seen, indices.count - Self.mostPictures))
    let shown = indices.indices.dropFirst(start).prefix(Self.mostPictures)
    for place in shown {
      guard let picture = window.picture(ofRow: indices[place]),
        let bitmap = Bitmap(width: picture.size.width, height: picture.size.height, pixels: picture.pixels)
      else { continue }
      items[place].preview = DragImage(bitmap)
      guard picture.isVisible, let root else { continue }
      let (x, y) = (picture.origin.x, picture.origin.y)
      items[place].preview?.origin = Rect(x: root.x + x, y: root.y + y, width: bitmap.width, height: bitmap.height)
      // Items and images are matched by index, so origins are set only if every item has an image.
      guard shown.count == indices.count else { continue }
      items[place].origin = DragOrigin(
        Rect(x: x, y: y, width: bitmap.width, height: bitmap.height), in: WindowID(rawValue: window.windowID))
    }
    return DragPreview(
      images: items.compactMap(\.preview), formation: .list,
      badge: shown.count == indices.count ? .automatic : .count(indices.count))
  }
}
