/// A parsed X geometry string, such as `300x200`, `+10+20` or `300x200-0-0` (as `XParseGeometry` reads).
public struct Geometry: Hashable, Sendable {
  /// One coordinate of the position.
  public struct Offset: Hashable, Sendable {
    /// The edge that a distance is measured from.
    public enum Edge: Hashable, Sendable {
      /// Left or top: written with `+`.
      case near
      /// Right or bottom: written with `-`.
      case far
    }

    /// The edge that the distance is measured from.
    public var edge: Edge
    /// Pixels from the screen's edge to the window's edge, towards the middle of the screen; negative values (`+-5`)
    /// are off the screen.
    public var distance: Int

    /// Creates an offset.
    public init(from edge: Edge, distance: Int) {
      self.edge = edge
      self.distance = distance
    }

    func coordinate(length: Int, within available: Int) -> Int {
      switch edge {
      case .near: distance
      case .far: available - length - distance
      }
    }
  }

  /// A position on the screen.
  public struct Position: Hashable, Sendable {
    /// The offset from the left or right edge.
    public var horizontal: Offset
    /// The offset from the top or bottom edge.
    public var vertical: Offset

    /// Creates a position.
    public init(horizontal: Offset, vertical: Offset) {
      self.horizontal = horizontal
      self.vertical = vertical
    }
  }

  /// The requested size in device pixels.
  public var size: PixelSize?
  /// The requested position.
  public var position: Position?

  /// Creates a geometry.
  public init(size: PixelSize? = nil, position: Position? = nil) {
    self.size = size
    self.position = position
  }

  /// Parses `[=][WIDTHxHEIGHT][{+-}X{+-}Y]`.
  ///
  /// - Returns: `nil` for other strings, the empty string, a width or height of 0, and numbers beyond 16 bits.
  public init?(_ string: String) {
    var rest = Substring(string)
    if rest.first == "=" {
      rest.removeFirst()
    }
    if let first = rest.first, first.isASCII, first.isNumber {
      guard let width = Self.takeNumber(from: &rest), let by = rest.popFirst(), by == "x" || by == "X",
        let height = Self.takeNumber(from: &rest), width > 0, height > 0
      else { return nil }
      size = PixelSize(width: width, height: height)
    }
    if !rest.isEmpty {
      guard let horizontal = Self.takeOffset(from: &rest), let vertical = Self.takeOffset(from: &rest), rest.isEmpty
      else { return nil }
      position = Position(horizontal: horizontal, vertical: vertical)
    }
    guard size != nil || position != nil else { return nil }
  }

  /// Returns the upper left corner of a window of the given size, or `nil` if no position was requested.
  public func origin(of window: PixelSize, on screen: PixelSize) -> PixelPoint? {
    position.map {
      PixelPoint(
        x: $0.horizontal.coordinate(length: window.width, within: screen.width),
        y: $0.vertical.coordinate(length: window.height, within: screen.height))
    }
  }

  /// Removes an unsigned number from the start of `rest`; `nil` beyond the range of an X coordinate (`INT16`).
  private static func takeNumber(from rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(digits.count)
    return Int16(digits).map(Int.init)
  }

  /// Removes an edge, an optional minus sign and a number.
  private static func takeOffset(from rest: inout Substring) -> Offset? {
    let edge: Offset.Edge
    switch rest.popFirst() {
    case "+": edge = .near
    case "-": edge = .far
    default: return nil
    }
    var sign = 1
    if rest.first == "-" {
      rest.removeFirst()
      sign = -1
    }
    return takeNumber(from: &rest).map { Offset(from: edge, distance: sign * $0) }
  }
}
