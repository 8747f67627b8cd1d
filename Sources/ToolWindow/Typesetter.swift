internal import CPangoCairo

/// Draws single lines of text with pango, in whatever scripts they are.
///
/// One layout object serves all lines. Coordinates are logical pixels; the cairo context carries the scale.
final class Typesetter {
  enum Font: Hashable {
    case title
    case body
    case small
    case monospaced

    /// In logical pixels.
    var size: Double {
      switch self {
      case .title: 15
      case .body: 14
      case .small: 12
      case .monospaced: 13
      }
    }
  }

  enum Alignment {
    case start
    case center
    case end
  }

  enum Ellipsis {
    /// For file names and paths, whose ends tell most.
    case middle
    case end
  }

  struct LoadedFont {
    let description: OpaquePointer
    let ascent: Double
    let descent: Double
  }

  private let context: OpaquePointer
  let layout: OpaquePointer
  private var fonts: [Font: LoadedFont] = [:]

  /// `nil` if pango has no font map, that is without any font backend.
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
    // Names may have line breaks: they show as a sign.
    pango_layout_set_single_paragraph_mode(layout, 1)
  }

  deinit {
    for font in fonts.values {
      pango_font_description_free(font.description)
    }
    g_object_unref(UnsafeMutableRawPointer(layout))
    g_object_unref(UnsafeMutableRawPointer(context))
  }

  /// Takes scale and font options over from the surface that will be drawn on.
  ///
  /// - Parameter scale: How many device pixels a logical one has. Only if it is 1 do glyphs look better at whole
  ///   logical pixels; otherwise that tears words apart.
  func prepare(for cairo: OpaquePointer, scale: Double) {
    pango_context_set_round_glyph_positions(context, scale == 1 ? 1 : 0)
    pango_cairo_update_context(cairo, context)
    pango_layout_context_changed(layout)
  }

  /// Whether only text in the ``Font/body`` is drawn: each font has to be looked for among all that there are, and that of the
  /// names is enough to begin with.
  var isHasty = false

  /// How wide a text would be; nothing for what is not drawn in haste.
  func width(of text: String, font: Font) -> Double {
    guard !isHasty || font == .body else { return 0 }
    select(text, font: font)
    pango_layout_set_width(layout, -1)
    return extents().width
  }

  /// Draws a line, vertically centered in a box and cut to its width. All lines of a font in boxes of the same height
  /// have the same baseline, whatever scripts they are in.
  func draw(
    _ text: String, font: Font, color: Color, in box: Box, alignment: Alignment = .start, ellipsis: Ellipsis = .end,
    on cairo: OpaquePointer
  ) {
    guard !text.isEmpty, box.width >= 1, !isHasty || font == .body else { return }
    let loaded = select(text, font: font)
    pango_layout_set_ellipsize(layout, ellipsis == .middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END)
    pango_layout_set_width(layout, Int32(clamping: Int(box.width * Double(PANGO_SCALE))))
    let (start, width) = extents()
    let x =
      switch alignment {
      case .start: box.x
      case .center: box.x + (box.width - width) / 2
      case .end: box.maxX - width
      }
    let baseline = box.midY + (loaded.ascent - loaded.descent) / 2
    var (deviceX, deviceY) = (x - start, baseline)
    cairo_user_to_device(cairo, &deviceX, &deviceY)
    deviceY.round()
    cairo_device_to_user(cairo, &deviceX, &deviceY)
    color.set(on: cairo)
    cairo_move_to(cairo, deviceX, deviceY - Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE))
    pango_cairo_show_layout(cairo, layout)
  }

  /// Makes a text that of the layout. All text that is measured or drawn comes by here.
  ///
  /// - Parameter limit: How much of it is laid out; `nil` for text that keeps the limits by itself.
  @discardableResult
  func select(_ text: String, font: Font, limit: LabelLimit? = .line) -> LoadedFont {
    let loaded = load(font)
    pango_layout_set_font_description(layout, loaded.description)
    pango_layout_set_text(layout, limit.map { text.clipped(to: $0) } ?? text, -1)
    return loaded
  }

  /// Where the line begins and how wide it is. Pango puts text from right to left at the far end of the layout; here
  /// the caller decides about alignment, and subtracts the beginning.
  func extents() -> (start: Double, width: Double) {
    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    return (Double(logical.x) / Double(PANGO_SCALE), Double(logical.width) / Double(PANGO_SCALE))
  }

  private func load(_ font: Font) -> LoadedFont {
    if let known = fonts[font] {
      return known
    }
    guard let description = pango_font_description_new() else {
      preconditionFailure("pango_font_description_new returns no null")
    }
    // The call that copies: the pointer to a Swift string is good for the call alone.
    pango_font_description_set_family(description, font == .monospaced ? "Monospace" : "Sans")
    pango_font_description_set_absolute_size(description, font.size * Double(PANGO_SCALE))
    if font == .title {
      pango_font_description_set_weight(description, PANGO_WEIGHT_BOLD)
    }
    // Of letters that have been laid out: what pango says of the font itself is divided by the scale of the surface.
    pango_layout_set_font_description(layout, description)
    pango_layout_set_text(layout, "Ag", -1)
    pango_layout_set_width(layout, -1)
    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    let ascent = Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE)
    let loaded = LoadedFont(
      description: description, ascent: ascent, descent: Double(logical.height) / Double(PANGO_SCALE) - ascent)
    fonts[font] = loaded
    return loaded
  }
}

extension Color {
  /// Makes it what cairo draws with.
  func set(on cairo: OpaquePointer) {
    cairo_set_source_rgb(cairo, red, green, blue)
  }
}
