import XDnDToolSupport
import XDnD

/// Why content could not be fetched, stored or processed.
struct DropFailure: Error {
  let sentence: String
  let status: ExitStatus

  init(_ sentence: String, _ status: ExitStatus = .transferFailed) {
    self.sentence = sentence
    self.status = status
  }

  static let cancelledByUser = DropFailure("cancelled by the user", .cancelled)

  init(_ error: XDnDError) {
    let isGone = error.code == .sourceVanished
    self.init(isGone ? ExitStatus.peerDied.words : error.message, ExitStatus(error))
  }
}

extension Report {
  static func failure(_ failure: DropFailure) -> Report {
    let sentence = Formatting.visible(failure.sentence)
    let isCancelled = failure.sentence == DropFailure.cancelledByUser.sentence
    return Report(
      "failed", isCancelled ? "\(sentence.capitalizedFirst)." : "Failed: \(sentence).",
      ["reason": .string(failure.sentence), "status": .string(failure.status.word)])
  }
}
