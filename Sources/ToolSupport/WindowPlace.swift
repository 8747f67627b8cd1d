public import ArgumentParser
public import XDnD

/// A place in a window, in device pixels from its upper left corner: `40,60`.
public struct WindowPlace: ExpressibleByArgument, Sendable {
  /// The place. Each coordinate fits into the 16 bits that the protocol has for it.
  public let point: Point

  /// `nil` for what is no place.
  public init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int16($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
    point = Point(x: Int(x), y: Int(y))
  }
}
