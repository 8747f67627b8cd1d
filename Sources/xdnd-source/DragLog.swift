import ToolSupport
import XDnD

/// Follows one drag from its beginning to its true end, and reports it.
///
/// The true end can be later than Finished. Dolphin finishes first and asks for the content then, and other targets
/// finish while the last part is on its way. So a target that has finished without asking is served for a while, and
/// `ended` says what came of it.
final class DragLog {
  let drag: DragSession
  /// The rows that are dragged, by number.
  let rows: [Int]
  /// How the drag has ended; `nil` while it goes on.
  private(set) var status: ExitStatus?
  private(set) var transfers = Transfers()

  private let titles: [String]
  /// How many bytes the content has, if that is known.
  private let size: Int?
  private let reporter: Reporter
  private let loop: EventLoop
  /// In seconds; see ``DragOptions/linger``.
  private var linger: Double
  private let onEnd: (DragLog, DragOutcome) -> Void
  private var isDropped = false
  private var outcome: DragOutcome?
  /// Whether a request is awaited, although the target has finished. The number tells an old timer from the newest.
  private var lingering: Int?
  private var lingerings = 0
  private var hasDelivered = false
  private var hasFailed = false

  /// How long a target that has asked late is silent before it is done, in seconds: some ask for one type after another.
  private static let pause = 1.0

  /// - Parameters:
  ///   - all: All rows, of which `rows` are dragged.
  ///   - onEnd: Called once, at the true end.
  init(
    _ drag: DragSession, rows: [Int], of all: [SourceRow], _ reporter: Reporter, on loop: EventLoop, linger: Double,
    onEnd: @escaping (DragLog, DragOutcome) -> Void
  ) {
    self.drag = drag
    self.rows = rows
    self.reporter = reporter
    self.loop = loop
    self.linger = linger
    self.onEnd = onEnd
    titles = rows.map { all[$0].title }
    size = rows.count == 1 ? all[rows[0]].size : nil
  }

  /// Whether the content was dropped, and something is still expected: Finished, a request, or the end of a transfer.
  var isDelivering: Bool { isDropped && status == nil || status != nil && drag.isSending || drag.isWriting }

  /// Whether it is not known yet if there is a drop: the drag is held, or the target owes its answer.
  var isUndecided: Bool { !isDropped && outcome == nil }

  func began() { reporter.print(.began(drag, titles)) }

  func dropped(_ operation: DragOperation) {
    isDropped = true
    reporter.print(.dropSent(operation))
  }

  /// - Returns: Whether people want to see how far it is.
  func sent(_ byteCount: Int, of type: ContentType) -> Bool {
    let total = type == .uriList ? nil : size
    let news = transfers.sent(byteCount, of: type, total: total)
    if news.isDue { reporter.printForPrograms(.progress(news.byteCount, of: type, total: total)) }
    if news.isVisible {
      reporter.progressBar?.show(titles.count == 1 ? titles[0] : type.name, news.byteCount, of: total)
    }
    return news.isVisible
  }

  func finishedSending(_ type: ContentType, successfully: Bool) {
    transfers.finished(type)
    if successfully { hasDelivered = true } else { hasFailed = true }
    reporter.print(.sent(type, isSuccessful: successfully))
    if lingering != nil, !drag.isSending { wait(min(linger, Self.pause)) }
    settle()
  }

  func deletionRequested() {
    // Before the end it is a field of `ended`.
    if status != nil { reporter.print(.deletionRequested) }
  }

  func ended(_ outcome: DragOutcome) {
    self.outcome = outcome
    if let operation = outcome.operation, !drag.isContentRequested {
      reporter.print(.finished(operation))
      wait(linger)
    }
    settle()
  }

  /// Waits for requests no longer, now and later: nobody can ask any more, or the tool is to end.
  func stopLingering() {
    linger = 0
    lingering = nil
    settle()
  }

  private func wait(_ seconds: Double) {
    lingerings += 1
    let number = lingerings
    lingering = number
    loop.after(seconds) { [weak self] in
      // What has been asked for meanwhile is sent to its end, however long that takes.
      guard let self, lingering == number, !drag.isSending else { return }
      lingering = nil
      settle()
    }
  }

  private func settle() {
    guard let outcome, status == nil else { return }
    if outcome.operation != nil { guard lingering == nil, !drag.isSending else { return } }
    let status = verdict(on: outcome)
    self.status = status
    reporter.print(.ended(drag, outcome, status))
    onEnd(self, outcome)
  }

  /// What truly happened: a target can say that it has taken what it never got.
  private func verdict(on outcome: DragOutcome) -> ExitStatus {
    guard outcome.operation != nil else { return ExitStatus(outcome) }
    guard drag.isContentRequested else { return .nothingRequested }
    return hasFailed && !hasDelivered ? .transferFailed : ExitStatus(outcome)
  }
}
