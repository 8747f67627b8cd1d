/// The sum of several loads: of a drop, or, on the side of the source, of what targets load from a drag. Comparable to a
/// `Progress` with children, and to `UIDropSession.progress`.
///
/// A load that has ended, successfully or not, counts with the bytes that have arrived.
public struct LoadProgress: Hashable, Sendable {
  /// The number of bytes received so far. It falls if a load begins again with another representation.
  public internal(set) var receivedByteCount = 0
  /// The expected total length in bytes; `nil` before the first load, and while the length of a load is unknown.
  ///
  /// For an INCR transfer it is a lower bound, and unknown once more has arrived: see ``LoadTask/expectedByteCount``.
  public internal(set) var expectedByteCount: Int?
  /// The number of loads that have begun, including those that have ended.
  public internal(set) var loadCount = 0
  /// The number of loads that have not ended.
  public internal(set) var pendingLoadCount = 0

  /// The received part of the expected length, from 0 to 1; `nil` while it is unknown. 1 once all loads have ended, and
  /// never for that reason alone: more loads may begin.
  public var fraction: Double? {
    if pendingLoadCount == 0 { return loadCount == 0 ? nil : 1 }
    guard let expectedByteCount, expectedByteCount > 0 else { return nil }
    return min(1, Double(receivedByteCount) / Double(expectedByteCount))
  }

  /// Whether to show activity without a measure: ``fraction`` is unknown.
  public var isIndeterminate: Bool { fraction == nil }
}

/// A load among those of one drop.
struct LoadID: Hashable, Sendable {
  let rawValue: Int
}

/// What happens to a load.
enum LoadEvent: Hashable, Sendable {
  case began
  case progressed(received: Int, expected: Int?)
  /// It has ended, with an error or without. The application has not been told.
  case ended(XDnDError?)
  /// The application has been told of the end, and may have begun another load in its place.
  case concluded
}

/// Adds up loads. A load that has ended counts with the bytes that have arrived.
struct LoadLedger: Hashable, Sendable {
  private struct Pending: Hashable {
    var received = 0
    var expected: Int?
  }

  private var pending: [LoadID: Pending] = [:]
  private var loadCount = 0
  /// The bytes of the loads that have ended.
  private var endedByteCount = 0

  mutating func receive(_ event: LoadEvent, of load: LoadID) {
    switch event {
    case .began:
      guard pending.updateValue(Pending(), forKey: load) == nil else { return }
      loadCount += 1
    case .progressed(let received, let expected):
      guard pending[load] != nil else { return }
      pending[load] = Pending(received: received, expected: expected)
    case .ended:
      guard let ended = pending.removeValue(forKey: load) else { return }
      endedByteCount += ended.received
    case .concluded: break
    }
  }

  var progress: LoadProgress {
    var progress = LoadProgress(
      receivedByteCount: endedByteCount, expectedByteCount: loadCount == 0 ? nil : endedByteCount,
      loadCount: loadCount, pendingLoadCount: pending.count)
    for load in pending.values {
      progress.receivedByteCount += load.received
      progress.expectedByteCount = progress.expectedByteCount.flatMap { sum in
        guard let expected = load.expected, expected >= load.received else { return nil }
        // What a source announces may be any number.
        let (total, isTooLarge) = sum.addingReportingOverflow(expected)
        return isTooLarge ? nil : total
      }
    }
    return progress
  }
}
