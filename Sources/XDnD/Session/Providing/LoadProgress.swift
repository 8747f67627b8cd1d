/// The total progress of several loads: the loads from a drop or, on the source's side, the targets' loads of a drag's
/// content. Comparable to a `Progress` with children, and to `UIDropSession.progress`.
///
/// A load that has succeeded contributes the bytes that have arrived. A load that has failed or was cancelled still
/// contributes its expected length, but nothing if it had neither data nor a known length.
public struct LoadProgress: Hashable, Sendable {
  /// The number of received bytes. It decreases if a load begins again with another representation.
  public internal(set) var receivedByteCount = 0
  /// The expected total length in bytes; `nil` before the first load, and while the length of a load is unknown.
  ///
  /// For an INCR transfer it is a lower bound, and `nil` once more bytes than that have arrived.
  public internal(set) var expectedByteCount: Int?
  /// The number of loads that have begun, including those that have ended.
  package internal(set) var loadCount = 0
  /// The number of loads that have not ended.
  package internal(set) var pendingLoadCount = 0

  /// The received part of the expected length, from 0 to 1; `nil` while it is unknown. 1 once all loads have succeeded;
  /// more loads may still begin. Bytes that are missing from a failed or cancelled load keep it below 1.
  public var fraction: Double? {
    guard let expectedByteCount else { return nil }
    guard expectedByteCount > 0 else { return pendingLoadCount == 0 ? 1 : nil }
    return min(1, Double(receivedByteCount) / Double(expectedByteCount))
  }

  /// Whether to show an indeterminate indicator: ``fraction`` is unknown, and a load is pending or none has begun.
  public var isIndeterminate: Bool { fraction == nil && (loadCount == 0 || pendingLoadCount > 0) }
}

/// Identifies a load among the loads of one drop or drag.
struct LoadID: Hashable, Sendable {
  let rawValue: Int
}

/// An event in the course of a load.
enum LoadEvent: Hashable, Sendable {
  case began
  case progressed(received: Int, expected: Int?)
  /// The load has ended, with an error or without. The application has not been notified yet.
  case ended(XDnDError?)
  /// The application has been notified of the end, and may have begun another load instead.
  case concluded
}

/// Adds up loads, as ``LoadProgress`` describes.
struct LoadLedger: Hashable, Sendable {
  private struct Load: Hashable {
    var received = 0
    var expected: Int?

    /// The total length; `nil` if it is unknown, or if more has arrived than was expected.
    var whole: Int? { expected.flatMap { $0 < received ? nil : $0 } }
  }

  /// The sums of the pending loads, so that an event takes constant time.
  private struct Sums: Hashable {
    var received = 0
    /// A source may announce any length.
    var whole: Int128 = 0
    var unknownCount = 0
  }

  private var pending: [LoadID: Load] = [:]
  private var sums = Sums()
  private var loadCount = 0
  /// The total of the ended loads; `nil` if none of them had data or a known length.
  private var ended: Load?

  mutating func receive(_ event: LoadEvent, of load: LoadID) {
    switch event {
    case .began:
      guard pending[load] == nil else { return }
      set(Load(), for: load)
      loadCount += 1
    case .progressed(let received, let expected):
      guard pending[load] != nil else { return }
      set(Load(received: received, expected: expected), for: load)
    case .ended(let error):
      guard var last = set(nil, for: load) else { return }
      if error == nil { last.expected = last.received }
      // A refusal says nothing about the length.
      guard error == nil || last != Load() else { return }
      ended = Self.sum(ended ?? Load(expected: 0), last)
    case .concluded: break
    }
  }

  /// The last progress of a load that has not ended.
  func progress(of load: LoadID) -> LoadEvent? {
    pending[load].map { .progressed(received: $0.received, expected: $0.expected) }
  }

  /// - Returns: The former value.
  @discardableResult
  private mutating func set(_ new: Load?, for load: LoadID) -> Load? {
    let old = pending[load]
    pending[load] = new
    for (change, sign) in [(old, -1), (new, 1)] {
      guard let change else { continue }
      sums.received += sign * change.received
      sums.whole += Int128(sign) * Int128(change.whole ?? 0)
      if change.whole == nil { sums.unknownCount += sign }
    }
    return old
  }

  var progress: LoadProgress {
    let isMeasured = ended != nil || !pending.isEmpty
    let base = ended ?? Load(expected: isMeasured ? 0 : nil)
    let whole = base.whole.flatMap { sums.unknownCount == 0 ? Int(exactly: Int128($0) + sums.whole) : nil }
    return LoadProgress(
      receivedByteCount: base.received + sums.received, expectedByteCount: whole, loadCount: loadCount,
      pendingLoadCount: pending.count)
  }

  private static func sum(_ left: Load, _ right: Load) -> Load {
    let expected = left.whole.flatMap { left in
      right.whole.flatMap { right in
        // A source may announce any number.
        let (total, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? nil : total
      }
    }
    return Load(received: left.received + right.received, expected: expected)
  }
}
