import Glibc
import Synchronization
import ToolSupport

/// A command of the shell whose standard output is content. It is run each time that somebody asks for the content.
///
/// It is content only if the command says so by ending with 0.
final class CommandOutput {
  private enum State {
    /// Its turn has not come; the end of the pipe that it will write to.
    case waiting(CInt)
    case running(ShellProcess)
    case succeeded
    case failed
  }

  /// The commands that run and whose output is awaited.
  private static let running = Mutex<[CInt: ShellProcess]>([:])

  private let command: [UInt8]
  private let onEnd: (_ wasRunning: Bool) -> Void
  private var state: State
  /// The end of the pipe that is read from, until somebody has taken it.
  private var descriptor: CInt

  /// Makes the pipe, and nothing else yet.
  ///
  /// - Parameters:
  ///   - command: For the shell.
  ///   - onEnd: Called once: when it has ended, or nobody wants its output any more.
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

  /// The end of the pipe to read from, which belongs to the caller from here on.
  func takeDescriptor() -> CInt {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Runs the command.
  ///
  /// - Returns: Whether it runs. If it cannot be started, it has ended without success.
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

  /// Ends all commands that run. The tool calls it at its end: the process ends without releasing its objects, and a
  /// command that outlives it would hold its standard error open.
  static func terminateAll() {
    for process in running.withLock({ Array($0.values) }) { process.terminate() }
  }

  /// Whether it has ended well, once its output has ended.
  ///
  /// The output of a process ends a moment before the process does. One that goes on without an output is left alone:
  /// it has said all that it will say.
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
