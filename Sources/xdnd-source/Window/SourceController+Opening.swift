import Glibc
import ToolSupport
import XDnD

/// Detects double clicks.
struct DoubleClick {
  /// The usual default of desktops, in milliseconds.
  private static let longest: UInt32 = 400
  private var last: (row: Int, time: Timestamp)?

  /// - Returns: Whether this click completes a double click.
  mutating func click(on row: Int, at time: Timestamp) -> Bool {
    let isDouble = last.map { $0.row == row && time.rawValue &- $0.time.rawValue <= Self.longest } ?? false
    // A third click starts a new sequence.
    last = isDouble ? nil : (row, time)
    return isDouble
  }
}

/// Opening rows with `xdg-open`, by double click or Control+Return.
extension SourceController {
  func open(rows indices: [Int]) {
    guard !settings.window.noOpen else { return }
    for index in indices {
      guard let opened = rows[index].opened else { continue }
      if let problem = Opener.open(opened) {
        Reporter.complain("xdnd-source", "cannot open '\(rows[index].title)': \(problem)")
      } else {
        reporter.print(
          Report(
            "opened", "Opened \(rows[index].title).", ["path": .string(String(decoding: opened, as: UTF8.self))]))
      }
    }
  }
}

/// Starts the desktop's default application for a file or URI.
private enum Opener {
  /// - Returns: Why it could not be started; `nil` if it was.
  static func open(_ path: [UInt8]) -> String? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // The tool's own output must not contain the application's.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var process = pid_t()
    let result = withPath(path) { path in
      var arguments = [strdup("xdg-open"), strdup(path), nil]
      defer { for argument in arguments { free(argument) } }
      return ChildAttributes.with { posix_spawnp(&process, "xdg-open", &actions, $0, &arguments, environ) }
    }
    guard result == 0 else { return "xdg-open: \(String(cString: strerror(result)))" }
    OrphanReaper.leave(process)
    return nil
  }
}
