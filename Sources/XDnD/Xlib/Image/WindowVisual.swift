import XDnDX11

/// A visual with its depth and pixel format; converts between bitmaps and drawables.
struct WindowVisual {
  let pointer: UnsafeMutablePointer<Visual>
  let depth: Int
  let format: PixelFormat

  /// The best visual for the drag image: depth 32 with alpha, otherwise the screen's default depth. `nil` without
  /// XFixes 2 or without such a `TrueColor` visual.
  init?(_ display: DisplayHandle) {
    // Without a round trip: Xlib already knows the version and the visuals.
    let found = display.request(onError: .swallow) { x -> WindowVisual? in
      var (major, minor): (Int32, Int32) = (0, 0)
      guard XFixesQueryVersion(x, &major, &minor) != 0, major >= 2 else { return nil }
      let screen = XDefaultScreen(x)
      for depth in [32, XDefaultDepth(x, screen)] {
        var info = XVisualInfo()
        if XMatchVisualInfo(x, screen, depth, TrueColor, &info) != 0, let pointer = info.visual,
          let visual = WindowVisual(pointer, depth: Int(info.depth))
        {
          return visual
        }
      }
      return nil
    }
    guard let found = found ?? nil else { return nil }
    self = found
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

/// The bit positions of red, green, blue and, if present, alpha in a visual's pixels.
struct PixelFormat: Equatable {
  private let red: Channel
  private let green: Channel
  private let blue: Channel
  private let alpha: Channel?

  /// A contiguous group of bits in a pixel.
  private struct Channel: Equatable {
    var shift: UInt32
    /// The maximum value.
    var top: UInt32

    init?(mask: UInt32) {
      guard mask != 0 else { return nil }
      shift = UInt32(mask.trailingZeroBitCount)
      top = mask >> shift
      guard top & (top &+ 1) == 0, top <= 0xFFFF else { return nil }
    }

    /// Scales a value of 0 to 255 to this channel, and shifts it into position.
    func place(_ value: UInt32) -> UInt32 { (top == 255 ? value : (value * top + 127) / 255) << shift }

    /// Extracts this channel's value, scaled to 0 to 255.
    func value(in pixel: UInt32) -> UInt32 {
      let value = pixel >> shift & top
      return top == 255 ? value : (value * 255 + top / 2) / top
    }
  }

  /// Creates the format of a `TrueColor` or `DirectColor` visual. Returns `nil` if a mask is empty or its bits are not
  /// contiguous.
  ///
  /// - Parameter depth: If 32, the bits that no mask covers are alpha: RENDER defines them so, and core visuals do not
  ///   specify them.
  init?(red redMask: UInt32, green greenMask: UInt32, blue blueMask: UInt32, depth: Int) {
    guard let red = Channel(mask: redMask), let green = Channel(mask: greenMask), let blue = Channel(mask: blueMask)
    else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
    alpha = depth == 32 ? Channel(mask: ~(redMask | greenMask | blueMask)) : nil
  }

  var hasAlpha: Bool { alpha != nil }

  /// Whether pixels need no conversion from `0xAARRGGBB` or `0x00RRGGBB`.
  var isNative: Bool {
    func isByte(_ channel: Channel, at shift: UInt32) -> Bool { channel.shift == shift && channel.top == 255 }
    return isByte(red, at: 16) && isByte(green, at: 8) && isByte(blue, at: 0)
      && alpha.map { isByte($0, at: 24) } ?? true
  }

  /// Converts a premultiplied `0xAARRGGBB` to this format.
  func pixel(_ color: UInt32) -> UInt32 {
    red.place(color >> 16 & 0xFF) | green.place(color >> 8 & 0xFF) | blue.place(color & 0xFF)
      | (alpha?.place(color >> 24) ?? 0)
  }

  /// Converts a pixel of this format to `0xAARRGGBB`; opaque if the format has no alpha.
  func color(_ pixel: UInt32) -> UInt32 {
    (alpha?.value(in: pixel) ?? 255) << 24 | red.value(in: pixel) << 16 | green.value(in: pixel) << 8
      | blue.value(in: pixel)
  }
}

/// Captures the contents of windows for drag images.
struct WindowCapture {
  let display: DisplayHandle
  let windows: WindowQueries

  /// See ``WindowSystem/picture(of:_:)``.
  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture? {
    guard let state = windows.state(of: window), state.isViewable, let origin = windows.origin(of: window),
      let visual = state.visual.flatMap({ WindowVisual($0, depth: state.depth) })
    else { return nil }
    // `XGetImage` fails with `BadMatch` if any part of the area is off the screen.
    let onScreen = windows.screen.moved(by: Point(x: -origin.x, y: -origin.y))
    let inside = Rect(x: 0, y: 0, width: state.width, height: state.height)
    let part = [area, inside].compactMap { $0 }.reduce(onScreen) { $0.intersection($1) }
    guard !part.isEmpty else { return nil }
    return display.roundTrip { x in
      let image = XGetImage(
        x, window.xid, Int32(part.origin.x), Int32(part.origin.y), UInt32(part.width), UInt32(part.height), UInt.max,
        ZPixmap)
      guard let image else { return nil }
      defer { _ = image.pointee.f.destroy_image(image) }
      return visual.bitmap(image).map {
        WindowPicture(bitmap: $0, part: part, place: part.moved(by: origin))
      }
    }
  }
}
