import Glibc
import XDnDToolSupport
import XDnDFiles
import XDnD
import Synchronization

/// Runs the commands of `--type MIME=!COMMAND`, a limited number at once. Further requests wait for their turn, until
/// their requestor gives up.
final class CommandQueue {
  private let limit: Int
  /// The maximum number of running commands per requestor window, so that one requestor cannot starve the others.
  private var windowLimit: Int { limit / 2 + limit % 2 }

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
    guard let pipe = PrivatePipe() else { return request.refuse() }
    let requestor = request.requestor
    let output = CommandOutput(RawArgument.bytes(of: command), writingTo: pipe.writer) { [weak self] in
      self?.ended(requestor, wasRunning: $0)
    }
    waiting.append(Entry(requestor: requestor, output: output))
    startNext()
    // The request owns the closure while its requestor wants the content. When the request ends, the command is
    // released and terminated.
    request.fulfill(readingFrom: pipe.reader, isComplete: { output.hasSucceeded() })
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

/// A shell command whose standard output is the content of a data request. Each request runs it again.
///
/// The output counts as complete only if the command exits with status 0.
final class CommandOutput {
  private enum State {
    /// Not started yet. The value is the write end of the pipe.
    case waiting(CInt)
    case running(Subprocess)
    case ended(isSuccessful: Bool)
  }

  /// The running commands whose output is awaited, by process ID.
  private static let running = Mutex<[CInt: Subprocess]>([:])

  /// The words for the latest failure, until ``takeFailure()`` returns them.
  private static let lastFailure = Mutex<String?>(nil)

  private let command: [UInt8]
  private let onEnd: (_ wasRunning: Bool) -> Void
  private var state: State

  /// - Parameters:
  ///   - writer: The write end of a pipe. This object closes it.
  ///   - onEnd: Called once, when the command ends or this object is released first.
  init(_ command: [UInt8], writingTo writer: CInt, onEnd: @escaping (_ wasRunning: Bool) -> Void) {
    self.command = command
    self.onEnd = onEnd
    state = .waiting(writer)
  }

  deinit {
    switch state {
    case .waiting(let writer):
      close(writer)
      onEnd(false)
    case .running(let process):
      Self.running.withLock { $0[process.id] = nil }
      process.terminate()
      process.abandon()
      onEnd(true)
    case .ended: break
    }
  }

  /// Starts the command.
  ///
  /// - Returns: Whether it runs. A command that cannot be started counts as failed.
  func start() -> Bool {
    guard case .waiting(let writer) = state else { return false }
    Subprocess.reapAbandoned()
    defer { close(writer) }
    guard let process = try? Subprocess(shell: command, output: .descriptor(writer)) else {
      state = .ended(isSuccessful: false)
      return false
    }
    Self.running.withLock { $0[process.id] = process }
    state = .running(process)
    return true
  }

  /// Terminates all running commands. The tool calls this when it exits: the process exits without releasing its
  /// objects, and a surviving command would keep the tool's standard error open.
  static func terminateAll() {
    for process in running.withLock({ Array($0.values) }) { process.terminate() }
  }

  /// Returns how a command has failed since the last call, in words: `the command failed with status 3`.
  static func takeFailure() -> String? {
    lastFailure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }

  private static func words(for status: CInt) -> String {
    let signal = status & 0x7f
    return signal == 0
      ? "the command failed with status \((status >> 8) & 0xff)" : "the command was ended by signal \(signal)"
  }

  /// Whether the command succeeded. Call it after its output has ended.
  ///
  /// A process closes its output shortly before it exits, so this waits up to about 0.2 s for the exit. A process that
  /// continues without its output is left running and counts as successful.
  func hasSucceeded() -> Bool {
    guard case .running(let process) = state else {
      if case .ended(let isSuccessful) = state { return isSuccessful } else { return false }
    }
    var status: CInt = 0
    var isOver = false
    for _ in 0..<100 where !isOver {
      let result = waitpid(process.id, &status, WNOHANG)
      if result < 0, errno == EINTR { continue }
      if result < 0 { status = -1 }
      isOver = result != 0
      if !isOver { usleep(2000) }
    }
    Self.running.withLock { $0[process.id] = nil }
    if !isOver { process.abandon() }
    state = .ended(isSuccessful: status == 0)
    if status != 0 { Self.lastFailure.withLock { $0 = Self.words(for: status) } }
    onEnd(true)
    return status == 0
  }
}
