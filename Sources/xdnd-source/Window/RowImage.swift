import XDnDToolWindow
import XDnD

/// The image of one dragged row, in device pixels.
struct RowImage {
  let bitmap: Bitmap
  /// The frame that the image lifts off from, window-local.
  let frame: Rect

  /// Creates the image of a row in a list, which is its card, or of the content of a row.
  init?(card: RowPicture) {
    let (width, height) = (card.size.width, card.size.height)
    guard let bitmap = Bitmap(width: width, height: height, pixels: card.pixels) else { return nil }
    self.bitmap = bitmap
    frame = Rect(x: card.origin.x, y: card.origin.y, width: card.originSize.width, height: card.originSize.height)
  }

  /// Creates the image of a row in a pile: its card without the texts, about as wide as high. A row without an icon becomes
  /// a sheet of paper.
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
