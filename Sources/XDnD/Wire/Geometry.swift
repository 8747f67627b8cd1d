/// A place on the screen or in a window, in device pixels. The doc comment of each use says which.
public struct Point: Hashable, Sendable, CustomStringConvertible {
  /// Pixels to the right of the origin.
  public var x: Int
  /// Pixels below the origin.
  public var y: Int

  /// A place `x` pixels to the right and `y` pixels below the origin.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// `x,y`
  public var description: String { "\(x),\(y)" }
}

/// A rectangle in device pixels; its right and bottom edges do not belong to it.
public struct Rect: Hashable, Sendable, CustomStringConvertible {
  /// The upper left corner.
  public var origin: Point
  /// Pixels from left to right; never negative.
  public var width: Int
  /// Pixels from top to bottom; never negative.
  public var height: Int

  /// A rectangle; a negative size becomes 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.origin = Point(x: x, y: y)
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// Whether there is no pixel in it.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// Whether the pixel at `point` belongs to the rectangle.
  public func contains(_ point: Point) -> Bool {
    point.x >= origin.x && point.x < origin.x + width && point.y >= origin.y && point.y < origin.y + height
  }

  /// `WxH+X+Y`, as X geometry strings have it.
  public var description: String {
    "\(width)x\(height)" + (origin.x < 0 ? "" : "+") + "\(origin.x)" + (origin.y < 0 ? "" : "+") + "\(origin.y)"
  }
}

extension Rect {
  /// Its pixel in the middle, the right and lower one of two or four.
  var middle: Point { Point(x: origin.x + width / 2, y: origin.y + height / 2) }

  /// What two rectangles have in common; empty if nothing.
  func intersection(_ other: Rect) -> Rect {
    let (left, top) = (max(origin.x, other.origin.x), max(origin.y, other.origin.y))
    let right = min(origin.x + width, other.origin.x + other.width)
    let bottom = min(origin.y + height, other.origin.y + other.height)
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The same rectangle elsewhere.
  func moved(by offset: Point) -> Rect {
    Rect(x: origin.x + offset.x, y: origin.y + offset.y, width: width, height: height)
  }
}

/// Two 16-bit halves in one word, the way XDND packs coordinates and sizes.
enum PackedPair {
  /// Packs two numbers, each cut to 16 bits.
  ///
  /// Both halves are masked: with `(x << 16) | y` alone a negative `y` (a monitor above the origin) would overwrite
  /// `x`, as it does in GTK, FLTK, KWin and wlroots.
  static func word(_ high: Int, _ low: Int) -> UInt32 {
    UInt32(UInt16(truncatingIfNeeded: high)) << 16 | UInt32(UInt16(truncatingIfNeeded: low))
  }

  /// Packs root coordinates.
  static func word(_ point: Point) -> UInt32 { word(point.x, point.y) }

  /// Reads root coordinates: both halves are signed, which GLFW, JX and FLTK forget.
  static func point(_ word: UInt32) -> Point {
    Point(x: Int(Int16(truncatingIfNeeded: word >> 16)), y: Int(Int16(truncatingIfNeeded: word)))
  }

  /// Reads a size: both halves are unsigned.
  static func size(_ word: UInt32) -> (width: Int, height: Int) {
    (Int(word >> 16), Int(word & 0xFFFF))
  }
}
