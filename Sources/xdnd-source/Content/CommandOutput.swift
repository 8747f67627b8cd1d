import Glibc
import Synchronization
import XDnDToolSupport

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
