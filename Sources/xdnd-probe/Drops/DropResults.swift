import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The results of the drops, and the exit status of the tool, which may end after a number of them.
final class DropResults {
  /// Whether no work is in progress that must finish before the tool ends.
  var isIdle: () -> Bool = { true }

  private let content: WindowContent
  private let reporter: Reporter
  private let loop: EventLoop
  private var tally: DropTally
  /// The status of the last drop that failed.
  private var finalStatus = ExitStatus.dropped
  /// The exit status to use when all work in progress is done.
  private var pendingStatus: ExitStatus?

  init(limit: Int?, content: WindowContent, reporter: Reporter, on loop: EventLoop) {
    tally = DropTally(limit: limit)
    self.content = content
    self.reporter = reporter
    self.loop = loop
  }

  func begin(_ drop: any ProbeDrop) { tally.begin(drop) }

  /// - Parameters:
  ///   - isLate: Whether the drop may have ended already. The exit status then records the failure even if success was
  ///     reported to the source.
  ///   - isShown: Whether the drop's row already shows the failure.
  func fail(_ drop: any ProbeDrop, _ failure: DropFailure, isLate: Bool = false, isShown: Bool = false) {
    reporter.print(.failure(failure))
    if let cancellation = failure.cancellation {
      // The row must not show the copy that may have been reported to the source.
      content.drops.update(drop) { $0.ending = cancellation }
    } else if !isShown {
      content.showFailure(Formatting.visible(failure.sentence), of: drop)
    }
    reject(drop, failure.status)
    if isLate, pendingStatus == .dropped { pendingStatus = failure.status }
  }

  func reject(_ drop: any ProbeDrop, _ status: ExitStatus) {
    tally.noteFailure(status, of: drop)
    drop.reject()
  }

  func status(of drop: any ProbeDrop, _ result: DropResult) -> ExitStatus { tally.status(of: drop, result) }

  /// Counts a finished drop; ends the tool if it was the last one.
  func count(_ status: ExitStatus) {
    if status != .dropped { finalStatus = status }
    guard tally.countDrop() else { return }
    // Copying, undoing, checksums and commands continue without the source.
    if isIdle() { loop.stop(finalStatus) } else { pendingStatus = pendingStatus ?? finalStatus }
  }

  /// Ends the tool if it only waited for work that is done now.
  func stopIfDone() {
    if let pendingStatus, isIdle() { loop.stop(pendingStatus) }
  }
}

/// The exit statuses of drops, and the number of drops until the tool ends.
struct DropTally {
  /// `nil` for no limit.
  private var dropsLeft: Int?
  /// The reasons for failures of drops whose end has not been reported yet.
  private var failures: [ObjectIdentifier: ExitStatus] = [:]

  init(limit: Int?) { dropsLeft = limit }

  /// Forgets the failure of an earlier drop with the same identity, which may have failed after its end.
  mutating func begin(_ drop: any ProbeDrop) { failures[ObjectIdentifier(drop)] = nil }

  mutating func noteFailure(_ status: ExitStatus, of drop: any ProbeDrop) { failures[ObjectIdentifier(drop)] = status }

  /// Returns the exit status of a drop that has ended.
  mutating func status(of drop: any ProbeDrop, _ result: DropResult) -> ExitStatus {
    switch result {
    // Success may have been reported to the source before the file arrived.
    case .finished: failures.removeValue(forKey: ObjectIdentifier(drop)) ?? .dropped
    case .rejected: failures.removeValue(forKey: ObjectIdentifier(drop)) ?? .refused
    case .sourceVanished: .peerDied
    case .timedOut: .timedOut
    }
  }

  /// Counts a drop. Returns whether it was the last one.
  mutating func countDrop() -> Bool {
    guard let left = dropsLeft else { return false }
    dropsLeft = left - 1
    return left <= 1
  }
}

extension DropExit {
  /// The exit status if the drag counts as a drop that failed.
  var status: ExitStatus? {
    switch self {
    case .sourceVanished: .peerDied
    case .refused: .refused
    case .left, .replaced, .unregistered: nil
    }
  }
}

/// Why content could not be fetched, stored or processed.
struct DropFailure: Error {
  let sentence: String
  let status: ExitStatus

  init(_ sentence: String, _ status: ExitStatus = .transferFailed) {
    self.sentence = sentence
    self.status = status
  }

  static let cancelledByUser = DropFailure("cancelled by the user", .cancelled)

  /// The text for the row of a cancelled drop; `nil` for other failures. If the user has cancelled in this window, the
  /// text does not say who.
  var cancellation: String? {
    guard status == .cancelled else { return nil }
    return sentence == Self.cancelledByUser.sentence ? status.words : sentence
  }

  init(_ error: XDnDError) {
    let status = ExitStatus(error)
    switch error.code {
    case .sourceVanished: self.init(status.words, status)
    // A cancellation by the user ends with ``cancelledByUser``.
    case .cancelled: self.init("cancelled by the other program", status)
    default: self.init(error.message, status)
    }
  }
}

extension Report {
  static func failure(_ failure: DropFailure) -> Report {
    let sentence = Formatting.visible(failure.sentence)
    return Report(
      "failed", failure.status == .cancelled ? "\(sentence.capitalizedFirst)." : "Failed: \(sentence).",
      ["reason": .string(failure.sentence), "status": .string(failure.status.word)])
  }
}
