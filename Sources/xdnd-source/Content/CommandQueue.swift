import Glibc
import XDnDToolSupport
import XDnD

/// Runs the commands of `--type MIME=!COMMAND`, a limited number at once. Further requests wait for their turn, as
/// long as their requestor does.
final class CommandQueue {
  private let limit: Int
  /// The maximum number of running commands per requestor window, so that one requestor cannot starve the others.
  private var windowLimit: Int { (limit + 1) / 2 }

  /// The waiting commands, first come, first served. Each is owned by its data request.
  private var waiting: [Entry] = []
  private var running: [WindowID: Int] = [:]

  private struct Entry {
    let requestor: WindowID
    weak var output: CommandOutput?
  }

  static let usualLimit = 8

  init(limit: Int) { self.limit = limit }

  /// Fulfills a data request with the standard output of `command`.
  func fulfill(_ request: DataRequest, with command: String) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return request.refuse() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let requestor = request.requestor
    let output = CommandOutput(RawArgument.bytes(of: command), writingTo: ends[1]) { [weak self] in
      self?.ended(requestor, wasRunning: $0)
    }
    waiting.append(Entry(requestor: requestor, output: output))
    startNext()
    // The request owns the closure while its requestor wants the content. When the request ends, the command is
    // released and terminated.
    request.fulfill(readingFrom: ends[0], isComplete: { output.hasSucceeded() })
  }

  private func ended(_ requestor: WindowID, wasRunning: Bool) {
    if wasRunning { running[requestor] = running[requestor].flatMap { $0 > 1 ? $0 - 1 : nil } }
    startNext()
  }

  private func startNext() {
    waiting.removeAll { $0.output == nil }
    while running.values.reduce(0, +) < limit,
      let index = waiting.firstIndex(where: { running[$0.requestor, default: 0] < windowLimit })
    {
      let entry = waiting.remove(at: index)
      // A command that cannot be started counts as failed; its reader sees an empty output that is not complete.
      if entry.output?.start() == true { running[entry.requestor, default: 0] += 1 }
    }
  }
}
