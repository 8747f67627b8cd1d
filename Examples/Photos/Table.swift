import XDnDX11
import XDnD

/// The window that shows the photos in rows.
struct Table {
  let window: Window
  /// The photos' frames, in pixels from the window's upper-left corner.
  let frames: [Rect]

  private static let ground: UInt = 0xE9_EA_EE

  init(photos: [Photo], columns: Int, scale: Double, on display: OpaquePointer) {
    let gap = Int(18 * scale)
    let (width, height) = (photos[0].width, photos[0].height)
    frames = photos.indices.map { index in
      Rect(
        x: gap + index % columns * (width + gap), y: gap + index / columns * (height + gap), width: width,
        height: height)
    }
    let rows = (photos.count + columns - 1) / columns
    let size = (width: gap + columns * (width + gap), height: gap + rows * (height + gap) + gap)
    let root = XDefaultRootWindow(display)
    window = XCreateSimpleWindow(
      display, root, 0, 0, UInt32(size.width), UInt32(size.height), 0, 0, Self.ground)
    XStoreName(display, window, "Photos")

    // The contents are the window's background, which the server paints by itself.
    let depth = UInt32(XDefaultDepth(display, XDefaultScreen(display)))
    let picture = XCreatePixmap(display, root, UInt32(size.width), UInt32(size.height), depth)
    let context = XCreateGC(display, picture, 0, nil)
    XSetForeground(display, context, Self.ground)
    XFillRectangle(display, picture, context, 0, 0, UInt32(size.width), UInt32(size.height))
    for (photo, frame) in zip(photos, frames) {
      var pixels = photo.pixels
      pixels.withUnsafeMutableBytes { bytes in
        guard
          let image = XCreateImage(
            display, XDefaultVisual(display, XDefaultScreen(display)), depth, ZPixmap, 0,
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(photo.width), UInt32(photo.height), 32, 0)
        else { return }
        image.pointee.byte_order = Int32(1.littleEndian == 1 ? LSBFirst : MSBFirst)
        XPutImage(
          display, picture, context, image, 0, 0, Int32(frame.origin.x), Int32(frame.origin.y), UInt32(photo.width),
          UInt32(photo.height))
        // Swift owns the pixels.
        image.pointee.data = nil
        XFree(image)
      }
    }
    XSetWindowBackgroundPixmap(display, window, picture)
    XFreeGC(display, context)
    XFreePixmap(display, picture)
  }

  /// The index of the photo at a point in the window.
  func photo(at place: Point) -> Int? { frames.firstIndex { $0.contains(place) } }
}
