/// The position of a field's text in its box, in logical pixels.
struct FieldView {
  static let height = 34.0
  static let inset = 10.0
  /// The distance between the border of the field and the tint of selected text, above and below it.
  static let selectionInset = 6.0

  /// The visible area.
  let box: Box
  /// The x coordinate at which the text begins; it may be outside the box.
  let start: Double
  /// The scroll offset, to be passed to the next view.
  let offset: Double

  /// - Parameters:
  ///   - field: The rectangle of the whole field.
  ///   - textWidth: The width of the text.
  ///   - caret: The distance from the start of the text to the caret, which is scrolled into view; `nil` to scroll only to
  ///     `offset`.
  ///   - offset: The wanted or previous scroll offset; it changes no more than necessary.
  init(_ field: Box, textWidth: Double, caret: Double?, isRightToLeft: Bool, offset: Double) {
    box = field.inset(dx: Self.inset, dy: 0)
    // Reserves space for the caret after the last letter.
    let width = max(0, box.width - 2)
    guard textWidth > width else {
      start = isRightToLeft ? box.maxX - 2 - textWidth : box.x
      self.offset = 0
      return
    }
    let seen = caret.map { min(max(offset, $0 - width), $0) }
    self.offset = min(max(0, seen ?? offset), textWidth - width)
    start = box.x - self.offset
  }
}
