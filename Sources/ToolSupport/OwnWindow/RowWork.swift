package import XDnDToolWindow

/// Work in progress, as a row shows it.
package struct RowActivity: Equatable, Sendable {
  /// The work and its progress: `receiving, 3.0 MiB/s, 9 s left`.
  package var words: String
  /// How much is done: `12.0 MiB of 40.0 MiB`; `nil` if nothing is done, or if the work waits.
  package var amount: String?
  /// How long the rest takes: `9 s`; `nil` while that is not known.
  package var rest: String?
  /// `nil` while the work waits for the user.
  package var progress: Scene.Row.Progress?
  /// The button of the row.
  package var action: Scene.Row.Action

  /// The part that is done, from 0 to 100; `nil` if it is unknown.
  package var percent: Int? { if case .fraction(let fraction) = progress { Int(fraction * 100) } else { nil } }
}

extension Report {
  /// Returns the report of the work in a row, with the center of the row's button in root pixels. `nil` if the row has
  /// no button, or if the window is gone.
  package static func busy(_ activity: RowActivity, inRow row: Int, of window: ToolWindow) -> Report? {
    guard let button = window.center(ofRowButton: row), let origin = window.rootOrigin else { return nil }
    return Report(
      "busy", "",
      [
        "words": .string(activity.words), "percent": activity.percent.map { .integer($0) },
        "action": .string("\(activity.action)"), "x": .integer(origin.x + button.x), "y": .integer(origin.y + button.y),
      ])
  }
}

/// Work that a row shows with a bar and a button that ends it.
///
/// Work that ends within 0.3 seconds is not shown.
package final class RowWork {
  /// How long work lasts before it is shown, in seconds.
  private static let patience = 0.3
  /// The interval at which the row is updated even without progress, in seconds, because its times change.
  private static let interval = 1.0
  /// The shortest time between two updates.
  private static let pause = Duration.milliseconds(100)

  /// Called with the new content of the row.
  private let onChange: (RowActivity) -> Void
  private let action: Scene.Row.Action
  private let loop: EventLoop
  private let end: () -> Void
  private var progress: WorkProgress
  /// When the row was last updated; `nil` before the work is shown.
  private var shown: ContinuousClock.Instant?

  /// - Parameters:
  ///   - verb: The kind of work: `receiving`.
  ///   - end: Ends the work at the user's request.
  package init(
    _ verb: String, _ action: Scene.Row.Action, on loop: EventLoop, end: @escaping () -> Void,
    onChange: @escaping (RowActivity) -> Void
  ) {
    progress = WorkProgress(verb, at: .now)
    self.action = action
    self.loop = loop
    self.end = end
    self.onChange = onChange
    loop.after(Self.patience) { [weak self] in self?.tick() }
  }

  package func stop() { end() }

  // MARK: Progress

  /// Begins another part of the work, with new progress.
  package func begin(_ verb: String) {
    progress = WorkProgress(verb, at: .now)
    changed()
  }

  /// Shows at once that the work waits for the user.
  ///
  /// - Parameter words: `waiting for your choice`.
  package func wait(_ words: String) {
    progress = WorkProgress(words, isWaiting: true, at: .now)
    show()
  }

  /// - Parameters:
  ///   - done: In bytes.
  ///   - whole: The total in bytes; `nil` if it is unknown. A total that is 0 or less than `done` is ignored.
  package func advance(to done: Int, of whole: Int?) {
    progress.advance(to: done, of: whole, at: .now)
    changed()
  }

  /// - Parameter fraction: The part of the work that is done, from 0 to 1, for work that is not measured in bytes.
  package func advance(to fraction: Double) {
    progress.advance(to: fraction)
    changed()
  }

  // MARK: The row

  private func changed() {
    if let shown, .now - shown >= Self.pause { show() }
  }

  private func tick() {
    if shown.map({ .now - $0 >= Self.pause }) ?? true { show() }
    loop.after(Self.interval) { [weak self] in self?.tick() }
  }

  private func show() {
    let now = ContinuousClock.now
    shown = now
    onChange(progress.activity(action, at: now))
  }
}

struct WorkProgress: Equatable, Sendable {
  private let verb: String
  private let isWaiting: Bool
  private var fraction: Double?
  /// In bytes.
  private var done = 0
  /// In bytes; `nil` if it is unknown.
  private var whole: Int?
  /// The time of the last progress.
  private var advancedAt: ContinuousClock.Instant
  private var meter: TransferMeter

  /// After this time without progress, the row shows how long the transfer has stalled instead of its rate.
  private static let patience = Duration.seconds(2)

  /// - Parameter verb: The kind of work: `receiving`.
  init(_ verb: String, isWaiting: Bool = false, at now: ContinuousClock.Instant) {
    self.verb = verb
    self.isWaiting = isWaiting
    advancedAt = now
    meter = TransferMeter(start: now)
  }

  mutating func advance(to done: Int, of whole: Int?, at now: ContinuousClock.Instant) {
    if done != self.done { advancedAt = now }
    self.done = done
    self.whole = whole.flatMap { $0 > 0 && $0 >= done ? $0 : nil }
    fraction = self.whole.map { Double(done) / Double($0) }
    meter.advance(to: done, at: now)
  }

  mutating func advance(to fraction: Double) { self.fraction = fraction }

  func activity(_ action: Scene.Row.Action, at now: ContinuousClock.Instant) -> RowActivity {
    let facts = facts(at: now)
    return RowActivity(
      words: ([verb] + facts).joined(separator: ", "), amount: amount, rest: meter.restWords(of: whole, at: now),
      progress: isWaiting ? nil : fraction.map { .fraction($0) } ?? .indeterminate, action: action)
  }

  /// How much is done: `12.0 MiB of 40.0 MiB`; `nil` if nothing is done, or if the work waits.
  private var amount: String? {
    guard done > 0, !isWaiting else { return nil }
    let size = Formatting.size(done)
    return whole.map { "\(size) of \(Formatting.size($0))" } ?? size
  }

  /// The rate and the remaining time if both are known, otherwise the amount and any rate: a row has no room for all
  /// three. In a stall, the amount and the time without progress.
  private func facts(at now: ContinuousClock.Instant) -> [String] {
    guard let amount else { return [] }
    let silence = now - advancedAt
    if silence >= Self.patience, done != whole {
      return [Formatting.size(done), "nothing for \(Int(silence / .seconds(1))) s"]
    }
    let words = meter.words(of: whole, at: now)
    return words.count == 2 ? words : [amount] + words
  }
}

/// Computes the rate of a transfer and its remaining time.
///
/// The rate is measured over the last seconds, so it soon shows that a transfer has become slower or has stopped.
package struct TransferMeter: Equatable, Sendable {
  /// The rate is measured since the newest sample that is at least this old, or since the first.
  package static let span = Duration.seconds(5)
  /// A rate over a shorter time would fluctuate.
  package static let shortestSpan = Duration.seconds(1)
  /// The shortest time between two samples.
  private static let interval = Duration.milliseconds(250)

  private struct Sample: Equatable {
    var time: ContinuousClock.Instant
    var byteCount: Int
  }

  /// In the order of their times. The first is the newest that was at least ``span`` old, or else the start.
  private var samples: [Sample]
  private var byteCount = 0

  /// - Parameter start: When the transfer began.
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

  /// Returns how long the rest will take; `nil` while that is not known, and if the rate is 0.
  ///
  /// - Parameter whole: In bytes.
  package func rest(of whole: Int, at now: ContinuousClock.Instant) -> Duration? {
    guard let rate = rate(at: now), rate > 0 else { return nil }
    let seconds = Double(max(0, whole - byteCount)) / rate
    // An estimate of more than 30 years is useless.
    return seconds < 1e9 ? .seconds(seconds) : nil
  }

  /// Returns the rate and the remaining time, if they are known, for display: `3.0 MiB/s`, `9 s left`.
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
