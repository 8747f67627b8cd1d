/// The rows of a list, each of which glides from where it was seen to its place.
struct Glide {
  typealias Places = [CardBoard.Row.ID: Int]

  static let duration = Duration.milliseconds(150)

  private var starts: Places = [:]
  private var ends: Places = [:]
  private var beginning: ContinuousClock.Instant?

  /// Sends the rows to other places. A row that was not in the list is there at once.
  mutating func move(to places: Places, at now: ContinuousClock.Instant) {
    guard places != ends else { return }
    starts = places.merging(self.places(at: now).filter { places[$0.key] != nil }) { $1 }
    ends = places
    beginning = starts == ends ? nil : now
  }

  /// Lets rows be at their next places at once.
  mutating func forget(_ rows: Set<CardBoard.Row.ID>) {
    for row in rows { ends[row] = nil }
  }

  /// Where the rows are seen.
  func places(at now: ContinuousClock.Instant) -> Places {
    let rest = 1 - progress(at: now)
    // Fast at first.
    return ends.reduce(into: ends) { places, end in
      let distance = Double(end.value - (starts[end.key] ?? end.value))
      places[end.key] = end.value - Int((distance * rest * rest * rest).rounded())
    }
  }

  func isOver(at now: ContinuousClock.Instant) -> Bool { progress(at: now) == 1 }

  private func progress(at now: ContinuousClock.Instant) -> Double {
    beginning.map { min(1, $0.duration(to: now) / Self.duration) } ?? 1
  }
}
