import Glibc
import ToolSupport
import XDnD

/// A command of the shell whose standard output is content. It is run each time that somebody asks for the content.
///
/// It is content only if the command says so by ending with 0.
final class CommandOutput {
  private let process: ShellProcess
  private var isOver = false

  /// Answers a request with what `command` prints.
  static func fulfill(_ request: DataRequest, with command: String) {
    guard let (output, descriptor) = start(RawArgument.bytes(of: command)) else { return request.refuse() }
    // The request holds the closure for as long as it wants the content. Without it nobody does, and the command ends.
    request.fulfill(readingFrom: descriptor, isComplete: { output.hasSucceeded() })
  }

  private init(process: ShellProcess) {
    self.process = process
  }

  deinit {
    guard !isOver else { return }
    process.terminate()
    leave()
  }

  private func leave() {
    isOver = true
    Remains.leave(process.id)
  }

  private static func start(_ command: [UInt8]) -> (CommandOutput, CInt)? {
    Remains.reap()
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    guard let process = ShellProcess(command, output: ends[1]) else {
      close(ends[0])
      return nil
    }
    return (CommandOutput(process: process), ends[0])
  }

  /// Whether it has ended well, once its output has ended.
  ///
  /// The output of a process ends a moment before the process does. One that goes on without an output is left alone:
  /// it has said all that it will say.
  private func hasSucceeded() -> Bool {
    var status: CInt = 0
    for _ in 0..<100 {
      let result = waitpid(process.id, &status, WNOHANG)
      if result < 0, errno == EINTR { continue }
      guard result == 0 else {
        isOver = true
        return result == process.id && status == 0
      }
      usleep(2000)
    }
    leave()
    return true
  }
}
