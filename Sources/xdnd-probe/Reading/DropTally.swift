import XDnDToolSupport
import XDnD

/// The exit statuses of drops, and the number of drops until the tool ends.
struct DropTally {
  /// `nil` for no limit.
  private var dropsLeft: Int?
  /// The reasons for failures of drops whose end has not been reported yet.
  private var failures: [ObjectIdentifier: ExitStatus] = [:]

  init(limit: Int?) { dropsLeft = limit }

  /// Forgets what an earlier drop with the same identity has left: it may fail after its end.
  mutating func begin(_ drop: any ProbeDrop) { failures[ObjectIdentifier(drop)] = nil }

  mutating func noteFailure(_ status: ExitStatus, of drop: any ProbeDrop) { failures[ObjectIdentifier(drop)] = status }

  /// Returns the exit status of a drop that has ended.
  mutating func status(of drop: any ProbeDrop, _ result: DropResult) -> ExitStatus {
    switch result {
    // The source may have been told of success before the file came.
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
