/// The vertical extents of a list's rows, in logical pixels from the top of the first one. Rows of equal height need no
/// table.
struct RowExtents {
  let count: Int
  private let height: Double
  /// Where each row begins, and where the last one ends; `nil` if all rows have the same height.
  private let boundaries: [Double]?

  /// - Parameters:
  ///   - height: The height of the rows that do not wrap.
  ///   - wrapped: The heights of the others, by the indices of the rows.
  init(count: Int, height: Double, wrapped: [Int: Double]) {
    self.count = count
    self.height = height
    guard wrapped.contains(where: { $0.value != height }) else {
      boundaries = nil
      return
    }
    var boundaries = [0.0]
    boundaries.reserveCapacity(count + 1)
    for row in 0..<count { boundaries.append(boundaries[row] + (wrapped[row] ?? height)) }
    self.boundaries = boundaries
  }

  var total: Double { start(of: count) }

  /// - Parameter row: The row, or ``count`` for the end of the last one.
  func start(of row: Int) -> Double { boundaries?[row] ?? Double(row) * height }

  func height(of row: Int) -> Double { boundaries.map { $0[row + 1] - $0[row] } ?? height }

  /// Returns the row at a position; `nil` above the first row and below the last one.
  func row(at y: Double) -> Int? {
    guard y >= 0, y < total else { return nil }
    return boundaries.map { $0.sortedIndex { $0 > y } - 1 } ?? Int(y / height)
  }

  /// Returns the rows that overlap a range of positions.
  func rows(from start: Double, to end: Double) -> Range<Int> {
    let (first, last) =
      if let boundaries {
        (boundaries.sortedIndex { $0 > start } - 1, boundaries.sortedIndex { $0 >= end })
      } else {
        (Int(start / height), Int((end / height).rounded(.up)))
      }
    let lower = min(count, max(0, first))
    return lower..<min(count, max(lower, last))
  }
}

extension [Double] {
  /// Returns the index of the first element that is beyond a limit, by binary search; the count if none is.
  fileprivate func sortedIndex(where isBeyond: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
