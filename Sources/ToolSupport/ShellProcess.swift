import Glibc

/// A command of the shell that runs beside the tool, in a process group of its own, so that it can be ended as a whole,
/// and Control-C on the terminal is not for it.
public struct ShellProcess: Sendable {
  /// Of the shell, and of the group.
  public let id: CInt

  /// Starts `/bin/sh -c command`; `nil` if it cannot be started.
  ///
  /// - Parameters:
  ///   - arguments: What the command knows as `"$@"`. They are never a part of the command.
  ///   - environment: Variables besides those that the tool has.
  ///   - input: Its standard input; nothing, if there is none.
  ///   - output: Its standard output; that of the tool, if there is none.
  ///   - inherited: Descriptors that the command and what it starts hold open, under the same numbers.
  public init?(
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
    // To duplicate a descriptor onto itself is how `posix_spawn` is told not to close it.
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

  /// Asks it to end, and all that it has started.
  public func terminate() { kill(-id, SIGTERM) }

  /// That of the tool, with some variables set anew.
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

  /// The strings as C has them in `argv`: pointers, and a null pointer behind the last.
  private static func withPointers<Result>(
    _ strings: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { string in withPath(string) { strdup($0) } } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the null pointer") }
      return body(base)
    }
  }
}
