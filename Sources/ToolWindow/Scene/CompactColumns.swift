/// The widths of a compact row's name and details, which share a line.
///
/// Each gets its width if there is room for both. Otherwise the one that needs no more than half gets its width, and the
/// other one the rest; two long ones get half each.
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
