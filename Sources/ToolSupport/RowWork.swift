package import XDnDToolWindow

/// Work that a row shows with a bar and a button that ends it.
///
/// Work that is done in a moment is not shown.
package final class RowWork {
  /// How long work goes on before it is shown, in seconds.
  private static let patience = 0.3
  /// After how many seconds without news the row is updated: its times go on.
  private static let interval = 1.0
  /// The shortest time between two updates.
  private static let pause = Duration.milliseconds(100)

  /// Called with what the row shows.
  private let onChange: (RowActivity) -> Void
  private let action: Scene.Row.Action
  private let loop: EventLoop
  private let end: () -> Void
  private var progress: WorkProgress
  /// When the row was last updated; `nil` before the work is shown.
  private var shown: ContinuousClock.Instant?

  /// - Parameters:
  ///   - verb: What is done: `receiving`.
  ///   - end: Ends the work at the user's wish.
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

  /// Ends the work at the user's wish.
  package func stop() { end() }

  // MARK: Progress

  /// Begins another part of the work, of which nothing is done yet.
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
  ///   - whole: `nil` if it is unknown. One that is less than `done` counts as unknown.
  package func advance(to done: Int, of whole: Int?) {
    progress.advance(to: done, of: whole, at: .now)
    changed()
  }

  /// - Parameter fraction: The part of the work that is done, from 0 to 1, if bytes do not measure it.
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

/// How far work is, as a value.
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

  /// - Parameter verb: What is done: `receiving`.
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

  /// How much is done of the whole: `12.0 MiB of 40.0 MiB`; `nil` for nothing.
  private var amount: String? {
    guard done > 0, !isWaiting else { return nil }
    let size = Formatting.size(done)
    return whole.map { "\(size) of \(Formatting.size($0))" } ?? size
  }

  /// The rate and the remaining time; the amount while either is unknown. A row has no room for all three.
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
