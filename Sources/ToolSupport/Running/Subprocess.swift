package import XDnDFiles
package import Glibc
import Synchronization

/// A program that runs beside the tool, in a process group of its own: it can be terminated with its children, and
/// Control-C does not reach it.
package struct Subprocess: Sendable {
  /// Where a program writes.
  package enum Output {
    /// To the tool's standard output and error.
    case inherited
    /// To this descriptor; errors go to the tool's standard error.
    case descriptor(CInt)
    /// To these descriptors.
    case streams(output: CInt, errors: CInt)
    /// Nowhere, including errors.
    case discarded
  }

  /// The ID of the process and of its group.
  package let id: pid_t

  private static let abandoned = Mutex<[pid_t]>([])

  /// Starts `/bin/sh -c command`.
  ///
  /// - Parameter arguments: The command's `"$@"`. The shell does not parse them.
  package init(
    shell command: [UInt8], arguments: [[UInt8]] = [], environment: [(name: String, value: [UInt8])] = [],
    input: CInt? = nil, output: Output = .inherited, inheriting inherited: [CInt] = []
  ) throws(SystemError) {
    try self.init(
      "/bin/sh", ["sh", "-c"].map { Array($0.utf8) } + [command, Array("sh".utf8)] + arguments,
      environment: environment, input: input, output: output, inheriting: inherited)
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to search for in `PATH`.
  ///   - words: The arguments. The first is the program's name.
  ///   - environment: Variables to add to the tool's environment, or to replace there.
  ///   - input: The descriptor for standard input; `nil` for `/dev/null`.
  ///   - inherited: Descriptors that the program inherits under the same numbers.
  package init(
    _ program: String, _ words: [[UInt8]], environment: [(name: String, value: [UInt8])] = [], input: CInt? = nil,
    output: Output = .discarded, inheriting inherited: [CInt] = []
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    func discard(_ stream: CInt) { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) } else { discard(STDIN_FILENO) }
    switch output {
    case .inherited: break
    case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
    case .streams(let output, let errors):
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    case .discarded:
      discard(STDOUT_FILENO)
      discard(STDERR_FILENO)
    }
    // Duplicating a descriptor onto itself clears its close-on-exec flag in the child.
    for descriptor in inherited { posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tool ignores these signals, and the program would, too.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var process = pid_t()
    var arguments = Self.cStrings(words)
    var variables = Self.cStrings(Self.environment(with: environment))
    defer { for string in arguments + variables { free(string) } }
    let error = posix_spawnp(&process, program, &actions, &attributes, &arguments, &variables)
    guard error == 0 else { throw SystemError(error) }
    id = process
  }

  package func terminate() { kill(-id, SIGTERM) }

  /// Leaves the process running, and reaps it later, so that it does not remain as a zombie.
  package func abandon() {
    Self.reapAbandoned()
    Self.abandoned.withLock { $0.append(id) }
  }

  package static func reapAbandoned() { abandoned.withLock { $0.removeAll { waitpid($0, nil, WNOHANG) != 0 } } }

  private static func environment(with changes: [(name: String, value: [UInt8])]) -> [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = environ
    while let variable = next.pointee {
      variables.append([UInt8](cString: variable))
      next += 1
    }
    for (name, value) in changes {
      let prefix = Array("\(name)=".utf8)
      variables.removeAll { $0.starts(with: prefix) }
      variables.append(prefix + value)
    }
    return variables
  }

  /// Returns a NULL-terminated array of C strings, like `argv`. The caller frees them.
  private static func cStrings(_ strings: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { string in withCPath(string) { strdup($0) } } + [nil]
  }
}
