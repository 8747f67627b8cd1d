public import XDnD
import XDnDLoadedLibraries

/// The canvas of a drag image: see `DragImage.init(width:height:scale:hotspot:draw:)`. Valid only during that call.
///
/// Lengths and positions are in points from the upper left corner.
public final class Canvas {
  /// The width, in points.
  public let width: Double
  /// The height, in points.
  public let height: Double
  private let cairo: OpaquePointer

  fileprivate init(_ cairo: OpaquePointer, width: Double, height: Double) {
    self.cairo = cairo
    self.width = width
    self.height = height
  }

  /// Fills a rectangle, whose corners may be rounded.
  public func fill(x: Double, y: Double, width: Double, height: Double, with color: Color, cornerRadius: Double = 0) {
    let radius = max(0, min(cornerRadius, width / 2, height / 2))
    let (left, top, right, bottom) = (x + radius, y + radius, x + width - radius, y + height - radius)
    let quarter = Double.pi / 2
    cairo_new_path(cairo)
    cairo_arc(cairo, right, top, radius, -quarter, 0)
    cairo_arc(cairo, right, bottom, radius, 0, quarter)
    cairo_arc(cairo, left, bottom, radius, quarter, 2 * quarter)
    cairo_arc(cairo, left, top, radius, 2 * quarter, 3 * quarter)
    cairo_close_path(cairo)
    setSource(color)
    cairo_fill(cairo)
  }

  /// Fills the whole canvas, whose corners may be rounded.
  public func fill(with color: Color, cornerRadius: Double = 0) {
    fill(x: 0, y: 0, width: width, height: height, with: color, cornerRadius: cornerRadius)
  }

  /// Draws one line of text, vertically centered in the canvas. Text that does not fit ends in an ellipsis.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - x: The left edge of the text.
  ///   - width: The maximum width; `nil` for the rest of the canvas.
  ///   - color: The color of the text; black by default.
  ///   - size: The font size, in points.
  ///   - font: The font's family; by default the desktop's sans-serif font.
  ///   - isBold: Whether the font is bold.
  public func draw(
    _ text: String, x: Double, width: Double? = nil, color: Color = Color(red: 0, green: 0, blue: 0), size: Double = 14,
    font: String = "Sans", isBold: Bool = false
  ) {
    guard let map = pango_cairo_font_map_get_default(), let context = pango_font_map_create_context(map) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(context)) }
    pango_cairo_update_context(cairo, context)
    guard let layout = pango_layout_new(context), let description = pango_font_description_new() else { return }
    defer {
      pango_font_description_free(description)
      g_object_unref(UnsafeMutableRawPointer(layout))
    }
    let unit = Double(PANGO_SCALE)
    pango_font_description_set_family(description, font)
    pango_font_description_set_absolute_size(description, size * unit)
    if isBold { pango_font_description_set_weight(description, PANGO_WEIGHT_BOLD) }
    pango_layout_set_font_description(layout, description)
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_width(layout, Int32(clamping: Int(max(0, width ?? self.width - x) * unit)))
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    pango_layout_set_text(layout, text, -1)
    var extents = PangoRectangle()
    pango_layout_get_extents(layout, nil, &extents)
    setSource(color)
    cairo_move_to(cairo, x, (height - Double(extents.height) / unit) / 2)
    pango_cairo_show_layout(cairo, layout)
  }

  /// Draws a picture, scaled to a rectangle.
  public func draw(_ picture: Bitmap, x: Double, y: Double, width: Double, height: Double) {
    guard !picture.isEmpty else { return }
    var pixels = picture.pixels
    withSurface(over: &pixels, width: picture.width, height: picture.height) { surface in
      cairo_save(cairo)
      cairo_translate(cairo, x, y)
      cairo_scale(cairo, width / Double(picture.width), height / Double(picture.height))
      cairo_set_source_surface(cairo, surface, 0, 0)
      cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_GOOD)
      cairo_paint(cairo)
      cairo_restore(cairo)
    }
  }

  private func setSource(_ color: Color) {
    func share(_ component: UInt16) -> Double { Double(component) / Double(UInt16.max) }
    cairo_set_source_rgba(cairo, share(color.red), share(color.green), share(color.blue), share(color.alpha))
  }
}

@available(*, unavailable)
extension Canvas: Sendable {}

extension DragImage {
  /// Draws an image: rectangles, text and pictures.
  ///
  /// ```swift
  /// let image = DragImage(width: 160, height: 32) { canvas in
  ///   canvas.fill(with: yellow, cornerRadius: 6)
  ///   canvas.draw("3 invoices", x: 10)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - width: The width, in points.
  ///   - height: The height, in points.
  ///   - scale: Device pixels per point: `DragAndDrop.desktopAppearance` has the desktop's.
  ///   - hotspot: Where the pointer holds the image, in device pixels; see `DragImage.hotspot`.
  ///   - draw: Draws the image. Called immediately.
  /// - Returns: The image; `nil` without cairo and pango (`libpangocairo-1.0.so.0`), or if a side is not positive, or
  ///   longer than 32 767 device pixels.
  public init?(width: Double, height: Double, scale: Double = 1, hotspot: Point? = nil, draw: (Canvas) -> Void) {
    let (columns, rows) = ((width * scale).rounded(.up), (height * scale).rounded(.up))
    guard XDnDHasDrawing() != 0, columns > 0, rows > 0, columns < 32_768, rows < 32_768 else { return nil }
    var pixels = [UInt32](repeating: 0, count: Int(columns) * Int(rows))
    withSurface(over: &pixels, width: Int(columns), height: Int(rows)) { surface in
      guard let cairo = cairo_create(surface) else { return }
      cairo_scale(cairo, scale, scale)
      draw(Canvas(cairo, width: width, height: height))
      cairo_destroy(cairo)
    }
    guard let bitmap = Bitmap(width: Int(columns), height: Int(rows), pixels: pixels) else { return nil }
    self.init(bitmap, hotspot: hotspot)
  }
}

extension Bitmap {
  /// Decodes a PNG image.
  ///
  /// - Returns: The image; `nil` without cairo and pango, if the bytes are not a PNG, or if the image has more than 64
  ///   million pixels or a side longer than 32 767 pixels.
  public init?(png bytes: [UInt8]) {
    guard XDnDHasDrawing() != 0, Self.isModest(bytes) else { return nil }
    var rest = bytes[...]
    let decoded = withUnsafeMutablePointer(to: &rest) { rest in
      cairo_image_surface_create_from_png_stream(
        { closure, bytes, count in
          guard let rest = closure?.assumingMemoryBound(to: ArraySlice<UInt8>.self), let bytes,
            rest.pointee.count >= Int(count)
          else { return CAIRO_STATUS_READ_ERROR }
          let part = UnsafeMutableBufferPointer(start: bytes, count: Int(count))
          _ = part.update(fromContentsOf: rest.pointee.prefix(Int(count)))
          rest.pointee.removeFirst(Int(count))
          return CAIRO_STATUS_SUCCESS
        }, rest)
    }
    guard let decoded else { return nil }
    defer { cairo_surface_destroy(decoded) }
    guard cairo_surface_status(decoded) == CAIRO_STATUS_SUCCESS else { return nil }
    let width = Int(cairo_image_surface_get_width(decoded)), height = Int(cairo_image_surface_get_height(decoded))
    var pixels = [UInt32](repeating: 0, count: width * height)
    withSurface(over: &pixels, width: width, height: height) { surface in
      guard let cairo = cairo_create(surface) else { return }
      cairo_set_source_surface(cairo, decoded, 0, 0)
      cairo_paint(cairo)
      cairo_destroy(cairo)
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// Whether the size in the image's header is acceptable: a few bytes can encode gigabytes of one color.
  private static func isModest(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 24 else { return false }
    func side(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (side(at: 16), side(at: 20))
    return width < 32_768 && height < 32_768 && width * height <= 64_000_000
  }
}

/// Calls `body` with a surface over pixels, which is valid during the call.
private func withSurface(over pixels: inout [UInt32], width: Int, height: Int, _ body: (OpaquePointer) -> Void) {
  pixels.withUnsafeMutableBytes { bytes in
    let surface = cairo_image_surface_create_for_data(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(width), Int32(height),
      Int32(4 * width))
    guard let surface else { return }
    if cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS { body(surface) }
    cairo_surface_finish(surface)
    cairo_surface_destroy(surface)
  }
}
