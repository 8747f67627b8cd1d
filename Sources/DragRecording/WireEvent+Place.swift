public import XDnD

extension WireEvent.Message {
  /// The place that a position, or the rectangle of a status, begins with: the third word, in pixels of the root window.
  public var place: Point {
    Point(
      x: Int(Int16(truncatingIfNeeded: words[2] >> 16)), y: Int(Int16(truncatingIfNeeded: words[2])))
  }
}
