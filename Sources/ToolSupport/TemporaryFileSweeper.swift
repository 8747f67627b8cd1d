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

  /// Starts this program as the sweeper.
  ///
  /// If it cannot be started, the next tool that creates temporary files removes the old ones.
  static func start() {
    let words = [CommandLine.arguments.first ?? "xdnd", argument].map { Array($0.utf8) }
    try? Subprocess("/proc/self/exe", words).abandon()
  }
}
