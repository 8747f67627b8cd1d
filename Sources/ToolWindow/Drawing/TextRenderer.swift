internal import XDnDLoadedLibraries
internal import XDnDFiles

/// Lays out text with pango, in any script. Coordinates are logical pixels.
///
/// All text shares one layout object.
final class TextRenderer {
  /// The fonts with their sizes in logical pixels.
  enum Font: Double {
    case title = 15
    case body = 14
    case small = 12
    case monospaced = 13
  }

  enum Alignment { case start, center, end }

  enum Ellipsis {
    /// For file names and paths, whose end is the most informative part.
    case middle
    case end

    /// The ellipsis of a row's name: in the middle if the name is a path or ends with a file extension.
    init(ofName name: String) {
      let ending = name.suffix(6).split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
      let isExtension = ending.map { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber } } ?? false
      self = isExtension || name.hasPrefix("/") ? .middle : .end
    }

    /// The ellipsis of a row's details: in the middle only if they contain an absolute path.
    init(ofDetails details: String) { self = details.hasPrefix("/") || details.contains(" /") ? .middle : .end }
  }

  struct LoadedFont {
    let description: OpaquePointer
    /// The distance from the middle of a line to its baseline.
    let baseline: Double
  }

  let context: OpaquePointer
  fileprivate let layout: OpaquePointer
  private var fonts: [Font: LoadedFont] = [:]
  /// Whether the first frame is being drawn. It has only text in ``Font/body``, such as names, because finding each
  /// further font is slow.
  var isFirstFrame = false
  /// Whether font options have been adopted from a surface.
  private(set) var isPrepared = false
  /// A cache of line breaks: a list is laid out more often than its texts change.
  private var brokenTexts: [BrokenText: [String]] = [:]
  private static let mostBrokenTexts = 16_384

  private struct BrokenText: Hashable {
    let text: String
    let font: Font
    let width: Double
    let limit: Int
    let isName: Bool
  }

  /// Returns `nil` if pango has no font backend.
  init?() {
    guard let map = pango_cairo_font_map_get_default(), let context = pango_font_map_create_context(map) else {
      return nil
    }
    guard let layout = pango_layout_new(context) else {
      g_object_unref(UnsafeMutableRawPointer(context))
      return nil
    }
    self.context = context
    self.layout = layout
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
  }

  deinit {
    for font in fonts.values { pango_font_description_free(font.description) }
    g_object_unref(UnsafeMutableRawPointer(layout))
    g_object_unref(UnsafeMutableRawPointer(context))
  }

  /// Adopts the font options and the scaling of a surface. Pango looks up all fonts again if these differ from the last
  /// ones.
  ///
  /// - Parameter scale: Device pixels per logical pixel. Glyphs are placed at whole logical pixels only if it is 1; at
  ///   other scales that would make the spacing uneven.
  func prepare(for cairo: OpaquePointer, scale: Double) {
    pango_context_set_round_glyph_positions(context, scale == 1 ? 1 : 0)
    pango_cairo_update_context(cairo, context)
    pango_layout_context_changed(layout)
    // The cached line breaks were measured with other options.
    if !isPrepared { brokenTexts = [:] }
    isPrepared = true
  }

  /// Puts a text into the layout, shortened if it is wider than `width`. Pango's own ellipsis would leave a gap at the
  /// end, because the text is padded to the full width.
  @discardableResult
  fileprivate func fit(_ text: String, font: Font, width: Double, _ ellipsis: Ellipsis) -> LoadedFont {
    let loaded = select(text, font: font)
    guard extents.width > width.pangoUnits else { return loaded }
    return select(shortened(text.clipped(to: .line), font: font, width: width, ellipsis), font: font)
  }

  /// Returns as much of a text as fits with an ellipsis; the ellipsis alone if nothing does. There is no space beside
  /// the ellipsis.
  ///
  /// - Parameters:
  ///   - text: A text that is wider than `width`.
  ///   - width: The available width.
  func shortened(_ text: String, font: Font, width: Double, _ ellipsis: Ellipsis) -> String {
    let characters = Array(text)
    func keeping(_ count: Int) -> String {
      let tailCount = ellipsis == .middle ? count / 2 : 0
      let (head, tail) = (characters.prefix(count - tailCount), characters.suffix(tailCount))
      return String(head).withoutTrailingSpaces + "…"
        + String(tail.drop(while: \.isWhitespace))
    }
    var (fitting, tooMany) = (0, characters.count)
    while fitting + 1 < tooMany {
      let count = (fitting + tooMany) / 2
      if self.width(of: keeping(count), font: font) <= width { fitting = count } else { tooMany = count }
    }
    return keeping(fitting)
  }

  fileprivate func skips(_ font: Font) -> Bool { isFirstFrame && font != .body }

  /// Returns the width of a text; 0 for text that the first frame leaves out.
  func width(of text: String, font: Font) -> Double { skips(font) ? 0 : measure(text, font: font) }

  private func measure(_ text: String, font: Font) -> Double {
    select(text, font: font)
    return Double(pango: extents.width)
  }

  /// Breaks a text into lines, between words where possible. If there are more lines than `limit`, the last one ends
  /// with an ellipsis, after a whole word if possible.
  ///
  /// - Parameters:
  ///   - width: The width of the lines.
  ///   - limit: The maximum number of lines; at least 1.
  ///   - isName: Whether the text is a name, which may be broken at any hyphen and slash.
  func lines(of text: String, font: Font, width: Double, limit: Int, isName: Bool = false) -> [String] {
    let key = BrokenText(text: text, font: font, width: width, limit: limit, isName: isName)
    if let known = brokenTexts[key] { return known }
    if brokenTexts.count >= Self.mostBrokenTexts { brokenTexts = [:] }
    let line = text.clipped(to: .line)
    let lines =
      isName
      ? broken(line, font: font, width: width, limit: limit)
      : broken(line.keepingTogether, font: font, width: width, limit: limit).map(\.withoutJoiners)
    brokenTexts[key] = lines
    return lines
  }

  private func broken(_ text: String, font: Font, width: Double, limit: Int) -> [String] {
    select(text, font: font, limit: nil)
    pango_layout_set_width(layout, max(0, width).pangoUnits)
    let count = Int(pango_layout_get_line_count(layout))
    let bytes = Array(text.utf8)
    let starts = (0..<min(count, limit + 1)).compactMap { index in
      pango_layout_get_line_readonly(layout, Int32(index)).map { Int($0.pointee.start_index) }
    }
    var lines = zip(starts, starts.dropFirst() + [bytes.count]).map { start, end in
      String(decoding: bytes[start..<max(start, end)], as: UTF8.self).withoutTrailingSpaces
    }
    guard lines.count > limit, let last = lines.dropLast().last else { return lines }
    lines.removeLast(2)
    return lines + [shortened(atWordOf: last, font: font, width: width)]
  }

  /// Returns a line with an ellipsis instead of its last words, as many as needed; a single word is cut.
  private func shortened(atWordOf line: String, font: Font, width: Double) -> String {
    var head = line
    while measure(head + "…", font: font) > width {
      guard let space = head.lastIndex(where: \.isWhitespace) else {
        return shortened(head + "…", font: font, width: width, .end)
      }
      head = String(head[..<space]).withoutTrailingSpaces
    }
    return head + "…"
  }

  /// Puts a text into the layout, as one line of any width, and resets the layout's settings. All measuring and drawing
  /// goes through here.
  ///
  /// - Parameter limit: The maximum length; `nil` for text that is already limited.
  @discardableResult
  func select(_ text: String, font: Font, limit: LabelLimit? = .line) -> LoadedFont {
    pango_layout_set_attributes(layout, nil)
    // Line breaks in names are drawn as a visible sign.
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_NONE)
    pango_layout_set_width(layout, -1)
    pango_layout_set_height(layout, -1)
    pango_layout_set_spacing(layout, 0)
    let loaded = load(font)
    pango_layout_set_font_description(layout, loaded.description)
    pango_layout_set_text(layout, limit.map { text.clipped(to: $0) } ?? text, -1)
    return loaded
  }

  /// Wraps the selected text, whose line breaks stay.
  fileprivate func wrap(width: Double) {
    pango_layout_set_single_paragraph_mode(layout, 0)
    pango_layout_set_width(layout, width.pangoUnits)
  }

  /// The rectangle of the laid-out text in pango units. Pango aligns right-to-left text at the far end of the layout;
  /// the caller aligns it itself and subtracts the start.
  fileprivate var extents: PangoRectangle {
    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    return logical
  }

  /// The distance from the top of the laid-out text to its first baseline.
  fileprivate var baseline: Double { Double(pango: pango_layout_get_baseline(layout)) }

  /// Returns a font. At its first use, it is measured in the layout, whose settings have been reset.
  private func load(_ font: Font) -> LoadedFont {
    if let known = fonts[font] { return known }
    guard let description = pango_font_description_new() else {
      preconditionFailure("pango_font_description_new returns no null")
    }
    // This call copies the string, which is valid during the call only.
    pango_font_description_set_family(description, font == .monospaced ? "Monospace" : "Sans")
    pango_font_description_set_absolute_size(description, font.rawValue * Double(PANGO_SCALE))
    if font == .title { pango_font_description_set_weight(description, PANGO_WEIGHT_BOLD) }
    // Measures laid-out letters: pango's own font metrics are divided by the scale of the surface.
    pango_layout_set_font_description(layout, description)
    pango_layout_set_text(layout, "Ag", -1)
    let descent = Double(pango: extents.height) - baseline
    let loaded = LoadedFont(description: description, baseline: (baseline - descent) / 2)
    fonts[font] = loaded
    return loaded
  }
}

// MARK: Styled text

extension TextRenderer {
  /// The measurements of the visible lines of styled text, in logical pixels.
  struct Lines: Equatable {
    var width = 0.0
    var height = 0.0
    /// The size of the last line.
    var (lastWidth, lastHeight) = (0.0, 0.0)
    /// Whether there are more lines.
    var isCut = false
  }

  /// Measures the first lines of styled text. A line of body text is `leading` high.
  func lines(of runs: [Scene.TextRun], _ theme: Theme, width: Double, leading: Double, limit: Int) -> Lines {
    select(runs, theme, leading: leading)
    wrap(width: width)
    var lines = Lines()
    let count = Int(pango_layout_get_line_count(layout))
    for index in 0..<min(count, limit) {
      var logical = PangoRectangle()
      pango_layout_line_get_extents(pango_layout_get_line_readonly(layout, Int32(index)), nil, &logical)
      lines.lastHeight = Double(pango: logical.height) + Double(pango: pango_layout_get_spacing(layout))
      lines.height += lines.lastHeight
      lines.lastWidth = Double(pango: logical.width)
      lines.width = max(lines.width, lines.lastWidth)
    }
    lines.isCut = count > limit
    return lines
  }

  /// Puts styled text into the layout.
  ///
  /// - Parameter leading: The height of a line of body text; `nil` for the font's own.
  fileprivate func select(_ runs: [Scene.TextRun], _ theme: Theme, leading: Double? = nil) {
    let runs = runs.clipped(to: .text)
    var spacing: Int32 = 0
    if let leading {
      select("Ag", font: .body)
      spacing = leading.pangoUnits - extents.height
    }
    select(runs.map(\.text).joined(), font: .body, limit: nil)
    pango_layout_set_spacing(layout, spacing)
    let attributes = pango_attr_list_new()
    defer { pango_attr_list_unref(attributes) }
    var start = 0
    for run in runs {
      let end = start + run.text.utf8.count
      for attribute in run.attributes(in: theme) {
        attribute.pointee.start_index = UInt32(clamping: start)
        attribute.pointee.end_index = UInt32(clamping: end)
        // The list takes ownership of the attribute.
        pango_attr_list_insert(attributes, attribute)
      }
      start = end
    }
    pango_layout_set_attributes(layout, attributes)
  }
}

extension TextRenderer: TextMeasure {
  func width(ofName name: String) -> Double { width(of: name, font: .body) }

  func lines(ofName name: String, width: Double) -> [String] {
    lines(of: name, font: .body, width: width, limit: WrappedRow.lineLimit, isName: true)
  }

  func lines(ofDetails details: String, width: Double) -> [String] {
    lines(of: details, font: .small, width: width, limit: WrappedRow.lineLimit)
  }

  func lines(ofFooter footer: String, width: Double) -> [String] {
    lines(of: footer, font: .small, width: width, limit: 2)
  }
}

extension Pen {
  /// The width of a text; 0 without fonts.
  func width(of string: String, _ font: TextRenderer.Font) -> Double { text?.width(of: string, font: font) ?? 0 }

  /// Draws a line, vertically centered in a box and truncated to its width. All lines of a font in boxes of the same
  /// height share a baseline, whatever their scripts.
  func write(
    _ string: String, _ font: TextRenderer.Font, _ color: Color, in box: Box,
    alignment: TextRenderer.Alignment = .start, ellipsis: TextRenderer.Ellipsis = .end
  ) {
    guard let text, !string.isEmpty, box.width >= 1, !text.skips(font) else { return }
    let loaded = text.fit(string, font: font, width: box.width, ellipsis)
    let extents = text.extents
    let width = Double(pango: extents.width)
    let start =
      switch alignment {
      case .start: box.x
      case .center: box.x + (box.width - width) / 2
      case .end: box.maxX - width
      }
    var (x, y) = (start - Double(pango: extents.x), box.midY + loaded.baseline)
    cairo_user_to_device(cairo, &x, &y)
    y.round()
    cairo_device_to_user(cairo, &x, &y)
    show(text, color, x: x, y: y - text.baseline)
  }

  /// Draws wrapped lines from the top of a box. If the text does not fit, the last visible line ends with an ellipsis.
  func write(lines string: String, _ font: TextRenderer.Font, _ color: Color, in box: Box) {
    guard let text, box.width >= 1, box.height >= 1 else { return }
    text.select(string, font: font, limit: .text)
    writeParagraphs(text, color, in: box)
  }

  /// Draws wrapped lines of styled text from the top of a box. If it does not fit, the last visible line ends with an
  /// ellipsis.
  func write(runs: [Scene.TextRun], _ color: Color, in box: Box) {
    guard let text, box.width >= 1, box.height >= 1 else { return }
    text.select(runs, theme)
    writeParagraphs(text, color, in: box)
  }

  /// Draws the text of a drag image. The caller clips the lines below the image's last one.
  func write(_ dragged: DraggedText) {
    guard let text else { return }
    text.select(dragged.runs, theme, leading: DraggedText.lineHeight)
    text.wrap(width: DraggedText.widest)
    show(text, theme.text, x: DraggedText.padding.x, y: DraggedText.padding.y)
  }

  /// Draws the selected text in wrapped lines.
  private func writeParagraphs(_ text: TextRenderer, _ color: Color, in box: Box) {
    text.wrap(width: box.width)
    pango_layout_set_ellipsize(text.layout, PANGO_ELLIPSIZE_END)
    pango_layout_set_height(text.layout, box.height.pangoUnits)
    show(text, color, x: box.x, y: box.y)
  }

  /// Draws wrapped lines from the top of a box. If the text does not fit, its end is at the bottom of the box, and the
  /// caller clips the lines above the box.
  func write(lastLines string: String, _ font: TextRenderer.Font, _ color: Color, in box: Box) {
    guard let text, box.width >= 1, box.height >= 1 else { return }
    let end = string.hasSuffix("\n") ? string.dropLast() : string[...]
    let last = String(String.UnicodeScalarView(end.unicodeScalars.suffix(LabelLimit.text.scalarCount)))
    text.select(last, font: font, limit: .text)
    text.wrap(width: box.width)
    let height = Double(pango: text.extents.height)
    show(text, color, x: box.x, y: min(box.y, (box.maxY - height).rounded()))
  }

  private func show(_ text: TextRenderer, _ color: Color, x: Double, y: Double) {
    color.set(on: cairo)
    cairo_move_to(cairo, x, y)
    pango_cairo_show_layout(cairo, text.layout)
  }
}

extension Scene.TextRun {
  /// Returns new attributes, whose range the caller sets.
  fileprivate func attributes(in theme: Theme) -> [UnsafeMutablePointer<PangoAttribute>] {
    var attributes: [UnsafeMutablePointer<PangoAttribute>?] = []
    if traits.contains(.bold) { attributes.append(pango_attr_weight_new(PANGO_WEIGHT_BOLD)) }
    if traits.contains(.italic) { attributes.append(pango_attr_style_new(PANGO_STYLE_ITALIC)) }
    if traits.contains(.underlined) { attributes.append(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE)) }
    if traits.contains(.struckThrough) { attributes.append(pango_attr_strikethrough_new(1)) }
    if traits.contains(.monospaced) { attributes.append(pango_attr_family_new("Monospace")) }
    if traits.contains(.link) { attributes.append(theme.accent.pangoForeground) }
    if let color = color.map(Color.init(hex:)), color.contrast(with: theme.card) >= Self.leastContrast {
      attributes.append(color.pangoForeground)
    }
    if size != 1 { attributes.append(pango_attr_scale_new(size)) }
    return attributes.compactMap(\.self)
  }

  /// The minimum contrast of text in the Web Content Accessibility Guidelines.
  private static let leastContrast = 4.5
}

extension Color {
  fileprivate var pangoForeground: UnsafeMutablePointer<PangoAttribute>? {
    func component(_ value: Double) -> UInt16 { UInt16((min(max(value, 0), 1) * 65_535).rounded()) }
    return pango_attr_foreground_new(component(red), component(green), component(blue))
  }
}

extension Double {
  fileprivate init(pango units: Int32) { self = Double(units) / Double(PANGO_SCALE) }

  fileprivate var pangoUnits: Int32 { Int32(clamping: Int(self * Double(PANGO_SCALE))) }
}

extension String {
  /// The text with joiners that prevent line breaks at hyphens as in `xdnd-source`, after a path's slash, and between a
  /// number and its unit.
  fileprivate var keepingTogether: String {
    var result = ""
    let characters = Array(self)
    for (index, character) in characters.enumerated() {
      let before = index > 0 ? characters[index - 1] : " "
      let after = index + 1 < characters.count ? characters[index + 1] : " "
      switch character {
      case " " where before.isNumber && after.isLetter: result += "\u{A0}"
      case "-" where !before.isWhitespace && !after.isWhitespace, "/" where !after.isWhitespace:
        result += "\(character)\u{2060}"
      default: result.append(character)
      }
    }
    return result
  }

  /// Undoes ``keepingTogether``.
  fileprivate var withoutJoiners: String {
    replacing("\u{A0}", with: " ").replacing("\u{2060}", with: "")
  }

  fileprivate var withoutTrailingSpaces: String { String(dropLast(reversed().prefix(while: \.isWhitespace).count)) }
}

/// Loads fontconfig's configuration and caches ahead of the first use of a font.
package enum FontPreparation {
  /// Starts loading on a separate thread and returns at once; later calls do nothing. Code that needs fonts earlier
  /// waits inside fontconfig for the load in progress.
  ///
  /// Call it as soon as a window is likely to be shown; ``ToolWindow/show()`` calls it at the latest.
  package static func begin() { _ = isStarted }

  /// `false` if no thread can be started: the fonts are then loaded on first use. The thread is niced because the main
  /// thread creates the window meanwhile: on two processors, the server would otherwise wait for this thread's time
  /// slice.
  private static let isStarted = (try? DetachedThread.start(niceness: 5) { FcInit() }) != nil
}
