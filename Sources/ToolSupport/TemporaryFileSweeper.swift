import Glibc
import XDnD

/// A process that removes temporary files when nobody needs them any more, also if the tool has ended before, in whatever way.
enum TemporaryFileSweeper {
  /// What this program does when it has only this argument.
  static let argument = "--sweep-temporary-files"

  /// Runs it in this process, if that is what was asked for.
  static func run(ifAskedBy arguments: [String]) {
    guard arguments == [argument] else { return }
    // Those of whoever has started the tool, such as a pipe whose end is waited for.
    for descriptor in (STDERR_FILENO + 1)..<1024 { close(descriptor) }
    _ = chdir("/")
    ContainerSweep.run()
    ExitStatus.dropped.leave()
  }

  /// Starts it beside the tool: this program, in a process group of its own, without the tool's terminal, pipes and directory.
  ///
  /// Where it cannot be started, the next tool that makes such files removes them.
  static func start() {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var process = pid_t()
    let name = CommandLine.arguments.first ?? "xdnd"
    var words: [UnsafeMutablePointer<CChar>?] = [strdup(name), strdup(argument), nil]
    defer { for word in words { free(word) } }
    guard ChildAttributes.with({ posix_spawn(&process, "/proc/self/exe", &actions, $0, &words, environ) }) == 0 else {
      return
    }
    OrphanReaper.leave(process)
  }
}
