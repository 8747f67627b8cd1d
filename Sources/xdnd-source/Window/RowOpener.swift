import Files
import Glibc
import ToolSupport

/// Opens rows with the desktop's default application (`xdg-open`).
struct RowOpener {
  let reporter: Reporter

  /// Opens the row's file or URI, if it has one, and reports the result.
  func open(_ row: SourceRow) {
    guard let opened = row.opened else { return }
    if let problem = start(opened) {
      Reporter.printError("xdnd-source", "cannot open '\(row.title)': \(problem)")
    } else {
      reporter.print(
        Report("opened", "Opened \(row.title).", ["path": .string(String(decoding: opened, as: UTF8.self))]))
    }
  }

  /// - Returns: Why the application could not be started; `nil` if it was.
  private func start(_ path: [UInt8]) -> String? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // The tool's own output must not contain the application's.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var process = pid_t()
    let result = withCPath(path) { path in
      var arguments = [strdup("xdg-open"), strdup(path), nil]
      defer { for argument in arguments { free(argument) } }
      return ChildAttributes.with { posix_spawnp(&process, "xdg-open", &actions, $0, &arguments, environ) }
    }
    guard result == 0 else { return "xdg-open: \(String(cString: strerror(result)))" }
    OrphanReaper.leave(process)
    return nil
  }
}
