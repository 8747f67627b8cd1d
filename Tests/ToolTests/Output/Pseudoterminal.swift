import Foundation
import Glibc
import Synchronization
import TestSupport

/// A terminal that a test reads: programs write to ``path``, and what arrives is in ``output``, byte by byte.
final class Pseudoterminal: Sendable {
  /// The device that programs open.
  let path: String
  /// All that was written.
  let output = CapturedOutput()
  /// Held open until ``end()``: the output ends when the last process closes the terminal.
  private let terminal: Mutex<CInt?>

  init() throws {
    var (control, terminal): (CInt, CInt) = (-1, -1)
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard openpty(&control, &terminal, &name, nil, nil) == 0 else {
      throw HarnessError("cannot make a terminal", code: errno)
    }
    for descriptor in [control, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.terminal = Mutex(terminal)
    path = name.withUnsafeBufferPointer {
      String(decoding: $0.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    var attributes = termios()
    tcgetattr(terminal, &attributes)
    // Lines end as the program ends them.
    cfmakeraw(&attributes)
    tcsetattr(terminal, TCSANOW, &attributes)
    output.readAll(from: control)
  }

  deinit { hangUp() }

  /// Returns when all that was written has been read. Every program on the terminal must have ended.
  func end() async {
    hangUp()
    await output.end()
  }

  private func hangUp() {
    terminal.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }

  /// The arguments of `/bin/sh` that run a program with these descriptors on the terminal.
  func running(_ program: String, _ arguments: [String], descriptors: [CInt]) -> [String] {
    let redirections = descriptors.map { "\($0)>\"$terminal\"" }.joined(separator: " ")
    return ["-c", #"terminal=$1; shift; exec "$0" "$@" \#(redirections)"#, program, path] + arguments
  }
}
