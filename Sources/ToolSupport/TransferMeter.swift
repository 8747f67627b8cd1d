/// How fast a transfer is, and how long the rest will take, from how much was done at which times.
///
/// The rate is that of the last seconds, so that it follows a transfer that becomes slower, and stops.
package struct TransferMeter: Equatable, Sendable {
  /// The rate is measured over at most this time.
  package static let span = Duration.seconds(5)
  /// A rate over a shorter time would jump.
  package static let shortestSpan = Duration.seconds(1)
  /// The shortest time between two samples.
  private static let interval = Duration.milliseconds(250)

  private struct Sample: Equatable {
    var time: ContinuousClock.Instant
    var byteCount: Int
  }

  /// In the order of their times. The first one is the newest of those that are older than ``span``, or the start.
  private var samples: [Sample]
  private var byteCount = 0

  /// - Parameter start: When nothing was done.
  package init(start: ContinuousClock.Instant) { samples = [Sample(time: start, byteCount: 0)] }

  /// Records how much is done, in bytes. If it is less than before, the measurement begins again.
  package mutating func advance(to byteCount: Int, at now: ContinuousClock.Instant) {
    if byteCount < self.byteCount { samples = [] }
    self.byteCount = byteCount
    if samples.last.map({ now - $0.time < Self.interval }) ?? false { return }
    samples.append(Sample(time: now, byteCount: byteCount))
    let outdated = samples.lastIndex { now - $0.time >= Self.span } ?? 0
    samples.removeFirst(outdated)
  }

  /// Returns the rate in bytes per second; `nil` while it is not known.
  package func rate(at now: ContinuousClock.Instant) -> Double? {
    let base = samples.last { now - $0.time >= Self.span } ?? samples.first
    guard let base, case let time = now - base.time, time >= Self.shortestSpan else { return nil }
    return Double(byteCount - base.byteCount) / (time / .seconds(1))
  }

  /// Returns how long the rest will take; `nil` while that is not known, and if nothing comes.
  ///
  /// - Parameter whole: In bytes.
  package func rest(of whole: Int, at now: ContinuousClock.Instant) -> Duration? {
    guard let rate = rate(at: now), rate > 0 else { return nil }
    let seconds = Double(max(0, whole - byteCount)) / rate
    // More than years is not known.
    return seconds < 1e9 ? .seconds(seconds) : nil
  }

  /// Returns rate and rest, as far as they are known, for display: `3.0 MiB/s`, `9 s left`.
  ///
  /// - Parameter whole: In bytes; `nil` if it is unknown.
  package func words(of whole: Int?, at now: ContinuousClock.Instant) -> [String] {
    let rate = rate(at: now).map { "\(Formatting.size(Int($0)))/s" }
    return [rate, restWords(of: whole, at: now).map { "\($0) left" }].compactMap(\.self)
  }

  /// Returns how long the rest will take, for display: `9 s`; `nil` while that is not known.
  package func restWords(of whole: Int?, at now: ContinuousClock.Instant) -> String? {
    whole.flatMap { rest(of: $0, at: now) }.map(Self.words)
  }

  /// Returns a time in its largest unit, rounded up: `9 s`, `3 min`, `2 h`.
  private static func words(for time: Duration) -> String {
    let seconds = Int((time / .seconds(1)).rounded(.up))
    if seconds < 60 { return "\(seconds) s" }
    return seconds <= 59 * 60 ? "\((seconds + 59) / 60) min" : "\((seconds + 3599) / 3600) h"
  }
}
