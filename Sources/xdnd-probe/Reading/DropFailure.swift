import ToolSupport
import XDnD

/// Why content could not be fetched, stored or processed.
struct DropFailure: Error {
  let sentence: String
  let status: ExitStatus

  init(_ sentence: String, _ status: ExitStatus = .transferFailed) {
    self.sentence = sentence
    self.status = status
  }

  init(_ error: XDnDError) { self.init(error.message, ExitStatus(error)) }
}

extension Report {
  static func failure(_ failure: DropFailure) -> Report {
    Report(
      "failed", "Failed: \(Humane.visible(failure.sentence)).",
      ["reason": .string(failure.sentence), "status": .string(failure.status.word)])
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

extension ExitStatus {
  /// - Parameter failure: Why the tool rejected the drop; `nil` if it did not.
  init(_ result: DropResult, rejectedFor failure: ExitStatus?) {
    switch result {
    case .finished: self = .dropped
    case .rejected: self = failure ?? .refused
    case .sourceVanished: self = .peerDied
    case .timedOut: self = .timedOut
    }
  }
}
