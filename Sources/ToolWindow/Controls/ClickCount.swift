/// Counts the presses of a multiple click.
struct ClickCount: Equatable {
  /// The usual default of desktops, in milliseconds.
  private static let longest: UInt32 = 400
  /// In logical pixels.
  private static let farthest = 5.0

  private struct Press: Equatable {
    let point: LogicalPoint
    let time: UInt32
    let number: Int
  }

  private var last: Press?

  /// Returns which press of a click this is, from 1 to 3; a fourth one begins a new click.
  ///
  /// - Parameter time: The server timestamp.
  mutating func press(at point: LogicalPoint, time: UInt32) -> Int {
    let number = last.map { isNext($0, point, time) ? $0.number % 3 + 1 : 1 } ?? 1
    last = Press(point: point, time: time, number: number)
    return number
  }

  private func isNext(_ last: Press, _ point: LogicalPoint, _ time: UInt32) -> Bool {
    let distance = max((point.x - last.point.x).magnitude, (point.y - last.point.y).magnitude)
    return time &- last.time <= Self.longest && distance <= Self.farthest
  }
}
