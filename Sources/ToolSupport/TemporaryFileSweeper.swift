import Glibc
import XDnD

/// A process that removes temporary files once they are no longer needed, even if the tool has ended or crashed.
enum TemporaryFileSweeper {
  /// The only argument with which this program is the sweeper.
  static let argument = "--sweep-temporary-files"

  /// Sweeps in this process and ends it, if the arguments ask for that.
  static func run(ifAskedBy arguments: [String]) {
    guard arguments == [argument] else { return }
    // Closes inherited descriptors, such as a pipe whose end the tool's caller waits for.
    for descriptor in (STDERR_FILENO + 1)..<1024 { close(descriptor) }
    _ = chdir("/")
    ContainerSweep.run()
    ExitStatus.dropped.exit()
  }

  /// Starts this program as the sweeper, in a process group of its own, without the tool's terminal, pipes and working
  /// directory.
  ///
  /// If it cannot be started, the next tool that creates temporary files removes the old ones.
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
