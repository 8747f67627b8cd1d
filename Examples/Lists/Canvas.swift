import XDnDLoadedLibraries
import XDnDX11
import XDnD

/// The surfaces of the window and of drag images.
final class Canvas {
  /// Device pixels per point.
  private let scale: Double
  private let surface: OpaquePointer?
  private let context = pango_font_map_create_context(pango_cairo_font_map_get_default())
  private let layout: OpaquePointer?

  init(_ display: OpaquePointer, _ window: Window, width: Int, height: Int, scale: Double) {
    self.scale = scale
    surface = cairo_xlib_surface_create(
      display, window, XDefaultVisual(display, XDefaultScreen(display)), Int32(width), Int32(height))
    layout = pango_layout_new(context)
    pango_layout_set_single_paragraph_mode(layout, 1)
  }

  /// Draws the window, which shows the drawing when it is complete.
  func draw(_ body: (Pen) -> Void) {
    draw(on: surface) { pen in
      cairo_push_group(pen.cairo)
      body(pen)
      cairo_pop_group_to_source(pen.cairo)
      cairo_paint(pen.cairo)
    }
    cairo_surface_flush(surface)
  }

  /// Draws an image on a transparent ground.
  func image(width: Int, height: Int, _ body: (Pen) -> Void) -> Bitmap? {
    let (width, height) = (Int(Double(width) * scale), Int(Double(height) * scale))
    var pixels = [UInt32](repeating: 0, count: width * height)
    pixels.withUnsafeMutableBytes { bytes in
      let image = cairo_image_surface_create_for_data(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(width), Int32(height),
        Int32(4 * width))
      draw(on: image, body)
      cairo_surface_destroy(image)
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  /// The width of a line of text.
  func width(of text: String, _ font: Font) -> Int {
    font.lay(out: text, in: layout)
    var extents = PangoRectangle()
    pango_layout_get_extents(layout, nil, &extents)
    return Int((Double(extents.width) / Double(PANGO_SCALE)).rounded(.up))
  }

  private func draw(on surface: OpaquePointer?, _ body: (Pen) -> Void) {
    guard let cairo = cairo_create(surface) else { return }
    cairo_scale(cairo, scale, scale)
    pango_cairo_update_context(cairo, context)
    pango_layout_context_changed(layout)
    body(Pen(cairo: cairo, layout: layout))
    cairo_destroy(cairo)
  }
}

/// Draws shapes with cairo and text with pango, in points.
struct Pen {
  fileprivate let cairo: OpaquePointer
  fileprivate let layout: OpaquePointer?

  func fill(_ frame: Rect, _ color: Color, radius: Int = 0) {
    trace(frame, inset: 0, radius: radius)
    color.select(on: cairo)
    cairo_fill(cairo)
  }

  /// Draws a line along the inner edge of a frame.
  func outline(_ frame: Rect, _ color: Color, radius: Int, width: Double = 1) {
    trace(frame, inset: width / 2, radius: radius)
    color.select(on: cairo)
    cairo_set_line_width(cairo, width)
    cairo_stroke(cairo)
  }

  /// Draws a line of text in the middle of the height, shortened to the width.
  func write(_ text: String, _ font: Font, _ color: Color, in frame: Rect) {
    font.lay(out: text, in: layout, width: frame.width)
    color.select(on: cairo)
    // Capital letters are about 0.72 of the size high.
    let baseline = (Double(frame.middle.y) + 0.36 * font.size).rounded()
    let ascent = Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE)
    cairo_move_to(cairo, Double(frame.origin.x), baseline - ascent)
    pango_cairo_show_layout(cairo, layout)
  }

  func clipped(to frame: Rect, radius: Int, _ body: () -> Void) {
    cairo_save(cairo)
    trace(frame, inset: 0, radius: radius)
    cairo_clip(cairo)
    body()
    cairo_restore(cairo)
  }

  private func trace(_ frame: Rect, inset: Double, radius: Int) {
    let (left, top) = (Double(frame.origin.x) + inset, Double(frame.origin.y) + inset)
    let (right, bottom) = (Double(frame.maxX) - inset, Double(frame.maxY) - inset)
    let radius = max(0, min(Double(radius) - inset, (right - left) / 2, (bottom - top) / 2))
    let quarter = Double.pi / 2
    cairo_new_path(cairo)
    cairo_arc(cairo, right - radius, top + radius, radius, -quarter, 0)
    cairo_arc(cairo, right - radius, bottom - radius, radius, 0, quarter)
    cairo_arc(cairo, left + radius, bottom - radius, radius, quarter, 2 * quarter)
    cairo_arc(cairo, left + radius, top + radius, radius, 2 * quarter, 3 * quarter)
    cairo_close_path(cairo)
  }
}

enum Font {
  case title, body, small

  fileprivate var size: Double {
    switch self {
    case .title: 15
    case .body: 14
    case .small: 12
    }
  }

  /// Puts a line of text into a layout, shortened if it is wider than the room.
  fileprivate func lay(out text: String, in layout: OpaquePointer?, width: Int? = nil) {
    let description = pango_font_description_new()
    pango_font_description_set_family(description, "Sans")
    pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
    if self == .title { pango_font_description_set_weight(description, PANGO_WEIGHT_BOLD) }
    pango_layout_set_font_description(layout, description)
    pango_font_description_free(description)
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    pango_layout_set_width(layout, width.map { Int32($0) * Int32(PANGO_SCALE) } ?? -1)
    // Dropped text may have lines of any length.
    pango_layout_set_text(layout, String(text.prefix(200)), -1)
  }
}

/// `0xRRGGBB` as a literal.
struct Color: ExpressibleByIntegerLiteral {
  let hex: UInt32
  private var opacity = 1.0

  init(integerLiteral hex: UInt32) { self.hex = hex }

  func opacity(_ opacity: Double) -> Color {
    var color = self
    color.opacity = opacity
    return color
  }

  fileprivate func select(on cairo: OpaquePointer) {
    let parts = [16, 8, 0].map { Double(hex >> $0 & 0xFF) / 255 }
    cairo_set_source_rgba(cairo, parts[0], parts[1], parts[2], opacity)
  }
}
