import XDnD

/// Detects double clicks.
struct DoubleClick {
  /// The usual default of desktops, in milliseconds.
  private static let longest: UInt32 = 400
  private var last: (row: Int, time: Timestamp)?

  /// - Returns: Whether this click completes a double click.
  mutating func click(on row: Int, at time: Timestamp) -> Bool {
    let isDouble = last.map { $0.row == row && time.rawValue &- $0.time.rawValue <= Self.longest } ?? false
    // A third click starts a new sequence.
    last = isDouble ? nil : (row, time)
    return isDouble
  }
}
