/// A point in device pixels, in root or window coordinates as the documentation of each use states.
public struct Point: Hashable, Sendable, CustomStringConvertible {
  /// Pixels to the right of the origin.
  public var x: Int
  /// Pixels below the origin.
  public var y: Int

  /// Creates a point from its coordinates.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The coordinates as `x,y`.
  public var description: String { "\(x),\(y)" }
}

/// A rectangle in device pixels, half-open: the right and bottom edges are outside.
public struct Rect: Hashable, Sendable, CustomStringConvertible {
  /// The upper left corner.
  public var origin: Point
  /// Pixels from left to right; never negative.
  public var width: Int
  /// Pixels from top to bottom; never negative.
  public var height: Int

  /// Creates a rectangle from its upper left corner and its size. A negative size becomes 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.origin = Point(x: x, y: y)
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// Whether the rectangle contains no pixel.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// The first column to the right of the rectangle; at most `Int.max`.
  public var maxX: Int { Self.end(of: origin.x, width) }
  /// The first row below the rectangle; at most `Int.max`.
  public var maxY: Int { Self.end(of: origin.y, height) }

  private static func end(of start: Int, _ length: Int) -> Int {
    let (end, isTooLarge) = start.addingReportingOverflow(length)
    return isTooLarge ? .max : end
  }

  /// The middle pixel; if the size is even, the right or lower one.
  public var middle: Point { Point(x: origin.x + width / 2, y: origin.y + height / 2) }

  /// Whether the pixel at `point` is inside the rectangle.
  public func contains(_ point: Point) -> Bool {
    point.x >= origin.x && point.x < maxX && point.y >= origin.y && point.y < maxY
  }

  /// Returns the common part of two rectangles; empty if they do not overlap.
  public func intersection(_ other: Rect) -> Rect {
    Rect(
      left: max(origin.x, other.origin.x), top: max(origin.y, other.origin.y), right: min(maxX, other.maxX),
      bottom: min(maxY, other.maxY))
  }

  /// Returns the rectangle without `dx` pixels at the left and right sides, and without `dy` at the top and bottom;
  /// empty if nothing is left. Negative distances make it larger.
  public func insetBy(dx: Int, dy: Int) -> Rect {
    Rect(x: origin.x + dx, y: origin.y + dy, width: width - 2 * dx, height: height - 2 * dy)
  }

  /// `WxH+X+Y`; a negative coordinate has `-` instead of `+`.
  public var description: String {
    "\(width)x\(height)" + (origin.x < 0 ? "" : "+") + "\(origin.x)" + (origin.y < 0 ? "" : "+") + "\(origin.y)"
  }
}

extension Point {
  static let zero = Point(x: 0, y: 0)

  static func + (point: Point, offset: Point) -> Point { Point(x: point.x + offset.x, y: point.y + offset.y) }

  static func - (point: Point, offset: Point) -> Point { Point(x: point.x - offset.x, y: point.y - offset.y) }
}

extension Rect {
  static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Creates the rectangle between four edges; empty if they are not in order.
  init(left: Int, top: Int, right: Int, bottom: Int) {
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  var area: Int { width * height }

  package func moved(by offset: Point) -> Rect {
    Rect(x: origin.x + offset.x, y: origin.y + offset.y, width: width, height: height)
  }
}

/// Two 16-bit halves in one word, as XDND packs coordinates and sizes.
package enum PackedPair {
  /// Packs two numbers, each truncated to 16 bits.
  ///
  /// Both halves are masked. With `(x << 16) | y` alone, a negative `y` (a monitor above the origin) would overwrite
  /// `x`, as it does in GTK, FLTK, KWin and wlroots.
  package static func word(_ high: Int, _ low: Int) -> UInt32 {
    UInt32(UInt16(truncatingIfNeeded: high)) << 16 | UInt32(UInt16(truncatingIfNeeded: low))
  }

  package static func word(_ point: Point) -> UInt32 { word(point.x, point.y) }

  /// The area of the rectangles that two words can describe.
  static let area = Rect(left: -0x8000, top: -0x8000, right: 0x7FFF, bottom: 0x7FFF)

  /// Unpacks root coordinates. Both halves are signed; GLFW, JX and FLTK read them as unsigned.
  package static func point(_ word: UInt32) -> Point {
    Point(x: Int(Int16(truncatingIfNeeded: word >> 16)), y: Int(Int16(truncatingIfNeeded: word)))
  }

  package static func size(_ word: UInt32) -> (width: Int, height: Int) {
    (Int(word >> 16), Int(word & 0xFFFF))
  }
}
