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

/// An event in the course of a load.
enum LoadEvent: Hashable, Sendable {
  case began
  case progressed(LoadAmount)
  /// The load has ended, with an error or without. The application has not been notified yet.
  case ended(XDnDError?)
  /// The application has been notified of the end, and may have begun another load instead.
  case concluded
}

/// Adds up loads, as ``LoadProgress`` describes. It keeps sums and no list of loads, so each event comes with the amount
/// that its load last reported.
struct LoadSum: Hashable, Sendable {
  /// The pending loads.
  private var received = 0
  /// A source may announce any length.
  private var whole: Int128 = 0
  private var unknownCount = 0
  private var pendingCount = 0
  /// The number of loads that have begun.
  private var count = 0
  /// The total of the ended loads; `nil` if none of them had data or a known length.
  private var ended: LoadAmount?

  /// - Parameter last: The amount that was told last of this load.
  mutating func receive(_ event: LoadEvent, after last: LoadAmount) {
    switch event {
    case .began:
      count += 1
      add(LoadAmount(), 1)
    case .progressed(let amount):
      add(last, -1)
      add(amount, 1)
    case .ended(let error):
      add(last, -1)
      let final = error == nil ? LoadAmount(received: last.received, expected: last.received) : last
      // A refusal says nothing about the length.
      guard error == nil || final != LoadAmount() else { return }
      ended = Self.sum(ended ?? LoadAmount(expected: 0), final)
    case .concluded: break
    }
  }

  private mutating func add(_ load: LoadAmount, _ sign: Int) {
    pendingCount += sign
    received += sign * load.received
    whole += Int128(sign) * Int128(load.whole ?? 0)
    if load.whole == nil { unknownCount += sign }
  }

  var progress: LoadProgress {
    let isMeasured = ended != nil || pendingCount > 0
    let base = ended ?? LoadAmount(expected: isMeasured ? 0 : nil)
    let total = base.whole.flatMap { unknownCount == 0 ? Int(exactly: Int128($0) + whole) : nil }
    return LoadProgress(
      receivedByteCount: base.received + received, expectedByteCount: total, loadCount: count,
      pendingLoadCount: pendingCount)
  }

  private static func sum(_ left: LoadAmount, _ right: LoadAmount) -> LoadAmount {
    let expected = left.whole.flatMap { left in
      right.whole.flatMap { right in
        // A source may announce any number.
        let (total, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? nil : total
      }
    }
    return LoadAmount(received: left.received + right.received, expected: expected)
  }
}

extension LoadAmount {
  /// The total length; `nil` if it is unknown, or if more has arrived than was expected.
  fileprivate var whole: Int? { expected.flatMap { $0 < received ? nil : $0 } }
}
