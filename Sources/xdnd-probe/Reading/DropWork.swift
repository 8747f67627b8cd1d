import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The work on one drop, which the drop's row shows with a bar and a button that ends it.
///
/// Work that is done in a moment is not shown.
final class DropWork {
  /// How long work goes on before it is shown, in seconds.
  private static let patience = 0.3
  /// After how many seconds without news the row is updated: its times go on.
  private static let interval = 1.0
  /// The shortest time between two updates.
  private static let pause = Duration.milliseconds(100)

  /// Called with what the row shows.
  private let onChange: (DropActivity) -> Void
  private let action: Scene.Row.Action
  private let loop: EventLoop
  private let end: () -> Void
  /// Follows the loads of the drop; `nil` for a paste: see ``received(_:of:from:)``.
  private let placeholder: DropPlaceholder?
  private var verb: String
  private var fraction: Double?
  private var byteCount: (done: Int, whole: Int?) = (0, nil)
  private var meter = TransferMeter(start: .now)
  /// When the row was last updated; `nil` before the work is shown.
  private var shown: ContinuousClock.Instant?

  /// - Parameters:
  ///   - verb: What is done: `fetching`.
  ///   - end: Ends the work at the user's wish.
  init(
    on drop: any ProbeDrop, _ verb: String, _ action: Scene.Row.Action, loop: EventLoop, end: @escaping () -> Void,
    onChange: @escaping (DropActivity) -> Void
  ) {
    self.verb = verb
    self.action = action
    self.loop = loop
    self.end = end
    self.onChange = onChange
    placeholder = drop.session.map { DropPlaceholder(for: $0) }
    placeholder?.onChange = { [weak self] in self?.received($0.progress) }
    loop.after(Self.patience) { [weak self] in self?.tick() }
  }

  /// Ends the work at the user's wish.
  func stop() { end() }

  // MARK: Progress

  /// Begins another part of the work, of which nothing is done yet.
  func begin(_ verb: String) {
    self.verb = verb
    fraction = nil
    byteCount = (0, nil)
    meter = TransferMeter(start: .now)
    changed()
  }

  private func received(_ progress: LoadProgress) {
    advance(to: progress.receivedByteCount, of: progress.expectedByteCount)
  }

  /// Follows a load of a paste. The loads of a drop are followed together.
  func received(_ done: Int, of whole: Int?, from drop: any ProbeDrop) {
    if drop.session == nil { advance(to: done, of: whole) }
  }

  /// - Parameters:
  ///   - done: In bytes.
  ///   - whole: `nil` if it is unknown. A load says what its source has announced, which may be less than what comes, and
  ///     means nothing once that much has arrived.
  func advance(to done: Int, of whole: Int?) {
    let whole = whole.flatMap { $0 > done ? $0 : nil }
    byteCount = (done, whole)
    fraction = whole.map { Double(done) / Double($0) }
    meter.advance(to: done, at: .now)
    changed()
  }

  /// - Parameter fraction: The part of the work that is done, from 0 to 1, if bytes do not measure it.
  func advance(to fraction: Double) {
    self.fraction = fraction
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
    onChange(
      DropActivity(
        words: ([verb] + facts(at: now)).joined(separator: ", "),
        progress: fraction.map { .fraction($0) } ?? .indeterminate, action: action))
  }

  /// How much is done, how fast, and how long the rest takes.
  private func facts(at now: ContinuousClock.Instant) -> [String] {
    guard byteCount.done > 0 else { return [] }
    let done = Formatting.size(byteCount.done)
    return [byteCount.whole.map { "\(done) of \(Formatting.size($0))" } ?? done]
      + meter.words(of: byteCount.whole, at: now)
  }
}
