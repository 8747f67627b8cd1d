import XDnDX11
import Foundation
package import XDnD

/// What a display showed at one moment, as 24-bit colour.
package struct Screenshot: Sendable {
  /// Pixels from left to right.
  package let width: Int
  /// Pixels from top to bottom.
  package let height: Int
  /// `0xRRGGBB` for each pixel, line by line from the upper left; the highest byte has no meaning.
  private var pixels: [UInt32]

  /// The whole screen, with the cursor drawn into it when `withCursor` says so.
  package init(of server: XServer, withCursor: Bool = true) throws {
    self = try DisplayConnection(server.displayName)({ display, root in
      try Screenshot(display, root, withCursor: withCursor)
    })
  }

  private init(_ display: OpaquePointer, _ root: Window, withCursor: Bool) throws {
    let screen = XDefaultScreen(display)
    width = Int(XDisplayWidth(display, screen))
    height = Int(XDisplayHeight(display, screen))
    pixels = []
    let allPlanes = UInt.max
    guard let image = XGetImage(display, root, 0, 0, UInt32(width), UInt32(height), allPlanes, ZPixmap),
      let data = image.pointee.data
    else { throw HarnessError("the server gives no image") }
    defer { _ = image.pointee.f.destroy_image(image) }
    guard image.pointee.bits_per_pixel == 32, image.pointee.byte_order == LSBFirst else {
      throw HarnessError("the screen has \(image.pointee.bits_per_pixel) bits a pixel, not 32 in little-endian order")
    }
    let stride = Int(image.pointee.bytes_per_line)
    // A screen has a million pixels, and tests look at it again and again: it is not touched one by one.
    let (width, height) = (width, height)
    pixels = [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      for line in 0..<height { memcpy(base + line * width, data + line * stride, width * 4) }
      count = width * height
    }
    if withCursor, let cursor = XFixesGetCursorImage(display) {
      draw(cursor.pointee)
      XFree(cursor)
    }
  }

  /// Lays the cursor over the pixels; its own are premultiplied ARGB, one in each C long.
  private mutating func draw(_ cursor: XFixesCursorImage) {
    guard let source = cursor.pixels else { return }
    for line in 0..<Int(cursor.height) {
      for column in 0..<Int(cursor.width) {
        let x = Int(cursor.x) - Int(cursor.xhot) + column
        let y = Int(cursor.y) - Int(cursor.yhot) + line
        guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
        let over = UInt32(truncatingIfNeeded: source[line * Int(cursor.width) + column])
        let under = pixels[y * width + x]
        let transparency = 255 - over >> 24
        pixels[y * width + x] = [16, 8, 0].reduce(0) { colour, shift in
          let sum = (over >> shift) & 0xff + (under >> shift) & 0xff * transparency / 255
          return colour | min(255, sum) << shift
        }
      }
    }
  }

  /// The colour at a place as `0xRRGGBB`; `nil` outside.
  package subscript(place: Point) -> UInt32? {
    guard (0..<width).contains(place.x), (0..<height).contains(place.y) else { return nil }
    return pixels[place.y * width + place.x] & 0xff_ffff
  }

  /// The colours of a part of the picture, line by line, as `0xRRGGBB`.
  package func colors(in area: Rect) -> [UInt32] {
    let left = max(0, area.origin.x)
    let right = min(width, area.maxX)
    let bottom = min(height, area.maxY)
    return (max(0, area.origin.y)..<bottom).flatMap { y in
      pixels[(y * width + left)..<(y * width + right)].map { $0 & 0xff_ffff }
    }
  }

  /// The place with a colour, `0xRRGGBB`, that is in the middle of all that have it; `nil` if none has.
  package func middle(of color: UInt32) -> Point? {
    let places = pixels.indices.filter { pixels[$0] & 0xff_ffff == color }
    guard !places.isEmpty else { return nil }
    let place = places[places.count / 2]
    return Point(x: place % width, y: place / width)
  }

  /// Writes a PNG file, which every viewer shows.
  package func write(to path: String) throws {
    let rgb = pixels.flatMap { pixel in [16, 8, 0].map { UInt8(truncatingIfNeeded: pixel >> $0) } }
    try Data(PNG.encode(width: width, height: height, rgb: rgb)).write(to: URL(fileURLWithPath: path))
  }
}
