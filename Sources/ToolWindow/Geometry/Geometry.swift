internal import XDnDX11
internal import XDnDXlibint

/// A parsed X geometry string, such as `300x200`, `+10+20` or `300x200-0-0` (as `XParseGeometry` reads it).
package struct Geometry: Sendable {
  /// One coordinate of the position: pixels between an edge of the screen and the same edge of the window, towards the
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
  /// - Returns: `nil` for other strings, the empty string, a width or height of 0, and numbers above 32,767.
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

  /// Removes an unsigned number from the start of `rest`; `nil` without one, or beyond the range of an X coordinate
  /// (`INT16`).
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

extension Geometry {
  /// Returns a geometry that puts a given point of the window under the pointer. The window is kept within the
  /// pointer's monitor if it fits there.
  ///
  /// - Parameters:
  ///   - display: An open `Display *`.
  ///   - size: The window size in device pixels, if the user asked for one.
  ///   - defaultSize: The window size otherwise, in logical pixels.
  ///   - scale: Device pixels per logical pixel.
  ///   - grip: The point of the window to put under the pointer, in logical pixels.
  package static func atPointer(
    of display: OpaquePointer, size: PixelSize?, defaultSize: PixelSize, scale: Double, grip: PixelPoint
  ) -> Geometry {
    func scaled(_ length: Int) -> Int { Int(Double(length) * scale) }
    let window = size ?? PixelSize(width: scaled(defaultSize.width), height: scaled(defaultSize.height))
    var (root, child): (XDnDX11.Window, XDnDX11.Window) = (0, 0)
    var (rootX, rootY, x, y): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    var mask: UInt32 = 0
    XQueryPointer(display, XDefaultRootWindow(display), &root, &child, &rootX, &rootY, &x, &y, &mask)
    let pointer = PixelPoint(x: Int(rootX), y: Int(rootY))
    let monitors = Monitors.all(of: display)
    guard let monitor = monitors.first(where: { $0.contains(pointer) }) ?? monitors.first else {
      return Geometry(size: size, position: nil)
    }
    let origin = origin(
      of: window, grippedAt: PixelPoint(x: scaled(grip.x), y: scaled(grip.y)), by: pointer, within: monitor)
    return Geometry(size: size, position: (.near(origin.x), .near(origin.y)))
  }

  /// Returns the window's upper left corner. If the window is larger than the monitor, its upper left part is visible.
  static func origin(
    of window: PixelSize, grippedAt grip: PixelPoint, by pointer: PixelPoint, within monitor: PixelArea
  ) -> PixelPoint {
    func place(_ pointer: Int, _ grip: Int, _ length: Int, _ start: Int, _ available: Int) -> Int {
      max(start, min(pointer - grip, start + available - length))
    }
    return PixelPoint(
      x: place(pointer.x, grip.x, window.width, monitor.origin.x, monitor.size.width),
      y: place(pointer.y, grip.y, window.height, monitor.origin.y, monitor.size.height))
  }
}

enum Monitors {
  static func screenSize(of display: OpaquePointer) -> PixelSize {
    let screen = XDefaultScreen(display)
    return PixelSize(width: Int(XDisplayWidth(display, screen)), height: Int(XDisplayHeight(display, screen)))
  }

  /// Returns the monitors in root pixels; the screen as one monitor if the server has no Xinerama information.
  static func all(of display: OpaquePointer) -> [PixelArea] {
    var count: Int32 = 0
    guard let monitors = XDnDQueryMonitors(display, &count) else {
      return [PixelArea(origin: PixelPoint(x: 0, y: 0), size: screenSize(of: display))]
    }
    defer { XFree(monitors) }
    return UnsafeBufferPointer(start: monitors, count: Int(count)).map {
      PixelArea(
        origin: PixelPoint(x: Int($0.x), y: Int($0.y)), size: PixelSize(width: Int($0.width), height: Int($0.height)))
    }
  }
}
