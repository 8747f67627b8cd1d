import Glibc
public import XDnD

/// How the tools end: the codes are documented in `docs/exit-codes.md` and do not change.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  /// The content was dropped, and taken.
  case dropped = 0
  /// There was a target, or an offer, and it was not wanted.
  case refused = 1
  /// The user, or a signal, ended it without a drop.
  case cancelled = 2
  /// The button went up where nothing takes drops.
  case noTarget = 3
  /// Nothing happened, or the other side did not answer, in time.
  case timedOut = 4
  /// The other side died.
  case peerDied = 5
  /// The drop was taken, but the data did not arrive, or could not be stored.
  case transferFailed = 6
  /// The target has finished, and has not asked for any content.
  case nothingRequested = 7
  /// The arguments make no sense: `EX_USAGE`.
  case usage = 64
  /// No X server can be reached: `EX_UNAVAILABLE`.
  case noDisplay = 69
  /// The connection to the X server is lost: `EX_IOERR`.
  case serverLost = 74

  /// The status of a drag that ended so.
  public init(_ outcome: DragOutcome) {
    switch outcome {
    case .dropped, .unconfirmed: self = .dropped
    case .refused: self = .refused
    case .noTarget: self = .noTarget
    case .cancelled: self = .cancelled
    case .timedOut: self = .timedOut
    case .targetVanished: self = .peerDied
    case .transferFailed: self = .transferFailed
    case .serverLost: self = .serverLost
    }
  }

  /// The status of a load that failed so.
  public init(_ error: XDnDError) {
    switch error.code {
    case .displayClosed: self = .serverLost
    case .displayUnavailable: self = .noDisplay
    case .sourceVanished: self = .peerDied
    case .timedOut: self = .timedOut
    case .cancelled: self = .cancelled
    case .transferRefused: self = .refused
    default: self = .transferFailed
    }
  }

  /// Ends the tool, at once: a thread may still be looking for icons or fonts, and must not see libraries being taken down under
  /// it, of which GLib complains on standard output.
  ///
  /// What the tool has printed and nobody has read yet is written before: reports as long as their reader goes on reading, and
  /// content without a limit, if the tool has done what it was to do. A signal ends that.
  public func leave() -> Never {
    EndSignals.endAtOnce(with: rawValue)
    for output in [OutputBuffer.standardOutput, .standardError] { output.finish(waitsForContent: self == .dropped) }
    _exit(rawValue)
  }

  /// The word that reports use.
  public var word: String {
    switch self {
    case .dropped: "dropped"
    case .refused: "refused"
    case .cancelled: "cancelled"
    case .noTarget: "no-target"
    case .timedOut: "timed-out"
    case .peerDied: "peer-died"
    case .transferFailed: "transfer-failed"
    case .nothingRequested: "nothing-requested"
    case .usage: "usage"
    case .noDisplay: "no-display"
    case .serverLost: "server-lost"
    }
  }
}
