/// A place on the screen or in a window, in device pixels.
public struct PixelPoint: Hashable, Sendable {
  /// Pixels to the right of the origin.
  public var x: Int
  /// Pixels below the origin.
  public var y: Int

  /// A place `x` pixels to the right and `y` pixels below the origin.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// What a person asks for with an X geometry string: `300x200`, `+10+20`, `300x200-0-0`.
public struct Geometry: Hashable, Sendable {
  /// One coordinate of the position.
  public struct Offset: Hashable, Sendable {
    /// Which edges of the window and of the screen the distance lies between.
    public enum Edge: Hashable, Sendable {
      /// Left or top: written with `+`.
      case near
      /// Right or bottom: written with `-`.
      case far
    }

    /// The edge that the distance is measured from.
    public var edge: Edge
    /// Pixels from the edge towards the middle of the screen; negative ones (`+-5`) lead off the screen.
    public var distance: Int

    /// An offset from an edge.
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

  /// Where the window goes.
  public struct Position: Hashable, Sendable {
    /// From the left or right edge.
    public var horizontal: Offset
    /// From the top or bottom edge.
    public var vertical: Offset

    /// A position.
    public init(horizontal: Offset, vertical: Offset) {
      self.horizontal = horizontal
      self.vertical = vertical
    }
  }

  /// The size that was asked for, in device pixels.
  public var size: PixelSize?
  /// The position that was asked for.
  public var position: Position?

  /// A geometry of parts.
  public init(size: PixelSize? = nil, position: Position? = nil) {
    self.size = size
    self.position = position
  }

  /// Reads `[=][WIDTHxHEIGHT][{+-}X{+-}Y]`.
  ///
  /// - Returns: `nil` for anything else, for an empty string, for a size of 0 and for numbers that X cannot hold.
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

  /// The upper left corner of a window of the given size, or `nil` if no position was asked for.
  public func origin(of window: PixelSize, on screen: PixelSize) -> PixelPoint? {
    position.map {
      PixelPoint(
        x: $0.horizontal.coordinate(length: window.width, within: screen.width),
        y: $0.vertical.coordinate(length: window.height, within: screen.height))
    }
  }

  /// The unsigned number at the start of `rest`, up to what a coordinate of the X protocol holds.
  private static func takeNumber(from rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest.removeFirst(digits.count)
    return Int16(digits).map(Int.init)
  }

  /// An edge, possibly a minus, and a number.
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
