import Files
import Glibc

/// A shell command that runs beside the tool, in a process group of its own: it can be terminated with its children,
/// and Control-C does not reach it.
package struct ShellProcess: Sendable {
  /// The ID of the process and of its group.
  package let id: CInt

  /// Starts `/bin/sh -c command`; `nil` if it cannot be started.
  ///
  /// - Parameters:
  ///   - command: The command's text.
  ///   - arguments: The command's `"$@"`. The shell does not parse them.
  ///   - environment: Variables to add to the tool's environment, or to replace there.
  ///   - input: The descriptor for standard input; `nil` for `/dev/null`.
  ///   - output: The descriptor for standard output; `nil` for that of the tool.
  ///   - inherited: Descriptors that the command inherits under the same numbers.
  package init?(
    _ command: [UInt8], arguments: [[UInt8]] = [], environment: [(name: String, value: [UInt8])] = [],
    input: CInt? = nil, output: CInt? = nil, inheriting inherited: [CInt] = []
  ) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    // Duplicating a descriptor onto itself clears its close-on-exec flag in the child.
    for descriptor in inherited { posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor) }
    let words = ["sh", "-c"].map { Array($0.utf8) } + [command, Array("sh".utf8)] + arguments
    var process = pid_t()
    let result = Self.withPointers(words) { words in
      Self.withPointers(Self.environment(with: environment)) { variables in
        ChildAttributes.with { posix_spawn(&process, "/bin/sh", &actions, $0, words, variables) }
      }
    }
    guard result == 0 else { return nil }
    id = process
  }

  /// Sends SIGTERM to the process group.
  package func terminate() { kill(-id, SIGTERM) }

  /// Returns the tool's environment with the given changes.
  private static func environment(with changes: [(name: String, value: [UInt8])]) -> [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(UnsafeBufferPointer(start: variable, count: strlen(variable)).map(UInt8.init(bitPattern:)))
      next += 1
    }
    for (name, value) in changes {
      let prefix = Array("\(name)=".utf8)
      variables.removeAll { $0.starts(with: prefix) }
      variables.append(prefix + value)
    }
    return variables
  }

  /// Calls the closure with the strings as a NULL-terminated array of C strings, like `argv`.
  private static func withPointers<Result>(
    _ strings: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { string in withCPath(string) { strdup($0) } } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the null pointer") }
      return body(base)
    }
  }
}
