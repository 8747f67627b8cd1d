internal import CPangoCairo

/// Measuring and drawing of editable lines and of multi-line text.
extension Typesetter {
  /// Returns the width of an untruncated line.
  func lineWidth(of text: String) -> Double {
    selectLine(text)
    return extents().width
  }

  /// Returns the distance from the start of a line to the caret before a character.
  func caret(in text: String, at index: Int) -> Double {
    selectLine(text)
    var strong = PangoRectangle()
    pango_layout_get_cursor_pos(layout, Int32(clamping: text.byteOffset(ofCharacter: index)), &strong, nil)
    return Double(strong.x) / Double(PANGO_SCALE)
  }

  /// Returns the insertion index nearest to a position.
  ///
  /// - Parameter x: The distance from the start of the line.
  func index(in text: String, at x: Double) -> Int {
    selectLine(text)
    var (byte, trailing): (Int32, Int32) = (0, 0)
    pango_layout_xy_to_index(layout, Int32(clamping: Int(x * Double(PANGO_SCALE))), 0, &byte, &trailing)
    return text.characterOffset(ofByte: Int(byte)) + (trailing > 0 ? 1 : 0)
  }

  /// Returns the horizontal extents of a selection; several in bidirectional text.
  func spans(of selection: Range<Int>, in text: String) -> [ClosedRange<Double>] {
    guard !selection.isEmpty else { return [] }
    selectLine(text)
    var ranges: UnsafeMutablePointer<Int32>?
    var count: Int32 = 0
    pango_layout_line_get_x_ranges(
      pango_layout_get_line_readonly(layout, 0), Int32(clamping: text.byteOffset(ofCharacter: selection.lowerBound)),
      Int32(clamping: text.byteOffset(ofCharacter: selection.upperBound)), &ranges, &count)
    guard let ranges else { return [] }
    defer { g_free(ranges) }
    return (0..<Int(count)).map {
      let (start, end) = (
        Double(ranges[2 * $0]) / Double(PANGO_SCALE), Double(ranges[2 * $0 + 1]) / Double(PANGO_SCALE)
      )
      return min(start, end)...max(start, end)
    }
  }

  /// Draws an untruncated line, vertically centered in the box.
  ///
  /// - Parameter x: The x coordinate of the line's start.
  func drawLine(_ text: String, x: Double, in box: Box, color: Color, on cairo: OpaquePointer) {
    let loaded = selectLine(text)
    let baseline = box.midY + (loaded.ascent - loaded.descent) / 2
    color.set(on: cairo)
    cairo_move_to(cairo, x, baseline.rounded() - Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE))
    pango_cairo_show_layout(cairo, layout)
  }

  /// Draws wrapped lines from the top of a box. If the text does not fit, the last visible line ends with an ellipsis.
  func drawText(_ text: String, font: Font, color: Color, in box: Box, on cairo: OpaquePointer) {
    guard box.width >= 1, box.height >= 1 else { return }
    select(text, font: font, limit: .text)
    pango_layout_set_single_paragraph_mode(layout, 0)
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    pango_layout_set_width(layout, Int32(clamping: Int(box.width * Double(PANGO_SCALE))))
    pango_layout_set_height(layout, Int32(clamping: Int(box.height * Double(PANGO_SCALE))))
    color.set(on: cairo)
    cairo_move_to(cairo, box.x, box.y)
    pango_cairo_show_layout(cairo, layout)
    pango_layout_set_height(layout, -1)
    pango_layout_set_single_paragraph_mode(layout, 1)
  }

  @discardableResult
  private func selectLine(_ text: String) -> LoadedFont {
    let loaded = select(text, font: .body, limit: nil)
    pango_layout_set_width(layout, -1)
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_NONE)
    return loaded
  }
}

extension String {
  func byteOffset(ofCharacter offset: Int) -> Int { prefix(offset).utf8.count }

  /// Returns the index of the character that contains the byte.
  func characterOffset(ofByte offset: Int) -> Int {
    var bytes = 0
    for (index, character) in self.enumerated() {
      bytes += character.utf8.count
      if bytes > offset { return index }
    }
    return count
  }
}
