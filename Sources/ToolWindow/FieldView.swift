/// Where the text of a field is in its box, in logical pixels: scrolled so that the caret is seen.
struct FieldView: Equatable {
  static let height = 34.0
  static let inset = 10.0

  /// What the text is seen through.
  let box: Box
  /// Where the text begins, which may be outside.
  let start: Double
  /// How far it is scrolled; to be given to the next one.
  let offset: Double

  /// - Parameters:
  ///   - field: The box of the whole field.
  ///   - textWidth: How wide the text is.
  ///   - caret: How far the caret is from where the text begins.
  ///   - offset: How far the text was scrolled before; it moves no more than it has to.
  init(_ field: Box, textWidth: Double, caret: Double, isRightToLeft: Bool, offset: Double) {
    box = field.inset(dx: Self.inset, dy: 0)
    // The caret behind the last letter needs room too.
    let width = max(0, box.width - 2)
    guard textWidth > width else {
      start = isRightToLeft ? box.maxX - 2 - textWidth : box.x
      self.offset = 0
      return
    }
    let seen = min(max(offset, caret - width), caret)
    self.offset = min(max(0, seen), textWidth - width)
    start = box.x - self.offset
  }
}
