import CX11
import Foundation
import XDnD

/// What a display showed at one moment, as 24-bit colour.
struct Screenshot: Sendable {
  /// Pixels from left to right.
  let width: Int
  /// Pixels from top to bottom.
  let height: Int
  /// Red, green and blue of each pixel, line by line from the upper left.
  private(set) var pixels: [UInt8]

  /// The whole screen, with the cursor drawn into it when `withCursor` says so.
  init(of server: XvfbServer, withCursor: Bool = true) throws {
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
    pixels.reserveCapacity(width * height * 3)
    for line in 0..<height {
      for column in 0..<width {
        let at = line * stride + column * 4
        for byte in [2, 1, 0] { pixels.append(UInt8(bitPattern: data[at + byte])) }
      }
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
        let over = source[line * Int(cursor.width) + column]
        let transparency = 255 - (over >> 24) & 0xff
        for channel in 0..<3 {
          let at = (y * width + x) * 3 + channel
          let colour = (over >> (16 - 8 * UInt(channel))) & 0xff
          pixels[at] = UInt8(min(255, colour + UInt(pixels[at]) * transparency / 255))
        }
      }
    }
  }

  /// The colour at a place as `0xRRGGBB`; `nil` outside.
  subscript(place: Point) -> UInt32? {
    guard (0..<width).contains(place.x), (0..<height).contains(place.y) else { return nil }
    let at = (place.y * width + place.x) * 3
    return UInt32(pixels[at]) << 16 | UInt32(pixels[at + 1]) << 8 | UInt32(pixels[at + 2])
  }

  /// Writes a PNG file, which every viewer shows.
  func write(to path: String) throws {
    try Data(PNG.encode(width: width, height: height, rgb: pixels)).write(to: URL(fileURLWithPath: path))
  }
}
