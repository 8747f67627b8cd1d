public import XDnD

extension WireEvent.Message {
  /// The point in the third word of `XdndPosition` and `XdndStatus`: the pointer, or the rectangle's origin, in root
  /// pixels.
  public var place: Point {
    Point(
      x: Int(Int16(truncatingIfNeeded: words[2] >> 16)), y: Int(Int16(truncatingIfNeeded: words[2])))
  }
}
