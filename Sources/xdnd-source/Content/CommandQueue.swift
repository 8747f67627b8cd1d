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

  /// The waiting and the running commands, first come, first served. Each is owned by its data request.
  private var entries: [Entry] = []

  private struct Entry {
    weak var output: CommandOutput?
  }

  static let usualLimit = 8

  init(limit: Int) { self.limit = limit }

  /// Fulfills a data request with the standard output of `command`.
  func fulfill(_ request: DataRequest, with command: String) {
    guard let pipe = PrivatePipe() else { return request.refuse() }
    let output = CommandOutput(
      RawArgument.bytes(of: command), for: request.requestor, writingTo: pipe.writer
    ) { [weak self] in self?.startNext() }
    entries.append(Entry(output: output))
    startNext()
    // The request owns the closure while its requestor wants the content. When the request ends, the command is
    // released and terminated.
    request.fulfill(readingFrom: pipe.reader, isComplete: { output.hasSucceeded() })
  }

  private func startNext() {
    entries.removeAll { $0.output?.hasEnded ?? true }
    let outputs = entries.compactMap(\.output)
    var running = outputs.filter(\.isRunning).map(\.requestor)
    for output in outputs where !output.isRunning {
      guard running.count < limit else { return }
      guard running.count(where: { $0 == output.requestor }) < windowLimit else { continue }
      // A command that cannot be started counts as failed; its reader sees an empty output that is not complete.
      if output.start() { running.append(output.requestor) }
    }
  }

  /// Terminates all running commands. The tool calls this when it exits: the process exits without releasing its
  /// objects, and a surviving command would keep the tool's standard error open.
  func terminateAll() {
    for entry in entries { entry.output?.terminate() }
  }
}

/// A shell command whose standard output is the content of a data request. Each request runs it again.
///
/// The output is complete only if ``hasSucceeded()`` returns `true`.
final class CommandOutput {
  private enum State {
    /// Not started yet. The value is the write end of the pipe.
    case waiting(CInt)
    case running(Subprocess)
    case ended(isSuccessful: Bool)
  }

  /// The words for the latest failure, until ``takeFailure()`` returns them.
  private static let lastFailure = Mutex<String?>(nil)

  /// The window that wants the output.
  let requestor: WindowID
  private let command: [UInt8]
  private let onEnd: () -> Void
  private var state: State

  /// - Parameters:
  ///   - writer: The write end of a pipe. This object closes it.
  ///   - onEnd: Called once, when the command ends or this object is released first; not if the command cannot be
  ///     started.
  init(_ command: [UInt8], for requestor: WindowID, writingTo writer: CInt, onEnd: @escaping () -> Void) {
    self.command = command
    self.requestor = requestor
    self.onEnd = onEnd
    state = .waiting(writer)
  }

  deinit {
    switch state {
    case .waiting(let writer): close(writer)
    case .running(let process):
      process.terminate()
      process.abandon()
    case .ended: return
    }
    onEnd()
  }

  var isRunning: Bool { if case .running = state { true } else { false } }
  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// - Returns: Whether the command runs. A command that cannot be started counts as failed.
  func start() -> Bool {
    guard case .waiting(let writer) = state else { return false }
    Subprocess.reapAbandoned()
    defer { close(writer) }
    guard let process = try? Subprocess(shell: command, output: .descriptor(writer)) else {
      state = .ended(isSuccessful: false)
      return false
    }
    state = .running(process)
    return true
  }

  func terminate() { if case .running(let process) = state { process.terminate() } }

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
    if !isOver { process.abandon() }
    state = .ended(isSuccessful: status == 0)
    if status != 0 { Self.lastFailure.withLock { $0 = Self.words(for: status) } }
    onEnd()
    return status == 0
  }
}
