/// A parsed X geometry string, such as `300x200`, `+10+20` or `300x200-0-0` (as `XParseGeometry` reads).
package struct Geometry: Sendable {
  /// One coordinate of the position: pixels between an edge of the screen and that edge of the window, towards the
  /// middle of the screen. Negative values (`+-5`) are off the screen.
  package enum Offset: Hashable, Sendable {
    /// From the left or top edge: written with `+`.
    case near(Int)
    /// From the right or bottom edge: written with `-`.
    case far(Int)

    func coordinate(length: Int, within available: Int) -> Int {
      switch self {
      case .near(let distance): distance
      case .far(let distance): available - length - distance
      }
    }
  }

  /// In device pixels.
  package var size: PixelSize?
  package var position: (horizontal: Offset, vertical: Offset)?
}

extension Geometry {
  /// Parses `[=][WIDTHxHEIGHT][{+-}X{+-}Y]`.
  ///
  /// - Returns: `nil` for other strings, the empty string, a width or height of 0, and numbers beyond 16 bits.
  package init?(_ string: String) {
    var rest = Substring(string)
    if rest.first == "=" { rest.removeFirst() }
    self.init(size: nil, position: nil)
    if let first = rest.first, first.isASCII, first.isNumber {
      guard let width = Self.takeNumber(from: &rest), let by = rest.popFirst(), by == "x" || by == "X",
        let height = Self.takeNumber(from: &rest), width > 0, height > 0
      else { return nil }
      size = PixelSize(width: width, height: height)
    }
    if !rest.isEmpty {
      guard let horizontal = Self.takeOffset(from: &rest), let vertical = Self.takeOffset(from: &rest), rest.isEmpty
      else { return nil }
      position = (horizontal, vertical)
    }
    guard size != nil || position != nil else { return nil }
  }

  /// Returns the upper left corner of a window of the given size, or `nil` if no position was requested.
  package func origin(of window: PixelSize, on screen: PixelSize) -> PixelPoint? {
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
    guard let edge = rest.popFirst(), edge == "+" || edge == "-" else { return nil }
    let isNegative = rest.first == "-"
    if isNegative { rest.removeFirst() }
    return takeNumber(from: &rest).map {
      let distance = isNegative ? -$0 : $0
      return edge == "+" ? .near(distance) : .far(distance)
    }
  }
}
