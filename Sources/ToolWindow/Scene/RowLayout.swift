/// Measures the texts of a scene. A layout has no fonts of its own.
protocol TextMeasure {
  func width(ofName name: String) -> Double

  /// Breaks a text into lines, at most ``WrappedRow/lineLimit``.
  func lines(ofName name: String, width: Double) -> [String]
  func lines(ofDetails details: String, width: Double) -> [String]
  /// At most two lines.
  func lines(ofFooter footer: String, width: Double) -> [String]
}

/// The lines of a row that wraps.
struct WrappedRow: Equatable {
  /// The maximum number of lines of each text.
  static let lineLimit = 3
  /// The distance between the lines of a name, and of details, in logical pixels.
  static let primaryLeading = 20.0
  static let secondaryLeading = 17.0
  /// The distance from the last line of the name to the first one of details below it.
  private static let step = 19.0

  let primary: [String]
  let secondary: [String]
  /// Where the details begin on the line of the name, in logical pixels from its start; `nil` if they stand below it.
  let column: Double?
  /// The height that the lines need, with the space above and below them.
  let textHeight: Double

  /// The middle of the first line of the details.
  ///
  /// - Parameter first: The middle of the first line of the name.
  func secondaryStart(below first: Double) -> Double {
    column == nil ? first + Double(primary.count - 1) * Self.primaryLeading + Self.step : first
  }

  private init(primary: [String], secondary: [String], column: Double?) {
    self.primary = primary
    self.secondary = secondary
    self.column = column
    let secondaryHeight = Double(max(0, secondary.count - 1)) * Self.secondaryLeading
    let below = secondary.isEmpty ? 0 : Self.step + 1 + secondaryHeight
    textHeight =
      SceneLayout.lineHeight
      + (column == nil ? Double(primary.count - 1) * Self.primaryLeading + below : secondaryHeight)
  }

  /// Breaks the texts of the rows that wrap.
  ///
  /// - Parameters:
  ///   - width: The width of a row.
  ///   - iconSide: The side of the icons; `nil` if there are none.
  ///   - measure: Not called if no row wraps.
  /// - Returns: The rows by their indices; empty without fonts.
  static func all(
    in scene: Scene, width: Double, iconSide: Double?, measure: @autoclosure () -> (any TextMeasure)?
  ) -> [Int: WrappedRow] {
    let indices = scene.rows.indices.filter { scene.rows[$0].wraps }
    guard !indices.isEmpty, let measure = measure() else { return [:] }
    let isCompact = scene.density == .compact
    let room = width - 2 * SceneLayout.textInset - (iconSide.map { $0 + SceneLayout.iconGap } ?? 0)
    let names = isCompact ? indices.map { scene.rows[$0] }.filter { !$0.secondary.isEmpty }.map(\.primary) : []
    // One column for the names of all rows that wrap.
    let widest = names.map { measure.width(ofName: $0).rounded(.up) + 1 }.max() ?? 0
    let rows = indices.map { index in
      let row = scene.rows[index]
      let room = max(0, room - (row.action == nil ? 0 : SceneLayout.rowButtonSide + SceneLayout.iconGap))
      let column = isCompact && !row.secondary.isEmpty ? min(widest, room / 2) + SceneLayout.padding : nil
      return WrappedRow(
        primary: column == nil ? measure.lines(ofName: row.primary, width: room) : [row.primary],
        secondary: row.secondary.isEmpty
          ? [] : measure.lines(ofDetails: row.secondary, width: room - (column ?? 0)), column: column)
    }
    return Dictionary(uniqueKeysWithValues: zip(indices, rows))
  }
}

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

/// The widths of a compact row's name and details, which share a line.
///
/// Both get their full width if there is room. Otherwise, a text that needs at most half of the line gets its full
/// width, and the other gets the rest; two longer texts get half each.
struct CompactColumns: Equatable {
  let first: Double
  let second: Double

  /// - Parameters:
  ///   - first: The width of the name, in logical pixels.
  ///   - second: The width of the details.
  ///   - room: The width of the line.
  init(first: Double, second: Double, room: Double) {
    let room = max(0, room - SceneLayout.padding)
    if first <= room / 2 {
      self.first = first
      self.second = min(second, room - first)
    } else {
      self.second = min(second, room / 2)
      self.first = min(first, room - self.second)
    }
  }
}
