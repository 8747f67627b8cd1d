import CXTest
import Foundation
import Glibc

/// What went wrong in the harness itself, with everything known about it.
package struct HarnessError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// `what`, with the system's words for `code`.
  package init(_ what: String, code: Int32) {
    self.description = "\(what): \(String(cString: strerror(code)))"
  }
}

/// A pipe whose ends no other program inherits: `spawn` closes what a fork between the two calls would let through.
package struct Pipe {
  package let readEnd: Int32
  package let writeEnd: Int32

  package init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw HarnessError("pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    readEnd = ends[0]
    writeEnd = ends[1]
  }
}

/// Starts a program in a process group of its own, so that it and all it starts can be signalled as one group, with no
/// descriptor but the three given, no blocked signal and every signal at its default.
///
/// Foundation's `Process` gives neither the group nor the signal mask, and threads of the test runner block signals.
func spawn(
  _ program: String, _ arguments: [String], environment: [String: String], directory: String? = nil,
  input: Int32? = nil, output: Int32, error: Int32
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let input {
    posix_spawn_file_actions_adddup2(&actions, input, 0)
  } else {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  }
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_adddup2(&actions, error, 2)
  posix_spawn_file_actions_addclosefrom_np(&actions, 3)
  if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  var all = sigset_t()
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  posix_spawnattr_setflags(&attributes, Int16(flags))

  var pid: pid_t = 0
  let code = withCStrings([program] + arguments) { argv in
    withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
      posix_spawn(&pid, program, &actions, &attributes, argv, envp)
    }
  }
  guard code == 0 else { throw HarnessError("cannot start \(program)", code: code) }
  return pid
}

/// The strings as C has them in `argv`: an array of pointers that ends with a null pointer.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  pointers.append(nil)
  defer { pointers.forEach { free($0) } }
  return pointers.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the null pointer") }
    return body(base)
  }
}

/// The path of `program` in `PATH`, or itself when it is a path; `nil` when nobody could run it.
func path(ofProgram program: String) -> String? {
  if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
  let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
  return directories.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
}
