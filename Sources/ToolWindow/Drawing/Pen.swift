internal import XDnDLoadedLibraries

/// Draws shapes and pictures with cairo, and text with pango, in logical pixels.
struct Pen {
  indirect enum Shape {
    case rectangle(Box)
    case rounded(Box, Double)
    /// Closed.
    case polygon([(x: Double, y: Double)])
    /// Open.
    case line([(x: Double, y: Double)])
    /// One path of rectangles and polygons, filled by the nonzero winding rule.
    case compound([Shape])

    static func circle(_ x: Double, _ y: Double, radius: Double) -> Shape {
      .rounded(Box(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius), radius)
    }
  }

  let theme: Theme
  /// Device pixels per logical pixel.
  let scale: Double
  /// `nil` if there are no fonts.
  let text: TextRenderer?
  /// Finds the icons of rows; if `nil`, only symbols are drawn.
  let icons: IconStore?
  let cairo: OpaquePointer

  /// Scales the surface from device pixels to logical ones while `body` draws.
  func scaled(_ body: () -> Void) {
    saved {
      cairo_scale(cairo, scale, scale)
      body()
    }
  }

  // MARK: Shapes

  func fill(_ color: Color) {
    color.set(on: cairo)
    cairo_paint(cairo)
  }

  func fill(_ shape: Shape, _ color: Color, alpha: Double = 1) {
    trace(shape)
    color.set(on: cairo, alpha: alpha)
    cairo_fill(cairo)
  }

  func stroke(_ shape: Shape, _ color: Color, alpha: Double = 1, width: Double) {
    trace(shape)
    color.set(on: cairo, alpha: alpha)
    cairo_set_line_width(cairo, width)
    cairo_stroke(cairo)
  }

  /// Draws a line along the inner edge of a rounded rectangle.
  func border(_ box: Box, radius: Double, _ color: Color, width: Double = 1) {
    stroke(.rounded(box.inset(dx: width / 2, dy: width / 2), radius - width / 2), color, width: width)
  }

  /// Draws a faint line of one device pixel along the inner edge of a picture, so that a white one stands out from a
  /// white background.
  func hairline(around box: Box) {
    stroke(.rounded(box.inset(dx: 0.5 / scale, dy: 0.5 / scale), 0), theme.text, alpha: 0.18, width: 1 / scale)
  }

  func card(_ box: Box, radius: Double = SceneLayout.cornerRadius, ground: Color? = nil, border: Color? = nil) {
    fill(.rounded(box, radius), ground ?? theme.card)
    self.border(box, radius: radius, border ?? theme.border)
  }

  /// - Parameter box: The rectangle around the shape.
  func checkerboard(_ shape: Shape, in box: Box) {
    let side = min(8.0, max(3, box.width / 8))
    let (columns, rows) = (Int((box.width / side).rounded(.up)), Int((box.height / side).rounded(.up)))
    let squares = (0..<max(0, rows)).flatMap { row in
      stride(from: row % 2, to: columns, by: 2).map { column in
        Shape.rectangle(
          Box(x: box.x + Double(column) * side, y: box.y + Double(row) * side, width: side, height: side))
      }
    }
    clip(to: shape) {
      fill(Color(0xFFFFFF))
      fill(.compound(squares), Color(0xD4D4D8))
    }
  }

  /// Draws a color, over a checkerboard if it is translucent.
  func swatch(_ color: Color, alpha: Double, in box: Box, radius: Double = 8) {
    let shape = Shape.rounded(box, radius)
    if alpha < 1 { checkerboard(shape, in: box) }
    fill(shape, color, alpha: alpha)
    border(box, radius: radius, theme.border)
  }

  private func trace(_ shape: Shape) {
    cairo_new_path(cairo)
    add(shape)
  }

  private func add(_ shape: Shape) {
    switch shape {
    case .rectangle(let box): cairo_rectangle(cairo, box.x, box.y, box.width, box.height)
    case .rounded(let box, let radius):
      let radius = max(0, min(radius, box.width / 2, box.height / 2))
      let quarter = Double.pi / 2
      cairo_arc(cairo, box.maxX - radius, box.y + radius, radius, -quarter, 0)
      cairo_arc(cairo, box.maxX - radius, box.maxY - radius, radius, 0, quarter)
      cairo_arc(cairo, box.x + radius, box.maxY - radius, radius, quarter, 2 * quarter)
      cairo_arc(cairo, box.x + radius, box.y + radius, radius, 2 * quarter, 3 * quarter)
      cairo_close_path(cairo)
    case .polygon(let points):
      add(.line(points))
      cairo_close_path(cairo)
    case .line(let points):
      guard let first = points.first else { return }
      cairo_move_to(cairo, first.x, first.y)
      for point in points.dropFirst() { cairo_line_to(cairo, point.x, point.y) }
    case .compound(let shapes): for shape in shapes { add(shape) }
    }
  }

  // MARK: State of the surface

  func clip(to shape: Shape, _ body: () -> Void) {
    saved {
      trace(shape)
      cairo_clip(cairo)
      body()
    }
  }

  /// Draws on a grid that has a number of units along each side of a box. Lines have round ends and corners.
  func onGrid(of units: Double, in box: Box, _ body: () -> Void) {
    saved {
      cairo_translate(cairo, box.x, box.y)
      cairo_scale(cairo, box.width / units, box.height / units)
      cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
      cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
      body()
    }
  }

  /// Draws with the origin moved to a point, and rotated clockwise.
  func rotated(by angle: Double, aroundX x: Double, y: Double, _ body: () -> Void) {
    saved {
      cairo_translate(cairo, x, y)
      cairo_rotate(cairo, angle)
      body()
    }
  }

  /// Draws several things as one translucent layer.
  func layer(alpha: Double, _ body: () -> Void) {
    cairo_push_group(cairo)
    body()
    cairo_pop_group_to_source(cairo)
    cairo_paint_with_alpha(cairo, alpha)
  }

  private func saved(_ body: () -> Void) {
    cairo_save(cairo)
    body()
    cairo_restore(cairo)
  }

  // MARK: Pictures

  /// Draws a picture in the middle of a box, scaled down to fit but never up.
  ///
  /// - Parameter hasCheckerboard: Whether transparent areas show a checkerboard.
  /// - Returns: The rectangle of the picture; `nil` if there is no space for it.
  @discardableResult
  func draw(_ picture: Picture, in box: Box, hasCheckerboard: Bool) -> Box? {
    let (width, height) = (Double(picture.size.width) / scale, Double(picture.size.height) / scale)
    let factor = min(1, box.width / width, box.height / height)
    guard factor > 0 else { return nil }
    // Whole device pixels: a picture that needs no scaling stays sharp.
    let place = Box(
      x: ((box.x + (box.width - width * factor) / 2) * scale).rounded() / scale,
      y: ((box.y + (box.height - height * factor) / 2) * scale).rounded() / scale, width: width * factor,
      height: height * factor)
    if hasCheckerboard { checkerboard(.rectangle(place), in: place) }
    draw(picture, filling: place)
    return place
  }

  /// Draws a picture scaled to fill a box.
  func draw(_ picture: Picture, filling place: Box) {
    picture.pixels.withUnsafeBytes { pixels in
      // Cairo only reads from a source surface.
      _ = ImageSurface.with(UnsafeMutableRawBufferPointer(mutating: pixels), size: picture.size) { surface in
        saved {
          cairo_translate(cairo, place.x, place.y)
          cairo_scale(cairo, place.width / Double(picture.size.width), place.height / Double(picture.size.height))
          cairo_set_source_surface(cairo, surface, 0, 0)
          cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_GOOD)
          cairo_paint(cairo)
        }
      }
    }
  }
}

/// Cairo surfaces over pixels in memory: premultiplied 0xAARRGGBB, row by row from the top.
enum ImageSurface {
  /// Draws on a transparent surface, and returns its pixels; `nil` if cairo cannot make a surface of this size.
  static func pixels(size: PixelSize, draw: (_ cairo: OpaquePointer) -> Void) -> [UInt32]? {
    var pixels = [UInt32](repeating: 0, count: size.width * size.height)
    let isDrawn = pixels.withUnsafeMutableBytes { bytes in
      with(bytes, size: size) { surface in
        let cairo = cairo_create(surface)
        if let cairo { draw(cairo) }
        cairo_destroy(cairo)
      }
    }
    return isDrawn ? pixels : nil
  }

  /// Calls `body` with a surface over the bytes, which is valid during the call. Returns whether cairo could make the
  /// surface.
  static func with(
    _ bytes: UnsafeMutableRawBufferPointer, size: PixelSize, _ body: (OpaquePointer) -> Void
  ) -> Bool {
    let surface = cairo_image_surface_create_for_data(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(clamping: size.width),
      Int32(clamping: size.height), Int32(clamping: 4 * size.width))
    // A cairo context of an X window may still reference the surface.
    defer {
      cairo_surface_finish(surface)
      cairo_surface_destroy(surface)
    }
    guard let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { return false }
    body(surface)
    return true
  }
}
