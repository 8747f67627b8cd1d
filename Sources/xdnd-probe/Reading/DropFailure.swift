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

  /// What the row of the drop says, if it was cancelled. The user knows who has cancelled here.
  var cancellation: String? {
    guard status == .cancelled else { return nil }
    return sentence == Self.cancelledByUser.sentence ? status.words : sentence
  }

  init(_ error: XDnDError) {
    let status = ExitStatus(error)
    switch error.code {
    case .sourceVanished: self.init(status.words, status)
    // What the user cancels here ends with ``cancelledByUser``.
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
