import XDnDX11

/// A visual with its depth and pixel format; converts between bitmaps and drawables.
struct WindowVisual {
  let pointer: UnsafeMutablePointer<Visual>
  let depth: Int
  let format: PixelFormat

  /// The best visual for the drag image: depth 32 with alpha, otherwise the screen's default depth. `nil` without
  /// XFixes 2 or without such a `TrueColor` visual.
  init?(_ display: DisplayHandle) {
    // Xlib knows the version and the visuals since the start.
    let found = display.request(onError: .swallow) { x -> WindowVisual? in
      var (major, minor): (Int32, Int32) = (0, 0)
      guard XFixesQueryVersion(x, &major, &minor) != 0, major >= 2 else { return nil }
      let screen = XDefaultScreen(x)
      for depth in [32, XDefaultDepth(x, screen)] {
        var info = XVisualInfo()
        guard XMatchVisualInfo(x, screen, depth, TrueColor, &info) != 0, let visual = WindowVisual(info) else {
          continue
        }
        return visual
      }
      return nil
    }
    guard let found = found ?? nil else { return nil }
    self = found
  }

  private init?(_ info: XVisualInfo) {
    guard let pointer = info.visual else { return nil }
    self.init(pointer, depth: Int(info.depth))
  }

  /// A window's visual; `nil` if its pixels are indexes into a colormap.
  init?(_ pointer: UnsafeMutablePointer<Visual>, depth: Int) {
    let visual = pointer.pointee
    let format = PixelFormat(
      red: UInt32(truncatingIfNeeded: visual.red_mask), green: UInt32(truncatingIfNeeded: visual.green_mask),
      blue: UInt32(truncatingIfNeeded: visual.blue_mask), depth: depth)
    guard let format else { return nil }
    self.pointer = pointer
    self.depth = depth
    self.format = format
  }

  /// Draws a bitmap into a drawable of this depth. Xlib splits it into requests of the size that the server accepts,
  /// and swaps bytes if the server's byte order differs.
  func put(_ bitmap: Bitmap, on drawable: Drawable, _ x: OpaquePointer) {
    let (width, height) = (UInt32(bitmap.width), UInt32(bitmap.height))
    guard let image = XCreateImage(x, pointer, UInt32(depth), ZPixmap, 0, nil, width, height, 32, 0) else { return }
    defer { _ = image.pointee.f.destroy_image(image) }
    let gc = XCreateGC(x, drawable, 0, nil)
    defer { XFreeGC(x, gc) }
    func send(_ data: UnsafeMutablePointer<CChar>?) {
      image.pointee.data = data
      XPutImage(x, drawable, gc, image, 0, 0, 0, 0, width, height)
      // Swift owns the data: `destroy_image` must not free it.
      image.pointee.data = nil
    }
    // Pixels are in this machine's byte order, whatever the server's is.
    image.pointee.byte_order = Self.ownByteOrder
    guard XInitImage(image) != 0 else { return }
    if image.pointee.bits_per_pixel == 32 {
      var pixels = format.isNative ? bitmap.pixels : bitmap.pixels.map(format.pixel)
      pixels.withUnsafeMutableBytes { send($0.bindMemory(to: CChar.self).baseAddress) }
      return
    }
    var bytes = [CChar](repeating: 0, count: Int(image.pointee.bytes_per_line) * bitmap.height)
    bytes.withUnsafeMutableBufferPointer { buffer in
      image.pointee.data = buffer.baseAddress
      for (index, pixel) in bitmap.pixels.enumerated() {
        let (row, column) = index.quotientAndRemainder(dividingBy: bitmap.width)
        _ = image.pointee.f.put_pixel(image, Int32(column), Int32(row), UInt(format.pixel(pixel)))
      }
      send(buffer.baseAddress)
    }
  }

  /// Converts an image that was read from a drawable of this visual.
  func bitmap(_ image: UnsafeMutablePointer<XImage>) -> Bitmap? {
    let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let pixel = image.pointee.f.get_pixel(image, Int32(column), Int32(row))
        pixels.append(format.color(UInt32(truncatingIfNeeded: pixel)))
      }
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  private static let ownByteOrder = 1.littleEndian == 1 ? LSBFirst : MSBFirst
}
