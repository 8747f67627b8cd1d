import ToolSupport
import XDnD

/// Runs the commands whose output is content: a few at once, however often somebody asks. What is asked for besides waits
/// for its turn, as long as its requestor does.
final class CommandQueue {
  /// How many run at once.
  let limit: Int
  /// How many of them one window has at most, so that there is room for another one.
  private var windowLimit: Int { (limit + 1) / 2 }

  /// In the order in which they were asked for. Each is held by the request that wants its output.
  private var waiting: [Entry] = []
  private var running: [WindowID: Int] = [:]

  private struct Entry {
    let requestor: WindowID
    weak var output: CommandOutput?
  }

  static let usualLimit = 8

  init(limit: Int = CommandQueue.usualLimit) {
    self.limit = max(1, limit)
  }

  /// Answers a request with what `command` prints.
  func fulfill(_ request: DataRequest, with command: String) {
    let requestor = request.requestor
    guard
      let output = CommandOutput(
        RawArgument.bytes(of: command), onEnd: { [weak self] in self?.ended(requestor, wasRunning: $0) })
    else { return request.refuse() }
    waiting.append(Entry(requestor: requestor, output: output))
    startNext()
    // The request holds the closure for as long as it wants the content. Without it nobody does, and the command ends.
    request.fulfill(readingFrom: output.takeDescriptor(), isComplete: { output.hasSucceeded() })
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
      // One that cannot be started has ended, and says so to whoever reads it.
      if entry.output?.start() == true { running[entry.requestor, default: 0] += 1 }
    }
  }
}
