import Glibc
package import XDnD

/// The exit statuses of both tools. `docs/exit-codes.md` documents them; they are stable.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// The drop or other task succeeded; or the target received the content completely, although it reported failure.
  case dropped = 0
  /// The target refused the drag, the tool refused the offer, or a rule of conformance is broken.
  case refused = 1
  /// The user, a signal or another program ended the drag, or the transfer after the drop.
  case cancelled = 2
  /// The button was released where no window accepts drops, or the chosen window cannot be used.
  case noTarget = 3
  /// Nothing happened in time, or the peer did not answer in time.
  case timedOut = 4
  case peerDied = 5
  /// The drop was accepted, but the data did not arrive or could not be stored.
  case transferFailed = 6
  /// The target finished the drop without requesting any content.
  case nothingRequested = 7
  /// Invalid arguments or unreadable input: `EX_USAGE`.
  case usage = 64
  /// No X server is reachable: `EX_UNAVAILABLE`.
  case noDisplay = 69
  /// The connection to the X server was lost: `EX_IOERR`.
  case serverLost = 74

  package init(_ outcome: DragOutcome) {
    switch outcome {
    case .dropped, .unconfirmed, .delivered: self = .dropped
    case .refused: self = .refused
    case .noTarget: self = .noTarget
    case .cancelled: self = .cancelled
    case .timedOut: self = .timedOut
    case .targetVanished: self = .peerDied
    case .transferFailed: self = .transferFailed
    case .serverLost: self = .serverLost
    }
  }

  /// The status for a drag as its source has observed it: a target can report success without having received the
  /// content.
  ///
  /// - Parameters:
  ///   - isRequested: Whether the target has requested content.
  ///   - hasDelivered: Whether content was delivered.
  ///   - hasFailed: Whether content could not be delivered.
  package init(_ outcome: DragOutcome, isRequested: Bool, hasDelivered: Bool, hasFailed: Bool) {
    self =
      if outcome.operation == nil {
        ExitStatus(outcome)
      } else if !isRequested {
        .nothingRequested
      } else {
        hasFailed && !hasDelivered ? .transferFailed : ExitStatus(outcome)
      }
  }

  /// The status for an operation that failed with this error.
  package init(_ error: XDnDError) {
    switch error.code {
    case .displayClosed: self = .serverLost
    case .displayUnavailable: self = .noDisplay
    case .sourceVanished: self = .peerDied
    case .timedOut: self = .timedOut
    case .cancelled: self = .cancelled
    case .transferRefused: self = .refused
    case .noWindow, .windowUnavailable: self = .noTarget
    default: self = .transferFailed
    }
  }

  /// Ends the process at once, without exit handlers: a thread may still be searching for icons or fonts while
  /// libraries shut down, and GLib then complains on standard output.
  ///
  /// Pending output is written first, until its reader has read nothing for 5 seconds. There is no time limit for
  /// content if this is ``dropped``. A signal ends the wait.
  package func exit() -> Never {
    TerminationSignals.exitAtOnce(with: rawValue)
    for output in [OutputBuffer.standardOutput, .standardError] { output.finish(waitsForContent: self == .dropped) }
    _exit(rawValue)
  }

  /// How a drop ended, for the user, without the target's name: `not taken`.
  package var words: String {
    switch self {
    case .dropped: "done"
    case .refused: "not taken"
    case .cancelled: "cancelled"
    case .noTarget: "nothing there takes drops"
    case .timedOut: "the other program did not answer in time"
    case .peerDied: "the other program closed before it finished"
    case .nothingRequested: "the other program did not ask for the content"
    case .transferFailed, .usage: "failed"
    case .noDisplay, .serverLost: "the connection to the X server is lost"
    }
  }

  /// The status as a word in reports: the name of the case with hyphens, such as `timed-out`.
  package var word: String {
    String("\(self)".flatMap { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" })
  }
}

extension DragOutcome {
  /// The outcome as a word in reports: the word of its exit status, or ``deliveredWord``.
  package var word: String { self == .delivered ? Self.deliveredWord : ExitStatus(self).word }

  /// The word for ``DragOutcome/delivered``, whose exit status is ``ExitStatus/dropped``.
  package static let deliveredWord = "delivered"
}
