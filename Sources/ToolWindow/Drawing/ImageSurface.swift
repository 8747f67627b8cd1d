internal import CPangoCairo

/// An off-screen cairo surface in memory.
enum ImageSurface {
  /// - Returns: Premultiplied 0xAARRGGBB; `nil` if the memory could not be allocated.
  static func pixels(size: PixelSize, draw: (OpaquePointer) -> Void) -> [UInt32]? {
    let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let cairo = cairo_create(surface) else { return nil }
    draw(cairo)
    cairo_destroy(cairo)
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    for line in 0..<size.height {
      let row = UnsafeRawPointer(data + line * stride).assumingMemoryBound(to: UInt32.self)
      pixels += UnsafeBufferPointer(start: row, count: size.width)
    }
    return pixels
  }
}
