import XDnDFiles
import XDnDToolSupport
import XDnD

/// Reports one drag, from its beginning until its last possible request.
///
/// That can be later than `XdndFinished`: Dolphin 22.12 finishes first and then requests the content, and other
/// targets finish while the last chunk is in transit. A target that finished without a request is therefore served for
/// ``DragOptions/linger`` seconds, and `ended` reports the result.
final class DragLog {
  let drag: DragSession
  /// The indices of the dragged rows.
  let rows: [Int]
  private(set) var status: ExitStatus?
  /// The result for the user, as a sentence.
  var sentence = ""
  /// The name of the target; `nil` if it has none, and before the drop.
  private(set) var targetName: String?

  private var transfers = Transfers()
  private let titles: [String]
  private let size: Int?
  private let session: DriverSession
  /// In seconds; see ``DragOptions/linger``.
  private var linger: Double
  private let onEnd: (DragOutcome, ExitStatus) -> Void
  /// The operation in the drop; `nil` before the drop.
  private(set) var droppedOperation: DragOperation?
  private var outcome: DragOutcome?
  /// The end of the wait for requests after `XdndFinished`; `nil` if there is none. It distinguishes the newest timer
  /// from older ones.
  private var lingerDeadline: ContinuousClock.Instant?
  private var hasDelivered = false
  private var hasFailed = false
  /// Whether the user has cancelled the delivery.
  private var isCancelled = false
  /// Why the content could not be made or written; `nil` for other reasons.
  private var reason: String?

  /// How long to wait for another request after a late one, in seconds: some targets request one type after another.
  private static let pause = 1.0

  /// - Parameter onEnd: Called once, when the drag has ended and no request is awaited, before `ended` is reported: a
  ///   program that reads `ended` finds the rows updated.
  init(
    _ drag: DragSession, rows: [Int], shown: [SourceRow], _ session: DriverSession, linger: Double,
    onEnd: @escaping (DragOutcome, ExitStatus) -> Void
  ) {
    self.drag = drag
    self.rows = rows
    self.session = session
    self.linger = linger
    self.onEnd = onEnd
    titles = shown.map(\.title)
    size = shown.count == 1 ? shown[0].size : nil
  }

  private var isDropped: Bool { droppedOperation != nil }

  /// Whether the content was dropped and `XdndFinished`, a request or the end of a transfer is still expected.
  var isDelivering: Bool { isDropped && status == nil || status != nil && drag.isSending || drag.isWriting }

  /// Whether the target has received all requested content, and only `XdndFinished` is expected.
  var waitsForAnswer: Bool { isDropped && outcome == nil && !drag.isSending && !drag.isWriting }

  /// Whether the drop is undecided: the drag is in progress, or the target's `XdndStatus` is outstanding.
  var isUndecided: Bool { !isDropped && outcome == nil }

  func began() { session.reporter.print(.began(drag, titles)) }

  func dropped(_ operation: DragOperation, onTarget name: String? = nil) {
    droppedOperation = operation
    targetName = name
    session.reporter.print(.dropSent(operation))
  }

  func sent(_ byteCount: Int, of type: ContentType) {
    let total = type == .uriList ? nil : size
    let news = transfers.sent(byteCount, of: type)
    if news.isDue { session.reporter.printForPrograms(.progress(news.byteCount, of: type, total: total)) }
    if news.isVisible {
      session.reporter.progressBar?.show(titles.count == 1 ? titles[0] : type.name, news.byteCount, of: total)
    }
  }

  func finishedSending(_ type: ContentType, successfully: Bool) {
    transfers.finished(type)
    if !successfully {
      hasFailed = true
      reason = CommandOutput.takeFailure() ?? reason
    }
    // For a direct save, only the answer is sent here; see ``wrote(_:)``.
    if successfully, type != .directSave { hasDelivered = true }
    let report = Report.sent(type, isSuccessful: successfully)
    // A user who has cancelled knows why. A direct save is reported by `saved`.
    let reporter = session.reporter
    if isCancelled || type == .directSave { reporter.printForPrograms(report) } else { reporter.print(report) }
    if lingerDeadline != nil, !drag.isSending { wait(min(linger, Self.pause)) }
    settle()
  }

  /// Handles the end of writing a promised file, which can outlast the drag.
  ///
  /// - Parameter error: Why it was not written; `nil` if it was.
  func wrote(_ error: XDnDError?) {
    if let error {
      hasFailed = true
      reason = error.cause.map { SystemError($0).message } ?? CommandOutput.takeFailure() ?? reason
    } else {
      hasDelivered = true
    }
    settle()
  }

  func deletionRequested() {
    // Before the end, the deletion is reported as a field of `ended`.
    if status != nil { session.reporter.print(.deletionRequested) }
  }

  func ended(_ outcome: DragOutcome) {
    self.outcome = outcome
    if let operation = outcome.operation, !drag.isContentRequested {
      session.reporter.print(.finished(operation))
      wait(linger)
    }
    settle()
  }

  /// Stops waiting for requests, now and later: the content is released, or the tool is about to end.
  func stopLingering() {
    linger = 0
    lingerDeadline = nil
    settle()
  }

  /// Ends the delivery at the user's request.
  func cancelDelivery() {
    isCancelled = true
    drag.cancelDelivery()
    // No more requests are answered.
    stopLingering()
  }

  private func wait(_ seconds: Double) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    lingerDeadline = deadline
    session.loop.after(seconds) { [weak self] in
      // A transfer that is in progress is completed, however long it takes.
      guard let self, lingerDeadline == deadline, !drag.isSending else { return }
      lingerDeadline = nil
      settle()
    }
  }

  private func settle() {
    guard var outcome, status == nil else { return }
    // A target may report failure while content is still being sent, and does not wait for a promised file that takes
    // long to write. The result is reported when both have ended.
    guard lingerDeadline == nil, !drag.isSending, !drag.isWriting else { return }
    // The outcome may be a success: the target may have finished before, or have been told that a file is saved.
    if isCancelled { outcome = .cancelled(.delivery) }
    let status = ExitStatus(
      outcome, isRequested: drag.isContentRequested, hasDelivered: hasDelivered, hasFailed: hasFailed)
    self.status = status
    sentence = outcome.sentence(as: status, of: drag, reason: reason, by: "xdnd-source")
    onEnd(outcome, status)
    session.reporter.print(.ended(drag, outcome, status, sentence))
  }
}

/// The progress of the transfers of one drag, for the terminal and for programs.
struct Transfers {
  private var types: [ContentType: Transfer] = [:]

  private struct Transfer {
    var byteCount = 0
    /// When the bar was last updated, or a value that delays its first update.
    var shown: ContinuousClock.Instant
    /// The byte count of the last report to programs.
    var told = 0
  }

  /// The effect of transferred bytes on the terminal and the reports.
  struct News: Equatable {
    var byteCount: Int
    /// Whether the bar on the terminal should be updated: at most ten times a second, and not in the first 0.3 s.
    var isVisible = false
    /// Whether a progress event is due: every 8 MiB.
    var isDue = false
  }

  private static let pace = Duration.milliseconds(100)
  /// Shorter transfers show no progress.
  private static let patience = Duration.milliseconds(300)

  mutating func sent(_ byteCount: Int, of type: ContentType, at now: ContinuousClock.Instant = .now) -> News {
    var transfer = types[type] ?? Transfer(shown: now + Self.patience - Self.pace)
    transfer.byteCount += byteCount
    var news = News(byteCount: transfer.byteCount)
    news.isDue = transfer.byteCount - transfer.told >= 8 << 20
    if news.isDue { transfer.told = transfer.byteCount }
    news.isVisible = now - transfer.shown >= Self.pace
    if news.isVisible { transfer.shown = now }
    types[type] = transfer
    return news
  }

  mutating func finished(_ type: ContentType) { types[type] = nil }
}

/// The reports of a drag, for people and for programs; `docs/json-lines.md` documents the events.
extension Report {
  static func began(_ drag: DragSession, _ titles: [String]) -> Report {
    let more = titles.count > 5 ? " and \(titles.count - 5) more" : ""
    return Report(
      "drag-began", "Dragging \(titles.prefix(5).joined(separator: ", "))\(more).",
      ["types": .strings(drag.types.map(\.name)), "operations": .strings(drag.operations.map(\.description))])
  }

  /// - Parameter name: The name of the window, if the report is for people.
  static func target(_ window: WindowID?, named name: String = "") -> Report {
    window.map {
      Report(
        "target", "Over \(name.isEmpty ? "a window without a name" : Formatting.quoted(name)).",
        ["window": .integer(Int($0.rawValue))])
    } ?? Report("target", "Nothing here takes drops.", ["window": nil])
  }

  static func proposal(_ operation: DragOperation?) -> Report {
    Report("proposal", "", ["operation": operation.map { .string($0.description) }])
  }

  static func answer(_ operation: DragOperation?, at point: Point) -> Report {
    Report(
      "answer", "At \(point.x),\(point.y): a drop would \(operation.map { OperationWords.verb($0) } ?? "be refused").",
      ["x": .integer(point.x), "y": .integer(point.y), "operation": operation.map { .string($0.description) }])
  }

  static func progress(_ bytes: Int, of type: ContentType, total: Int?) -> Report {
    Report(
      "progress", "\(Formatting.size(bytes)) of \(type) sent.",
      ["type": .string(type.name), "bytes": .integer(bytes), "expected": total.map { .integer($0) }])
  }

  static func saved(_ file: [UInt8], byteCount: Int) -> Report {
    // Some targets save under a name of their own first, and rename the file.
    let name = file.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? file
    return Report(
      "saved", "Saved \(Formatting.visible(RawArgument.string(name))): \(Formatting.bytes(byteCount)).",
      ["path": .path(file), "bytes": .integer(byteCount)])
  }

  static func notSaved(_ error: XDnDError) -> Report {
    Report(
      "not-saved", "Cannot save a promised file: \(Formatting.visible(error.message)).",
      ["reason": .string(error.message)])
  }

  static func finished(_ operation: DragOperation) -> Report {
    Report(
      "finished", "The other program finished without asking for the content; waiting for late requests.",
      ["operation": .string(operation.description)])
  }

  static func ended(_ drag: DragSession, _ outcome: DragOutcome, _ status: ExitStatus, _ sentence: String) -> Report {
    Report(
      "ended", sentence,
      [
        "outcome": .string(status == ExitStatus(outcome) ? outcome.word : status.word),
        "operation": outcome.performed(as: status).map { .string($0.description) },
        "reason": outcome.reason.map { .string($0) }, "delete": .boolean(drag.isDeletionRequested),
      ])
  }

  static let deletionRequested = Report("delete-requested", "The other program asked to delete the moved original.")
}
