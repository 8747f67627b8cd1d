import Glibc
import ToolSupport
import XDnD

/// A command of the shell whose standard output is content. It is run each time that somebody asks for the content.
///
/// It is content only if the command says so by ending with 0.
final class CommandOutput {
  private let process: pid_t
  private var isOver = false

  /// Answers a request with what `command` prints.
  static func fulfill(_ request: DataRequest, with command: String) {
    guard let (output, descriptor) = start(RawArgument.bytes(of: command)) else { return request.refuse() }
    // The request holds the closure for as long as it wants the content. Without it nobody does, and the command ends.
    request.fulfill(readingFrom: descriptor, isComplete: { output.hasSucceeded() })
  }

  private init(process: pid_t) {
    self.process = process
  }

  deinit {
    guard !isOver else { return }
    // The whole group: the shell may have started others.
    kill(-process, SIGTERM)
    leave()
  }

  private func leave() {
    isOver = true
    Remains.leave(process)
  }

  private static func start(_ command: [UInt8]) -> (CommandOutput, CInt)? {
    Remains.reap()
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that it can be ended as a whole, and Control-C on the terminal is not for it; and as
    // commands expect them the signals that the tool itself ignores.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var process = pid_t()
    let result = withPath(command) { command in
      var arguments = [strdup("sh"), strdup("-c"), strdup(command), nil]
      defer { for argument in arguments { free(argument) } }
      return posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ)
    }
    guard result == 0 else {
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
      let result = waitpid(process, &status, WNOHANG)
      if result < 0, errno == EINTR { continue }
      guard result == 0 else {
        isOver = true
        return result == process && status == 0
      }
      usleep(2000)
    }
    leave()
    return true
  }
}
