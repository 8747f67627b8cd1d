internal import XDnDLoadedLibraries

/// Cairo surfaces over pixels in memory: premultiplied 0xAARRGGBB, row by row from the top.
enum ImageSurface {
  /// Returns what is drawn on a transparent surface; `nil` if cairo cannot make one of this size.
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

  /// Calls `body` with a surface over the bytes, which is valid during the call; returns whether there is one.
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
