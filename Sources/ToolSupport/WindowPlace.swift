import ArgumentParser
package import XDnD

/// A point in a window, in pixels from its upper left corner: `40,60`.
package struct WindowPlace: ExpressibleByArgument, Sendable {
  /// The point. Its coordinates fit into 16 bits, as XDND requires.
  package let point: Point

  /// Parses `x,y`; `nil` if the argument is invalid.
  package init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int16($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
    point = Point(x: Int(x), y: Int(y))
  }
}
