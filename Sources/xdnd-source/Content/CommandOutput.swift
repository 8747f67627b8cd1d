import Glibc
import Synchronization
import ToolSupport

/// A shell command whose standard output is the content of a data request. Each request runs it again.
///
/// The output counts as complete only if the command exits with status 0.
final class CommandOutput {
  private enum State {
    /// Not started yet. The value is the write end of the pipe.
    case waiting(CInt)
    case running(ShellProcess)
    case succeeded
    case failed
  }

  /// The running commands whose output is awaited, by process ID.
  private static let running = Mutex<[CInt: ShellProcess]>([:])

  private let command: [UInt8]
  private let onEnd: (_ wasRunning: Bool) -> Void
  private var state: State
  /// The read end of the pipe; -1 after ``takeDescriptor()``.
  private var descriptor: CInt

  /// Creates the pipe without starting the command. Returns `nil` if the pipe cannot be created.
  ///
  /// - Parameters:
  ///   - command: The command line for the shell.
  ///   - onEnd: Called once, when the command ends or this object is released first.
  init?(_ command: [UInt8], onEnd: @escaping (_ wasRunning: Bool) -> Void) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.command = command
    self.onEnd = onEnd
    descriptor = ends[0]
    state = .waiting(ends[1])
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    switch state {
    case .waiting(let writer):
      close(writer)
      onEnd(false)
    case .running(let process):
      Self.running.withLock { $0[process.id] = nil }
      process.terminate()
      OrphanReaper.leave(process.id)
      onEnd(true)
    case .succeeded, .failed: break
    }
  }

  /// Returns the read end of the pipe and gives up its ownership.
  func takeDescriptor() -> CInt {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Starts the command.
  ///
  /// - Returns: Whether it runs. A command that cannot be started counts as failed.
  func start() -> Bool {
    guard case .waiting(let writer) = state else { return false }
    OrphanReaper.reap()
    defer { close(writer) }
    guard let process = ShellProcess(command, output: writer) else {
      state = .failed
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

  /// Whether the command succeeded. Call it after its output has ended.
  ///
  /// A process closes its output shortly before it exits, so this waits up to about 0.2 s for the exit. A process that
  /// continues without its output is left running and counts as successful.
  func hasSucceeded() -> Bool {
    guard case .running(let process) = state else {
      if case .succeeded = state { return true } else { return false }
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
    if !isOver { OrphanReaper.leave(process.id) }
    state = status == 0 ? .succeeded : .failed
    onEnd(true)
    return status == 0
  }
}
